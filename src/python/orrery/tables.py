"""What write_samples is given, as one of three kinds of tables: bits, numbers or categories."""
import dataclasses
import numbers
import sys
from typing import Any, List, Optional

import numpy as np

from .samples import KINDS, Samples

ALL_KINDS = tuple(KINDS.values())


@dataclasses.dataclass
class Table:
    """kind, and values as Samples has them: bits int8 with -1, numbers float64 with NaN (arrays or CSR
    matrices), categories as codes with -1. Names are None where the caller gave none."""

    kind: str
    values: Any
    names: Optional[List[str]]
    row_names: Optional[List[str]]
    categories: Optional[List[List[str]]] = None


def table_of(data, kind, names, row_names, missing):
    """The Table of an array, a matrix of scipy.sparse, a DataFrame or a Samples.

    Raises ValueError or TypeError for what cannot be one table of one kind.
    """
    if kind is not None and kind not in ALL_KINDS:
        raise ValueError(f"kind = {kind!r}: one of {', '.join(map(repr, ALL_KINDS))} is needed, or None")
    if isinstance(data, Samples):
        if kind not in (None, data.kind):
            raise ValueError(f"kind = {kind!r}, but the samples are {data.kind}; leave kind out")
        return Table(data.kind, data.values, names or data.names, row_names or data.row_names,
                     data.categories)
    if _is_of(data, "pandas", "DataFrame"):
        return _of_frame(data, kind, names, row_names, missing)
    if _is_of(data, "scipy.sparse", "issparse"):
        return _of_sparse(data, kind, names, row_names, missing)
    return _of_array(data, kind, names, row_names, missing)


def _is_of(data, module, name):
    """Asked without importing what is not there: data of a module exist only if it is imported."""
    known = getattr(sys.modules.get(module), name, None)
    if known is None:
        return False
    return isinstance(data, known) if isinstance(known, type) else bool(known(data))


def _of_array(data, kind, names, row_names, missing):
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    array = np.asarray(data)
    if array.ndim != 2:
        raise ValueError(f"the table has {array.ndim} dimensions; 2 are needed: rows and variables")
    if array.dtype == object and kind != "categorical" and all(_is_number(v) for v in array.flat):
        array = array.astype(np.float64)
    if kind == "categorical" or array.dtype.kind not in "biuf":
        if kind not in (None, "categorical"):
            raise TypeError(f"kind = {kind!r}, but an array of {array.dtype} does not hold numbers alone; "
                            "give bool, integers or floats, or kind='categorical'")
        coded = [_codes_of(column, missing) for column in array.T]
        return Table("categorical", _columns([codes for codes, _ in coded], array.shape), names, row_names,
                     [categories for _, categories in coded])
    kind, values = _bits_or_numbers(
        array, kind, missing, lambda r, c: (r, c, f"x{c}" if names is None else names[c]))
    return Table(kind, values, names, row_names)


def _is_number(value):
    """None counts: a missing one."""
    return value is None or isinstance(value, (numbers.Real, np.bool_))


def _columns(columns, shape):
    return np.array(columns, dtype=np.int16).reshape(shape[1], shape[0]).T


def _of_sparse(data, kind, names, row_names, missing):
    if kind == "categorical":
        raise TypeError("a sparse matrix holds no categories; give an array or a DataFrame")
    matrix = data.tocsr().copy()
    matrix.sum_duplicates()
    if matrix.dtype.kind not in "biuf":
        raise TypeError(f"a sparse matrix of {matrix.dtype}; bool, integers or floats are needed")

    def place_of(_row, stored):
        row = np.searchsorted(matrix.indptr, stored, side="right") - 1
        column = matrix.indices[stored]
        return row, column, f"x{column}" if names is None else names[column]

    kind, values = _bits_or_numbers(matrix.data[None, :], kind, missing, place_of)
    matrix = type(matrix)((values[0], matrix.indices, matrix.indptr), shape=matrix.shape)
    return Table(kind, matrix, names, row_names)


# --------------------------------------------------------------------------------- bits and numbers


def _bits_or_numbers(array, kind, missing, place_of):
    """(kind, values). Without a kind: bits if all values are 0 and 1; numbers if one has a fraction.

    place_of  of a row and column of the array: row, column and name as messages tell them
    """
    is_missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.shape, bool)
    if missing is not None:
        is_missing |= array == missing
    if kind == "numeric":
        return kind, np.where(is_missing, np.nan, array).astype(np.float64)
    is_bit = is_missing | (array == 0) | (array == 1)
    if is_bit.all():
        return "binary", np.where(is_missing, -1, array).astype(np.int8)
    row, column = np.argwhere(~is_bit)[0]
    place = "row {}, column {} ({})".format(*place_of(row, column))
    if kind == "binary":
        raise ValueError(f"{place}: {array[row, column]} is neither 0 nor 1; correct it, or name it as "
                         f"missing with missing={array[row, column]}")
    others = array[~is_bit]
    if array.dtype.kind != "f" or (np.isfinite(others) & (others == np.floor(others))).all():
        raise ValueError(f"{place}: {array[row, column]} is neither 0 nor 1, but all values are whole "
                         "numbers: say what they are with kind='numeric' (counts, measurements), "
                         "kind='categorical' (codes), or missing=VALUE")
    return "numeric", np.where(is_missing, np.nan, array).astype(np.float64)


# ------------------------------------------------------------------------------------------- frames


def _of_frame(frame, kind, names, row_names, missing):
    import pandas

    if names is not None:
        raise ValueError("names: a DataFrame's columns have names; leave names out, or rename the columns")
    names = [str(name) for name in frame.columns]
    if row_names is None and not isinstance(frame.index, pandas.RangeIndex):
        row_names = [str(name) for name in frame.index]
    if frame.shape[1] == 0:
        raise ValueError("the DataFrame has no columns; give at least one")
    columns = [frame.iloc[:, i] for i in range(frame.shape[1])]
    textual = [_is_textual(column) for column in columns]
    if kind is None and any(textual) and not all(textual):
        raise ValueError(f"column {names[textual.index(True)]!r} holds categories and column "
                         f"{names[textual.index(False)]!r} numbers, and a file holds one kind; choose "
                         "columns, or make all of them categories with kind='categorical'")
    if kind == "categorical" or (kind is None and all(textual)):
        coded = [_codes_of_series(column, missing) for column in columns]
        return Table("categorical", _columns([codes for codes, _ in coded], frame.shape), names, row_names,
                     [categories for _, categories in coded])
    if any(textual):
        raise ValueError(f"column {names[textual.index(True)]!r} holds no numbers, but kind = {kind!r}; "
                         "leave the column out, or make numbers of it")
    values = np.column_stack([_numbers_of(column) for column in columns])
    kind, values = _bits_or_numbers(values, kind, missing, lambda r, c: (r, c, names[c]))
    return Table(kind, values, names, row_names)


def _is_textual(column):
    """Categories or strings; of a column of objects what its values are decides."""
    import pandas

    if isinstance(column.dtype, pandas.CategoricalDtype):
        return True
    kinds = ("boolean", "integer", "floating", "mixed-integer-float", "decimal", "empty")
    return pandas.api.types.infer_dtype(column, skipna=True) not in kinds


def _numbers_of(column):
    if column.dtype.kind in "biuf" and isinstance(column.dtype, np.dtype):
        return column.to_numpy()
    return column.astype("object").where(column.notna(), np.nan).to_numpy(dtype=np.float64)


def _codes_of_series(column, missing):
    """Categories in the order of the type or, without one, sorted."""
    import pandas

    if isinstance(column.dtype, pandas.CategoricalDtype):
        codes = column.cat.codes.to_numpy().astype(np.int16)
        categories = list(column.cat.categories)
        if missing in categories:
            codes[codes == categories.index(missing)] = -1
        return codes, [_word(category) for category in categories]
    return _codes_of(column.astype("object").where(column.notna(), None).to_numpy(), missing)


def _codes_of(values, missing):
    """Places in the sorted list of the values; -1 for None, NaN and `missing`."""
    gone = [value is None or value != value or (missing is not None and value == missing) for value in values]
    found = {value for value, is_gone in zip(values.tolist(), gone) if not is_gone}
    try:
        ordered = sorted(found)
    except TypeError:
        ordered = sorted(found, key=str)
    place = {value: code for code, value in enumerate(ordered)}
    codes = [-1 if is_gone else place[value] for value, is_gone in zip(values.tolist(), gone)]
    return np.array(codes, dtype=np.int16), [_word(value) for value in ordered]


def _word(value):
    """A category as a file has it: 2.0, as pandas makes of codes beside missing values, is 2."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
