"""Weights files: what is written is read, and what does not fit is refused with a reason."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import brains
from engine.brains import (
    FORM,
    Weights,
    brain_arrays,
    first_brain,
    read_weights,
    save_weights,
    shapes,
    weights_version,
)
from engine.errors import EngineError
from engine.evaluate import evaluate
from engine.kernels.network import STAGES
from engine.position import Position
from engine.variants import VARIANTS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = Weights(
        "junior", first_brain("junior", 4), np.linspace(9, 1, STAGES), np.array([0.3, 0.5, 4.0, 0.25])
    )
    save_weights(found, tmp_path / "junior.npz")
    return tmp_path / "junior.npz"


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def changed(path: Path, **arrays: Any) -> Path:
    """The file with other arrays, without those that are None."""
    kept = {name: array for name, array in (arrays_of(path) | arrays).items() if array is not None}
    np.savez_compressed(path, **kept)
    return path


def test_what_is_written_is_read(path: Path) -> None:
    found = read_weights("junior", path)
    for name, array in brain_arrays(first_brain("junior", 4)).items():
        read = brain_arrays(found.brain)[name]
        assert read.dtype == np.float32 and read.flags.c_contiguous
        assert read == pytest.approx(array, rel=1e-3, abs=1e-4)
    assert found.spread == pytest.approx(np.linspace(9, 1, STAGES), rel=1e-3)
    assert found.noise.tolist() == pytest.approx([0.3, 0.5, 4, 0.25], rel=1e-3)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_the_weights_of_every_variant(variant_id: str) -> None:
    found = brains.weights(variant_id)
    assert {n: a.shape for n, a in brain_arrays(found.brain).items()} == {
        n: s for n, s in shapes(variant_id).items() if n not in ("spread", "noise")
    }
    assert (found.spread >= 0).all() and (found.noise > 0).all()
    assert len(weights_version(variant_id)) == 8


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"nothing\.npz: no weights can be read"):
        read_weights("duo", tmp_path / "nothing.npz")
    with pytest.raises(EngineError, match="no weights can be read"):
        read_weights("duo", tmp_path)


def test_an_evaluation_without_weights_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brains, "FOLDER", tmp_path)
    brains.weights.cache_clear()
    with pytest.raises(EngineError, match=r"duo\.npz: no weights can be read"):
        evaluate(Position("duo"), "instant")
    brains.weights.cache_clear()


def test_files_that_are_no_weights(path: Path) -> None:
    whole = path.read_bytes()
    for content in (b"", b"PK", b"hello", whole[:100], whole[: len(whole) // 2], whole[:-1], whole[30:]):
        path.write_bytes(content)
        with pytest.raises(EngineError, match=r"junior\.npz: "):
            read_weights("junior", path)
    np.save(path.with_suffix(".npy"), np.zeros(3))
    with pytest.raises(EngineError, match=r"junior\.npy: "):
        read_weights("junior", path.with_suffix(".npy"))


def test_damage_is_refused_or_does_no_harm(path: Path) -> None:
    """One wrong byte anywhere, and more of them where the headers are."""
    whole, rng = path.read_bytes(), random.Random(1)
    ends = [*range(400), *range(len(whole) - 700, len(whole))]
    for at in rng.sample(range(len(whole)), 30) + rng.sample(ends, 90):
        spoilt = bytearray(whole)
        spoilt[at] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        try:
            found = read_weights("junior", path)
        except EngineError as error:
            assert str(path) in str(error)
        else:
            assert all(np.isfinite(array).all() for array in brain_arrays(found.brain).values())


@pytest.mark.parametrize("other", ["duo", "trigon", "classic"])
def test_weights_of_another_variant(path: Path, other: str) -> None:
    with pytest.raises(EngineError, match=f"do not fit {other}: wrong .*pieces.*rows"):
        read_weights(other, path)


def test_weights_of_a_variant_alike() -> None:
    """Classic boards have the same shapes whatever the sides."""
    path = brains.FOLDER / "classic_2.npz"
    with pytest.raises(EngineError, match="do not fit classic: they have learned classic_2"):
        read_weights("classic", path)
    assert read_weights("classic", path, alike=True).variant_id == "classic_2"


@pytest.mark.parametrize("name", [None, "", "chess", ["junior"], 3, b"junior"])
def test_weights_of_no_variant(path: Path, name: Any) -> None:
    with pytest.raises(EngineError, match="do not say which variant"):
        read_weights("junior", changed(path, variant=None if name is None else np.array(name)))


@pytest.mark.parametrize("form", [None, FORM + 1, 0, "one", [FORM], 1.5, np.nan])
def test_weights_of_another_form(path: Path, form: Any) -> None:
    with pytest.raises(EngineError, match=f"not of form {FORM}"):
        read_weights("junior", changed(path, form=None if form is None else np.array(form)))


def test_arrays_that_are_missing_or_too_many(path: Path) -> None:
    with pytest.raises(EngineError, match=r"wrong more$"):
        read_weights("junior", changed(path, more=np.zeros(3)))
    with pytest.raises(EngineError, match=r"wrong hidden, noise$"):
        read_weights("junior", changed(path, more=None, hidden=None, noise=np.zeros(5)))


@pytest.mark.parametrize("kind", ["U3", "S2", "complex64", "int32", "bool", "M8[s]"])
def test_arrays_of_other_kinds(path: Path, kind: str) -> None:
    with pytest.raises(EngineError, match="wrong spread"):
        read_weights("junior", changed(path, spread=np.zeros(STAGES, kind)))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["rows", "places", "noise"])
def test_numbers_that_are_not_finite(path: Path, where: str, wrong: float) -> None:
    array = arrays_of(path)[where]
    array.reshape(-1)[-1] = wrong
    with pytest.raises(EngineError, match="not finite"):
        read_weights("junior", changed(path, **{where: array}))
