"""XXH3-64 digests, which every data set of a file has.

The digests are computed by the Python module xxhash or, without it, by the library libxxhash,
which the program orrery needs too. Where neither is found, a warning says once that digests are
not compared.
"""
import ctypes
import ctypes.util
import functools
import warnings

import numpy as np


def _module():
    """The function of the Python module; None without the module."""
    try:
        from xxhash import xxh3_64_intdigest
    except ImportError:
        return None
    return xxh3_64_intdigest


def _library():
    """The function of the C library; None without the library."""
    name = ctypes.util.find_library("xxhash")
    try:
        function = ctypes.CDLL(name).XXH3_64bits if name else None
    except (OSError, AttributeError):
        return None
    if function is None:
        return None
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

    def digest(data):
        # An array on top of the data, nothing copied: it says where they stand.
        array = np.frombuffer(data, dtype=np.uint8)
        return function(array.ctypes.data if array.size else None, array.size)

    return digest


@functools.lru_cache(maxsize=None)
def _hash():
    function = _module() or _library()
    if function is None:
        warnings.warn(
            "neither the Python module xxhash nor the library libxxhash was found: digests are not "
            "compared, so damaged files are not recognised; install one of them (Debian: "
            "python3-xxhash or libxxhash0)", RuntimeWarning, stacklevel=2)
    return function


def digest_of_bytes(data):
    """XXH3-64 of bytes as an int; None if nothing here can compute it."""
    function = _hash()
    return None if function is None else function(data)


def digest_of_numbers(array):
    """The same of the values of an array as little-endian bytes, row by row."""
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return digest_of_bytes(array.reshape(-1).view("u1").data)


def digest_of_texts(texts):
    """The same of bytes strings, each followed by a zero byte."""
    return digest_of_bytes(b"".join(text + b"\0" for text in texts))


def to_hex(digest):
    """As files write a digest: 16 lower-case hexadecimal digits."""
    return f"{digest:016x}"
