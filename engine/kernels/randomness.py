"""Seeded random numbers: SplitMix64, by Steele, Lea and Flood (2014).

A stream is one ``uint64`` in an array: it grows by a constant at every draw, and the draw is a hash of it. So streams
that start anywhere are unrelated for our purposes, and start at once: one for every (seed, number), whoever asks for
it and in whatever order. Only integers are used: the same draws on every machine.
"""

from __future__ import annotations

import numpy as np

from engine.geometry import U64
from engine.kernels.compile import part

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@part
def mix(word: np.uint64) -> np.uint64:
    """A hash of a ``uint64`` that maps no two to the same."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@part
def start_stream(stream: U64, seed: np.uint64, number: np.uint64) -> None:
    """Set a stream, ``(1,) uint64``, to the beginning of stream `number` of a seed, both ``uint64``."""
    stream[0] = mix(mix(seed) + number)


@part
def draw(stream: U64) -> np.uint64:
    """The next ``uint64`` of a stream."""
    stream[0] += _STEP
    return mix(stream[0])


@part
def draw_below(stream: U64, n: int) -> np.int64:
    """A number from 0 to n - 1, all equally likely; n from 1 to 2**31.

    The upper half of a product of 32-bit numbers (Lemire 2019); the few that would favour some numbers are drawn again.
    """
    wide = np.uint64(n)
    product = (draw(stream) >> _32) * wide
    if product & _LOW < wide:
        unfair = (_LOW + np.uint64(1)) % wide
        while product & _LOW < unfair:
            product = (draw(stream) >> _32) * wide
    return np.int64(product >> _32)
