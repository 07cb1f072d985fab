"""Samples into a file, by way of the program's own importer.

`orrery import` writes the file, so that its layout, digests and checks are the program's own, and
nothing of them is written a second time here. Bits and numbers go to it as an AnnData-like HDF5
file, which carries names and sparse matrices and loses no digit; categories as CSV.
"""
import csv
import os
import tempfile

import h5py
import numpy as np

from .errors import OrreryError
from .program import run
from .tables import table_of

ROWS_AT_ONCE = 1000


def write_samples(path, table, *, kind=None, names=None, row_names=None, missing=None, program=None,
                  echo=False):
    """Writes rows as a file of samples that every command of orrery reads. Needs the program.

    path       of the new file; a previous one is replaced when the new one is complete
    table      rows x variables: a numpy array (bool, integers, floats; strings for categories), a
               matrix of scipy.sparse, a pandas DataFrame (bool, 0/1, nullable, floats; categorical
               and strings for categories), or a Samples of read_samples
    kind       "binary", "numeric" or "categorical". None: bits if all values are 0 and 1, numbers if
               some have a fraction, categories if the columns are categorical or strings
    names      list of str: variables of an array or a sparse matrix; None: x0, x1, ...
    row_names  list of str; None: the index of a DataFrame, unless it counts from 0
    missing    a value that stands for a missing one; NaN, None, pandas.NA and masked values always do
    program    as of run
    echo       as of run; False: what the program says is not shown

    Categories stand in the order of the categorical type, else sorted; there are 2 to 64 of each
    variable. Returns what `orrery import --json` says: n_samples, n_observed, n_missing.
    Raises ValueError or TypeError, with row, column and value, if the table is of no kind or of
    several; OrreryError if the program is not found or refuses the table.
    """
    made = table_of(table, kind, names, row_names, missing)
    n, m = made.values.shape
    for what, given, length in (("names", made.names, m), ("row_names", made.row_names, n)):
        if given is not None and len(given) != length:
            raise ValueError(f"{what} has {len(given)} values, but the table has {length}")
    made.names = [str(name) for name in made.names] if made.names else [f"x{i}" for i in range(m)]
    if "" in made.names:
        raise ValueError(f"names: variable {made.names.index('')} has an empty name; give it one")
    write = _import_categories if made.kind == "categorical" else _import_matrix
    folder = os.path.dirname(os.path.abspath(os.fspath(path)))  # there is room for the result
    with tempfile.TemporaryDirectory(prefix=".orrery-table-", dir=folder) as scratch:
        try:
            return write(made, scratch, output=path, json=True, program=program, echo=echo)
        except OrreryError as error:
            error.message = error.message.replace(scratch + os.sep, "")  # gone when it is read
            raise


def _import_matrix(table, scratch, **options):
    source = os.path.join(scratch, "table.h5ad")
    with h5py.File(source, "w") as file:
        _write_matrix(file, table.values)
        for axis, names in (("var", table.names), ("obs", table.row_names)):
            if names is not None:
                group = file.create_group(axis)
                group.attrs["_index"] = "_index"
                group["_index"] = [str(name) for name in names]
    is_numeric = table.kind == "numeric"
    return run("import", source, format="hdf5", numeric=is_numeric,
               missing="nan" if is_numeric else "-1", **options)


def _write_matrix(file, values):
    if isinstance(values, np.ndarray):
        dataset = file.create_dataset("X", values.shape, values.dtype)
        for first in range(0, len(values), ROWS_AT_ONCE):  # small enough to be turned round in a cache
            dataset[first:first + ROWS_AT_ONCE] = np.ascontiguousarray(values[first:first + ROWS_AT_ONCE])
        return
    group = file.create_group("X")
    group.attrs["encoding-type"] = "csr_matrix"
    group.attrs["shape"] = values.shape
    for name in ("data", "indices", "indptr"):
        group[name] = getattr(values, name)


def _import_categories(table, scratch, **options):
    source, lists = os.path.join(scratch, "table.csv"), os.path.join(scratch, "categories.csv")
    with open(lists, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([name, *categories]
                                   for name, categories in zip(table.names, table.categories))
    words = [[*categories, ""] for categories in table.categories]  # code -1 is the last: missing
    with open(source, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        named = table.row_names is not None
        writer.writerow([""] * named + table.names)
        for number, codes in enumerate(table.values):
            cells = [of_column[code] for of_column, code in zip(words, codes)]
            writer.writerow(([table.row_names[number]] if named else []) + cells)
    return run("import", source, format="csv", categorical=True, categories=lists, header="yes",
               delimiter=",", index=None if table.row_names is not None else "none", **options)
