"""Where compiled kernels are kept, and that an edit of any kernel moves them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from engine.kernels import _cache
from tests.places import REPOSITORY


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """No folder chosen yet; home and temporary folder of the test's own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(_cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    return monkeypatch


def _chosen() -> str:
    _cache.choose_cache_folder()
    return os.environ["NUMBA_CACHE_DIR"]


def test_kernels_are_kept_in_the_user_s_cache(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = Path(_chosen())
    assert chosen.parent == tmp_path / "home" / ".cache" / "cornerwise" / "kernels"
    assert chosen.is_dir()
    # A program that imported Numba before us is told too.
    assert str(chosen) == numba.config.CACHE_DIR


def test_the_cache_folder_of_the_desktop_comes_first(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Path(_chosen()).is_relative_to(tmp_path / "xdg" / "cornerwise")


def test_a_folder_that_the_user_has_chosen_stays(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    assert _chosen() == str(tmp_path / "mine")


def test_without_a_writable_home_the_temporary_folder_serves(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # No folder can be made below a file, whoever asks; a read-only one refuses those who are not root.
    (tmp_path / "home").write_text("")
    assert Path(_chosen()).is_relative_to(tmp_path / "temporary")


def test_a_read_only_home(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    allowed = os.access
    home = str(tmp_path / "home")
    environment.setattr(
        _cache.os, "access", lambda path, mode: not str(path).startswith(home) and allowed(path, mode)
    )
    assert Path(_chosen()).is_relative_to(tmp_path / "temporary")


def test_a_folder_of_somebody_else_is_not_trusted(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    mine = os.getuid()
    environment.setattr(_cache.os, "getuid", lambda: mine + 1)
    assert _chosen() == ""


def test_the_folder_is_named_by_all_kernel_sources(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = _cache._fingerprint()
    assert _cache._fingerprint() == before
    read = Path.read_bytes
    for name in ("legal.py", "turns.py", "geometry.py"):
        environment.setattr(
            Path, "read_bytes", lambda p, name=name: read(p) + (b"#" if p.name == name else b"")
        )
        assert _cache._fingerprint() != before, name
    environment.setattr(Path, "read_bytes", read)
    environment.setattr(_cache, "version", lambda package: "0.0")
    assert _cache._fingerprint() != before


def test_importing_the_engine_s_tables_does_not_need_numba() -> None:
    program = "import sys, engine.rulesets, engine.scoring, engine.verdicts; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=False).returncode == 0
