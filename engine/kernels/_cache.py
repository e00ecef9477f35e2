"""Where compiled kernels are kept between processes."""

from __future__ import annotations

import os
import sys
import tempfile
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path


def _fingerprint() -> str:
    digest = blake2b(version("numba").encode(), digest_size=8)
    kernels = Path(__file__).parent
    # The two modules outside hold numbers that are compiled into kernels.
    constants = [kernels.parent / "geometry.py", kernels.parent / "facts.py"]
    for source in [*sorted(kernels.glob("*.py")), *constants]:
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _candidates() -> list[Path]:
    roots = []
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        roots.append(Path(xdg))
    if (home := os.path.expanduser("~")) != "~":
        roots.append(Path(home) / ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    roots.append(Path(tempfile.gettempdir()) / f"cornerwise-{user}")
    return roots


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _is_ours(root: Path) -> bool:
    """Whether the folder belongs to this user: Numba runs what it finds there, and anybody can make one in /tmp."""
    return not hasattr(os, "getuid") or root.lstat().st_uid == os.getuid()


def choose_cache_folder() -> None:
    """Point Numba at a per-user folder of this version of the kernels, unless the user has chosen one."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    name = _fingerprint()
    for root in _candidates():
        folder = root / "cornerwise" / "kernels" / name
        if _usable(folder) and _is_ours(root):
            os.environ["NUMBA_CACHE_DIR"] = str(folder)
            break
    numba = sys.modules.get("numba")
    if numba is not None:  # imported by the program around us: it has read the environment already
        numba.config.CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR", "")
