"""The decorators of kernels: called from Python, called from kernels only, inlined.

All are compiled without the GIL and without Numba's reference counting. Kernels get a dozen arrays in tuples and make
none; counting the references to each of them at every call costs a microsecond, several times the work of a call.
Without it a kernel cannot allocate: Numba refuses to compile that.

A number written out as an argument, also by the name of a constant, is a type of its own to Numba: the function is
compiled once more for it. ``np.int64(NOBODY)`` is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _compiled(**options: Any) -> Callable[[_Function], _Function]:
    decorator: Any = njit
    return decorator(cache=True, nogil=True, _nrt=False, **options)


kernel = _compiled()
"""A kernel that Python calls."""

inner = _compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""A kernel that only kernels call (Python crashes with it): saves compiling what unpacks Python's arguments."""

leaf = _compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""A few lines that other kernels use often, compiled once and inlined as machine code."""

part = _compiled(inline="always")
"""A part of one algorithm, inlined as source before types are known: passing the tables of a game at every call would
cost more than its work, and compiling it alone as well would double the time that takes."""
