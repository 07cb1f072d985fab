"""A file of schema 1: opened, checked, and its groups read with their digests compared."""
import contextlib
import os

import h5py
import numpy as np

from . import digest as digests
from .errors import FileError

SCHEMA = 1
SIGNATURE = b"\x89HDF\r\n\x1a\n"
DAMAGED = "the file is damaged: restore a copy or write it anew"

# What reads each group.
READERS = {
    "samples": "read_samples", "dense": "read_samples", "categorical": "read_samples",
    "model": "read_model", "anchored": "read_model", "tree": "read_model", "linear": "read_model",
    "categorical_network": "read_model",
    "posterior": "read_posterior", "prediction": "read_posterior",
}


@contextlib.contextmanager
def stored_file(path):
    """The file at `path` as a StoredFile, closed at the end. Raises FileError, which names the path.

    FileNotFoundError and PermissionError pass as they are.
    """
    path = os.fspath(path)
    _require_hdf5(path)
    try:
        with h5py.File(path, "r") as file:
            yield StoredFile(file)
    except (FileNotFoundError, PermissionError):
        raise
    except FileError as error:
        raise FileError(f"{path}: {error.message}") from None
    except (OSError, KeyError, IndexError, RuntimeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: the file is damaged or truncated ({error}); restore a copy or "
                        "write it anew") from error


def _require_hdf5(path):
    with open(path, "rb") as file:
        begin = file.read(len(SIGNATURE))
    if begin == SIGNATURE:
        return
    if not begin:
        raise FileError(f"{path}: the file is empty, not HDF5; write it anew")
    raise FileError(f"{path}: not an HDF5 file: it begins with {begin!r}; if it is a table, make a "
                    "file of it with write_samples, or with run('import', ...)")


class StoredFile:
    """An open file of which format and schema are right."""

    def __init__(self, file):
        self._file = file
        if "format" not in file.attrs or "schema" not in file.attrs:
            raise FileError("an HDF5 file, but not one of orrery's (no attributes 'format' and "
                            "'schema'); run('import', ...) reads tables of other HDF5 files")
        kind = _text(file.attrs["format"])
        if kind != "orrery":
            raise FileError(f"an HDF5 file, but its format is {kind!r}, not 'orrery'; "
                            "run('import', ...) reads tables of other HDF5 files")
        schema = int(file.attrs["schema"])
        if schema != SCHEMA:
            remedy = "install a newer package" if schema > SCHEMA else "write the file anew"
            raise FileError(f"the file has schema {schema}, this package reads schema {SCHEMA}; {remedy}")

    def first_of(self, names, reader):
        """The Group of the first of these names that the file holds. Raises FileError otherwise."""
        for name in names:
            if name in self._file:
                return Group(self._file[name])
        held = [name for name in self._file if name != "run"]
        remedies = sorted({READERS[name] for name in held if name in READERS})
        raise FileError(
            f"the file holds {', '.join('/' + name for name in held) or 'nothing'}, but {reader} "
            f"reads {', '.join('/' + name for name in names)}; "
            + (f"use {' or '.join(remedies)}" if remedies else "give a file that holds one of them"))


class Group:
    """A group whose data sets are compared with their digests as they are read."""

    def __init__(self, group):
        self._group = group
        self.path = group.name
        self.name = group.name.rsplit("/", 1)[-1]

    def __contains__(self, name):
        return name in self._group

    def group(self, name):
        """The Group below this one."""
        return Group(self._group[name])

    def dataset(self, name):
        """The h5py data set, of which nothing is compared. Raises FileError if there is none."""
        if name not in self._group:
            raise FileError(f"there is no {self.path}/{name}; write the file anew")
        return self._group[name]

    def attribute(self, name, default=None):
        """A str, int or float; `default` if there is none."""
        value = self._group.attrs.get(name, default)
        if isinstance(value, (bytes, np.bytes_, str)):
            return _text(value)
        return value.item() if isinstance(value, np.generic) else value

    def numbers(self, name, shape=None):
        """The values as an array. Raises FileError if a given shape is not theirs."""
        dataset = self.dataset(name)
        if shape is not None and dataset.shape != tuple(shape):
            raise FileError(f"{self.path}/{name} is {_times(dataset.shape)}, but must be "
                            f"{_times(shape)}; {DAMAGED}")
        values = dataset[()]
        self.require_digest(name, digests.digest_of_numbers(values))
        return values

    def optional_numbers(self, name, shape=None):
        """The same; None if there is no such data set."""
        return self.numbers(name, shape) if name in self else None

    def texts(self, name):
        """The strings of a data set as a list of str."""
        values = [bytes(value).rstrip(b"\0") for value in self.dataset(name)[()]]
        self.require_digest(name, digests.digest_of_texts(values))
        return [value.decode("utf-8") for value in values]

    def optional_texts(self, name):
        """The same; None if there is no such data set."""
        return self.texts(name) if name in self else None

    def lists(self, lengths, values):
        """Lists that are stored one after another: of str if they are texts, else of arrays."""
        ends = np.cumsum(self.numbers(lengths), dtype=np.int64)
        is_text = self.dataset(values).dtype.kind == "S"
        flat = self.texts(values) if is_text else self.numbers(values)
        if (int(ends[-1]) if ends.size else 0) != len(flat):
            raise FileError(f"{self.path}/{values} has {len(flat)} values, but {lengths} says "
                            f"{ends[-1] if ends.size else 0}; {DAMAGED}")
        begins = [0, *ends[:-1]]
        return [flat[begin:end] for begin, end in zip(begins, ends)]

    def stored_digest(self, name=None):
        """What the file says of a data set, or of the group itself."""
        attributes = self._group.attrs if name is None else self._group[name].attrs
        return _text(attributes["digest"])

    def require_digest(self, name, computed):
        """Raises FileError if the digest that the file states is another than the computed one.

        `name` None: of the group itself. A computed digest of None was not computed.
        """
        if computed is None:
            return
        stored = self.stored_digest(name)
        if stored != digests.to_hex(computed):
            place = self.path if name is None else f"{self.path}/{name}"
            raise FileError(f"the digest of {place} is {stored}, but its values give "
                            f"{digests.to_hex(computed)}; {DAMAGED}")


def _text(value):
    if isinstance(value, (bytes, np.bytes_)):
        return bytes(value).rstrip(b"\0").decode("utf-8")
    return str(value)


def _times(shape):
    return " x ".join(str(extent) for extent in shape)
