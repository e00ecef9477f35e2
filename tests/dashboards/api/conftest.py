from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.client import Client
from pipeline.features.compute import compute_features
from pipeline.ingest import import_paths
from tests.dashboards.api.serving import REPOSITORY, serving


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of some sample games, measured; nobody writes to it."""
    library = tmp_path_factory.mktemp("service") / "library"
    paths = [
        REPOSITORY / "data" / "games" / name for name in ("duo.blksgf", "classic.blksgf", "trigon_2.blksgf")
    ]
    import_paths(library, [*map(str, paths), str(REPOSITORY / "data" / "faulty")], jobs=1)
    compute_features(library, jobs=1)
    return library


@pytest.fixture(scope="session")
def client(archive: Path) -> Iterator[Client]:
    with serving(archive, warm=True) as found:
        yield found
