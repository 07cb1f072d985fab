"""Samples, which are bits, numbers or categories, as arrays, data frames and sparse matrices."""
import dataclasses
from typing import Any, List, Optional

import numpy as np

from . import digest as digests
from .errors import FileError
from .stored_file import DAMAGED, stored_file

KINDS = {"samples": "binary", "dense": "numeric", "categorical": "categorical"}
FORMS = ("numpy", "pandas", "scipy")
MISSING_CODE = 255


@dataclasses.dataclass
class Samples:
    """Rows of a file.

    kind        "binary", "numeric" or "categorical"
    values      n_samples x n_variables; a numpy array or, as read with as_="scipy", a CSR matrix
                binary: uint8 of 0 and 1; int8 with -1 where a value is missing, if one is missing;
                in memory column by column, as the file has them
                numeric: float64, NaN where a value is missing
                categorical: int8, the place of the value in `categories`, -1 where it is missing
    names       list of str: the variables
    row_names   list of str, or None if rows have no names
    categories  list of lists of str, one for each variable; None if the samples have no categories
    digest      16 hexadecimal digits, as models refer to their data; None if they come from no file
    """

    kind: str
    values: Any
    names: List[str]
    row_names: Optional[List[str]] = None
    categories: Optional[List[List[str]]] = None
    digest: Optional[str] = None

    @property
    def shape(self):
        """(n_samples, n_variables)"""
        return self.values.shape

    @property
    def missing(self):
        """n_samples x n_variables, bool: where a value is missing."""
        values = self.values if isinstance(self.values, np.ndarray) else self.values.toarray()
        if self.kind == "numeric":
            return np.isnan(values)
        return values < 0

    def to_pandas(self):
        """A DataFrame: a column for each variable, row names as its index.

        Its columns are bool (boolean with pandas.NA if a value is missing), float64, or categorical.
        attrs["digest"] is the digest. Raises ImportError without pandas.
        """
        import pandas

        values = self.values if isinstance(self.values, np.ndarray) else self.values.toarray()
        if self.kind == "categorical":
            columns = [pandas.Categorical.from_codes(values[:, i], categories)
                       for i, categories in enumerate(self.categories)]
            frame = pandas.DataFrame(dict(enumerate(columns)), index=self.row_names)
        elif self.kind == "binary" and (values < 0).any():
            columns = [pandas.arrays.BooleanArray(column > 0, column < 0) for column in values.T]
            frame = pandas.DataFrame(dict(enumerate(columns)), index=self.row_names)
        else:
            values = values.astype(bool) if self.kind == "binary" else values  # keeps the order
            frame = pandas.DataFrame(values, index=self.row_names)
        frame.columns = self.names
        frame.attrs["digest"] = self.digest
        return frame


def read_samples(path, as_="numpy"):
    """The samples of a file: what `orrery import` and `orrery sample` write.

    path  of a file with /samples (bits), /dense (numbers) or /categorical (categories)
    as_   "numpy": a Samples with an array
          "pandas": a DataFrame, see Samples.to_pandas
          "scipy": a Samples with a CSR matrix, of which a missing bit is a stored -1; never of
          categories

    Every digest is compared. Bits are unpacked in blocks of at most 65,536 rows. Raises FileError if
    the file is not orrery's, has another schema, holds no samples (a model is named), or is damaged;
    ValueError for another `as_`; ImportError if pandas or scipy is needed and not installed.
    """
    if as_ not in FORMS:
        raise ValueError(f"as_ = {as_!r}: one of {', '.join(map(repr, FORMS))} is needed")
    with stored_file(path) as file:
        group = file.first_of(list(KINDS), "read_samples")
        kind = KINDS[group.name]
        if kind == "categorical" and as_ == "scipy":
            raise FileError("the file holds categories, of which there is no sparse matrix; read it "
                            "with as_='pandas' or as_='numpy'")
        reader = {"binary": _read_bits, "numeric": _read_numbers, "categorical": _read_codes}[kind]
        samples = reader(group, as_ == "scipy")
        samples.row_names = group.optional_texts("row_names")
    return samples.to_pandas() if as_ == "pandas" else samples


def _as_matrix(blocks, shape, dtype, sparse, order="C"):
    """Blocks of rows as one array or as one CSR matrix. `order` is that of the blocks."""
    if not sparse:
        values = np.empty(shape, dtype, order)
        first = 0
        for block in blocks:
            values[first:first + len(block)] = block
            first += len(block)
        return values
    from scipy.sparse import csr_matrix, vstack

    parts = [csr_matrix(block.T).T if order == "F" else csr_matrix(block) for block in blocks]
    return vstack(parts, format="csr", dtype=dtype) if parts else csr_matrix(shape, dtype=dtype)


def _group_digest(parts):
    if any(part is None for part in parts):
        return None
    return digests.digest_of_numbers(np.array(parts, dtype="<u8"))


# ------------------------------------------------------------------------------------------- bits


def _read_bits(group, sparse):
    n, m = group.attribute("n_samples"), group.attribute("n_observed")
    names = group.texts("names")
    has_missing = "missing" in group
    sources = [_BitBlocks(group, "bits", "block_digests", n, m)]
    if has_missing:
        sources.append(_BitBlocks(group, "missing", "missing_block_digests", n, m))
    stated = [source.digest for source in sources] + [0] * (2 - len(sources))
    group.require_digest(None, _group_digest([n, m, *stated, digests.digest_of_texts(
        [name.encode("utf-8") for name in names])]))

    def blocks():
        for number in range(sources[0].n_blocks):
            values = sources[0].read(number)
            if has_missing:  # 0 or 1, less 1 where the bit is 0 and missing
                values = values.view(np.int8) - sources[1].read(number).view(np.int8)
            yield values.T

    dtype = np.int8 if has_missing else np.uint8
    return Samples("binary", _as_matrix(blocks(), (n, m), dtype, sparse, "F"), names,
                   digest=group.stored_digest())


def block_rows_of_bits(m):
    """Rows in a block of bits of m variables: what digests and chunks are made of."""
    return 64 * max(1, min(1024, 1 << max(0, (4_194_304 // max(1, m)).bit_length() - 1)))


class _BitBlocks:
    """A matrix of bits, a block of rows at a time. Bit i of word w of row c is variable c in sample
    64 w + i."""

    def __init__(self, group, name, digests_name, n, m):
        self._group, self._name, self._n = group, name, n
        self._dataset = group.dataset(name)
        if self._dataset.shape != (m, -(-n // 64)):
            raise FileError(f"{group.path}/{name} is {self._dataset.shape}, but must be "
                            f"{(m, -(-n // 64))}; {DAMAGED}")
        self._rows = block_rows_of_bits(m)
        self.n_blocks = -(-n // self._rows)
        self._block_digests = group.numbers(digests_name, (self.n_blocks,))
        self.digest = digests.digest_of_numbers(self._block_digests)
        group.require_digest(name, self.digest)

    def read(self, number):
        """m x rows, uint8."""
        first = number * self._rows
        n_rows = min(self._rows, self._n - first)
        words = self._dataset[:, first // 64:(first + n_rows + 63) // 64].astype("<u8", copy=False)
        _require_block(self._group, self._name, number, self._block_digests, words)
        return np.unpackbits(np.ascontiguousarray(words).view("u1"), axis=1,
                             bitorder="little")[:, :n_rows]


def _require_block(group, name, number, block_digests, values):
    computed = digests.digest_of_numbers(values)
    if computed is not None and computed != int(block_digests[number]):
        raise FileError(f"the digest of block {number} of {group.path}/{name} is "
                        f"{digests.to_hex(int(block_digests[number]))}, but its values give "
                        f"{digests.to_hex(computed)}; {DAMAGED}")


# --------------------------------------------------------------------------- numbers and categories


def _read_numbers(group, sparse):
    n, m = group.attribute("n_samples"), group.attribute("n_columns")
    names = group.texts("names")
    dataset = group.dataset("values")
    if dataset.shape != (n, m):
        raise FileError(f"{group.path}/values is {dataset.shape}, but must be {(n, m)}; {DAMAGED}")
    rows = min(max(262_144 // max(1, m), 16), 16_384)
    block_digests = group.numbers("block_digests", (-(-n // rows),))
    digest = digests.digest_of_numbers(block_digests)
    group.require_digest("values", digest)
    group.require_digest(None, _group_digest([n, m, digest, digests.digest_of_texts(
        [name.encode("utf-8") for name in names])]))

    def blocks():
        for number in range(len(block_digests)):
            values = dataset[number * rows:(number + 1) * rows]
            _require_block(group, "values", number, block_digests, values)
            yield values

    return Samples("numeric", _as_matrix(blocks(), (n, m), np.float64, sparse), names,
                   digest=group.stored_digest())


def _read_codes(group, _sparse):
    n, m = group.attribute("n_samples"), group.attribute("n_columns")
    names = group.texts("names")
    codes = group.numbers("codes", (n, m))
    categories = group.lists("n_categories", "category")
    flat = [category for of_column in categories for category in of_column]
    group.require_digest(None, _group_digest([
        n, m, digests.digest_of_numbers(codes),
        digests.digest_of_texts([name.encode("utf-8") for name in names]),
        digests.digest_of_numbers(np.array([len(of_column) for of_column in categories], "<u4")),
        digests.digest_of_texts([category.encode("utf-8") for category in flat])]))
    values = np.where(codes == MISSING_CODE, -1, codes.astype(np.int16)).astype(np.int8)
    return Samples("categorical", values, names, categories=categories, digest=group.stored_digest())
