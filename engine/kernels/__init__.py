"""Every function compiled by Numba: arrays in and out, trusting their input.

Numba's cache does not notice an edit to a compiled function in another file, so the cache folder is named by a hash of
all kernel sources and of Numba's version, set here before Numba is imported.
"""

from engine.kernels._cache import choose_cache_folder

choose_cache_folder()
