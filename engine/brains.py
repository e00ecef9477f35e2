"""The learned weights of a variant: their shapes, their file, and weights to start learning from."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.geometry import F64, geometry
from engine.kernels.levels import ALLY, BARRED, CLASSES, LEVELS, LIBERTY, OWN, REACHED, RIVAL
from engine.kernels.network import OUTPUTS, STAGES, WIDTHS, Net
from engine.kernels.policy import CORNER, COVER, EDGE, PHASES, Policy
from engine.kernels.search import Brain
from engine.kernels.vectors import WIDTH
from engine.search_tables import places
from engine.variants import VARIANTS, variant

FOLDER = Path(__file__).parent / "weights"

FORM = 2
"""Goes up when the code reads weights in another way: a file of another form is refused."""


class Weights(NamedTuple):
    """What a weights file holds: what is learned, and how far it can be trusted."""

    variant_id: str  # whose games they have learned from
    brain: Brain
    spread: (
        F64  # (STAGES,) standard deviation of a colour's final points around the expected ones, by its stage
    )
    noise: F64  # (4,) see `engine.noise`


def shapes(variant_id: str) -> dict[str, tuple[int, ...]]:
    """Shapes of the arrays of a weights file, by name; all are ``float16`` in the file and ``float32`` in use."""
    tables = geometry(variant_id)
    colours, pieces = len(variant(variant_id).colours), len(tables.pieces)
    spots = int(places(variant_id).max()) + 1
    return {
        "rows": (spots * CLASSES + 2 * pieces + WIDTHS + STAGES + colours, WIDTH),
        "hidden": (colours * WIDTH + 1, WIDTH),
        "output": (OUTPUTS, WIDTH + 1),
        "cells": (PHASES, 3, CLASSES),
        "places": (PHASES, spots),
        "pieces": (PHASES, pieces),
        "spread": (STAGES,),
        "noise": (4,),
    }


def first_brain(variant_id: str, seed: int) -> Brain:
    """Weights before any learning: a random network, and priors that like big pieces and others' liberties."""
    random = np.random.default_rng(seed)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes(variant_id).items()}
    arrays["rows"][:] = random.normal(0, 0.01, arrays["rows"].shape)
    arrays["hidden"][:-1] = random.normal(0, 0.15, arrays["hidden"][:-1].shape)
    arrays["output"][:, :-1] = random.normal(0, 0.1, arrays["output"][:, :-1].shape)
    arrays["pieces"][:] = 0.7 * geometry(variant_id).pieces[:, 0]
    cells = arrays["cells"]
    for own in range(LEVELS):
        for rival in range(LEVELS):
            kind = 1 + LEVELS * own + rival
            cells[:, COVER, kind] = 0.8 if rival == LIBERTY else (0.2 if rival == REACHED else 0)
            cells[:, CORNER, kind] = 0 if own in (LIBERTY, BARRED) else 0.3
    cells[:, EDGE, OWN] = cells[:, EDGE, ALLY] = -0.1
    cells[:, EDGE, RIVAL] = 0.05
    return make_brain(arrays)


def make_brain(arrays: dict[str, Any]) -> Brain:
    """Weights as the kernels take them."""
    names = (*Net._fields, *Policy._fields)
    ready = {name: np.ascontiguousarray(arrays[name], np.float32) for name in names}
    net = Net(ready["rows"], ready["hidden"], ready["output"])
    return Brain(net, Policy(ready["cells"], ready["places"], ready["pieces"]))


def brain_arrays(brain: Brain) -> dict[str, Any]:
    """The learned arrays, by name."""
    return {**brain.net._asdict(), **brain.policy._asdict()}


def save_weights(weights: Weights, path: Path) -> None:
    """Write a weights file."""
    arrays = {**brain_arrays(weights.brain), "spread": weights.spread, "noise": weights.noise}
    halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    with path.open("wb") as file:
        np.savez_compressed(file, form=np.array(FORM), variant=np.array(weights.variant_id), **halves)


def read_weights(variant_id: str, path: Path, *, alike: bool = False) -> Weights:
    """Read a weights file; if `alike`, that of another variant will do whose arrays have the same shapes.

    Raises:
        EngineError: no such file, no weights file, or one that does not fit the variant or this code.
    """
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except Exception as error:  # a damaged archive makes its readers raise nearly anything
        raise EngineError(f"{path}: no weights can be read: {error}") from error
    form = arrays.pop("form", None)
    if form is None or form.shape != () or form.dtype.kind not in "iu" or int(form) != FORM:
        raise EngineError(f"{path}: these weights are not of form {FORM}, the one this version reads")
    learned = _name(arrays.pop("variant", None))
    if learned not in VARIANTS:
        raise EngineError(f"{path}: these weights do not say which variant they have learned")
    expected = shapes(variant_id)
    found = {name: array.shape for name, array in arrays.items() if array.dtype.kind == "f"}
    names = arrays.keys() | expected.keys()
    wrong = sorted(name for name in names if name not in found or found[name] != expected.get(name))
    if wrong:
        raise EngineError(f"{path}: these weights do not fit {variant_id}: wrong {', '.join(wrong)}")
    if learned != variant_id and not alike:
        raise EngineError(f"{path}: these weights do not fit {variant_id}: they have learned {learned}")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise EngineError(f"{path}: these weights hold numbers that are not finite")
    return Weights(learned, make_brain(arrays), arrays["spread"].astype(float), arrays["noise"].astype(float))


def _name(array: Any) -> str:
    """The text that an array holds, if it holds one."""
    return str(array) if array is not None and array.shape == () and array.dtype.kind == "U" else ""


@cache
def weights(variant_id: str) -> Weights:
    """The weights of a variant that come with the engine.

    Raises:
        EngineError: see `read_weights`.
    """
    return read_weights(variant_id, FOLDER / f"{variant(variant_id).id}.npz")


def brain(variant_id: str) -> Brain:
    """What is learned of a variant; raises as `weights` does."""
    return weights(variant_id).brain


@cache
def weights_version(variant_id: str) -> str:
    """Eight hexadecimal digits that name the weights of a variant."""
    return blake2b((FOLDER / f"{variant(variant_id).id}.npz").read_bytes(), digest_size=4).hexdigest()
