"""Weights for variants that have none yet, for tests of what stands on the engine; nobody has learned them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import numpy as np
import pytest

from engine import brains
from engine.kernels.network import STAGES
from engine.variants import VARIANTS


@pytest.fixture(scope="module")
def every_weight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In this process; workers have the real files alone."""
    own = brains.FOLDER
    if all((own / f"{variant_id}.npz").exists() for variant_id in VARIANTS):
        yield
        return
    folder = tmp_path_factory.mktemp("weights")
    for variant_id in VARIANTS:
        name = f"{variant_id}.npz"
        if (own / name).exists():
            shutil.copy(own / name, folder / name)
            continue
        noise = np.array([0.3, 0.35, 5.0, 0.35])
        made = brains.Weights(brains.first_brain(variant_id, 1), np.full(STAGES, 8.0), noise)
        brains.save_weights(made, folder / name)
    _use(folder)
    yield
    _use(own)


def _use(folder: object) -> None:
    brains.FOLDER = folder  # type: ignore[assignment]
    brains.weights.cache_clear()
    brains.weights_version.cache_clear()
