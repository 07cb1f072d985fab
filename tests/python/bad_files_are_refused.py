"""Files that are not orrery's, of another schema or kind, or damaged, are refused in clear words."""
import os
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy as np

import files
import orrery
from orrery import digest

READERS = {"read_samples": orrery.read_samples, "read_model": orrery.read_model,
           "read_posterior": orrery.read_posterior}


class BadFiles(unittest.TestCase):
    def refuses(self, reader, path, text):
        with self.assertRaisesRegex(orrery.FileError, text) as caught:
            READERS[reader](path)
        self.assertTrue(str(caught.exception).startswith(f"{path}: "), caught.exception)
        self.assertEqual(str(caught.exception).count("\n"), 0)

    def changed(self, path, change):
        """A copy of a file, changed through h5py."""
        shutil.copy(path, "changed.h5")
        with h5py.File("changed.h5", "r+") as file:
            change(file)
        return "changed.h5"

    def test_files_of_others(self):
        with open("table.csv", "w", encoding="utf-8") as file:
            file.write("a,b\n1,0\n")
        with h5py.File("other.h5", "w") as file:
            file["X"] = [[1, 0]]
        with h5py.File("format.h5", "w") as file:
            file.attrs.update({"format": "loom", "schema": np.uint32(1)})
        open("empty.h5", "wb").close()
        for reader in READERS:
            self.refuses(reader, "table.csv", "not an HDF5 file.*write_samples")
            self.refuses(reader, "other.h5", "not one of orrery's.*'format' and 'schema'.*import")
            self.refuses(reader, "format.h5", "its format is 'loom', not 'orrery'")
            self.refuses(reader, "empty.h5", "empty")
            with self.assertRaises(FileNotFoundError):
                READERS[reader]("nowhere.h5")

    def test_other_schemas(self):
        for schema, remedy in ((2, "newer package"), (0, "write the file anew")):
            def change(file):
                file.attrs["schema"] = np.uint32(schema)
            self.refuses("read_samples", self.changed(files.data_of("tree"), change),
                         f"schema {schema}, this package reads schema 1; .*{remedy}")

    def test_other_kinds(self):
        files.orrery("infer", files.model_of("tree"), files.data_of("tree"), "-o", "posterior.h5")
        files.orrery("import", "--numeric", "numbers.csv", "-o", "numbers.h5")
        self.refuses("read_samples", files.model_of("tree"), "holds /tree, but read_samples reads "
                     "/samples, /dense, /categorical; use read_model")
        self.refuses("read_samples", "posterior.h5", "holds /prediction, .*use read_posterior")
        self.refuses("read_model", "numbers.h5", "holds /dense, .*use read_samples")
        self.refuses("read_posterior", files.data_of("tree"), "use read_model or read_samples")

    def setUp(self):
        with open("numbers.csv", "w", encoding="utf-8") as file:
            file.write("a,b\n1.5,0\n2.5,1\n")

    def test_every_damaged_dataset_is_found(self):
        """One bit of one value of each data set of each file."""
        files.orrery("infer", files.model_of("noisy_or"), files.data_of("noisy_or"), "-o", "posterior.h5")
        files.orrery("infer", files.model_of("tree"), files.data_of("tree"), "-o", "prediction.h5")
        files.orrery("import", "--numeric", "numbers.csv", "-o", "numbers.h5")
        with open("rows.csv", "w", encoding="utf-8") as file:
            file.write(",a,b\nr1,1,0\nr2,,1\n")
        files.orrery("import", "rows.csv", "-o", "rows.h5")
        unread = {"present", "mean", "sd", "min", "max"}  # of /dense: they follow from the values
        n = 0
        for reader, path in (("read_samples", "rows.h5"), ("read_samples", "numbers.h5"),
                             ("read_samples", files.data_of("categorical")),
                             ("read_model", files.model_of("noisy_or")), ("read_model", files.model_of("anchored")),
                             ("read_model", files.model_of("tree")), ("read_model", files.model_of("linear")),
                             ("read_model", files.model_of("categorical")),
                             ("read_posterior", "posterior.h5"), ("read_posterior", "prediction.h5")):
            for name in self.datasets(path):
                if name.split("/")[0] in ("run", *self.not_of(reader)) or \
                        (name.startswith("dense/") and name.split("/")[-1] in unread):
                    continue
                with self.subTest(path=path, name=name):
                    self.refuses(reader, self.changed(path, lambda file: self.flip(file[name])),
                                 "digest of .*/.* is [0-9a-f]{16}, but its values give [0-9a-f]{16}; the file "
                                 "is damaged|block .*digest")
                n += 1
        self.assertGreater(n, 60)

    def not_of(self, reader):
        """Groups of a file that this reader leaves alone: the true network beside samples."""
        return ("categorical_network", "linear", "tree", "model") if reader == "read_samples" else ()

    def datasets(self, path):
        found = []
        with h5py.File(path, "r") as file:
            file.visititems(lambda name, item: found.append(name)
                            if isinstance(item, h5py.Dataset) and item.size else None)
        return found

    def flip(self, dataset):
        """The lowest bit of the last byte that is not a letter's padding."""
        values = dataset[()]
        if dataset.dtype.kind == "S":
            flat = values.reshape(-1)
            flat[0] = bytes([flat[0][0] ^ 1]) + flat[0][1:]
            dataset[...] = values
            return
        raw = bytearray(values.tobytes())
        raw[0] ^= 1
        dataset[...] = np.frombuffer(bytes(raw), values.dtype).reshape(values.shape)

    def test_digests_of_groups(self):
        def rename(file):
            file["samples"].attrs["digest"] = np.bytes_(b"0123456789abcdef")
        self.refuses("read_samples", self.changed(files.data_of("tree"), rename),
                     "digest of /samples is 0123456789abcdef")

    def test_truncated_files(self):
        with open(files.data_of("noisy_or"), "rb") as file:
            content = file.read()
        for size in (20, 100, len(content) // 2, len(content) - 1):
            with open("cut.h5", "wb") as file:
                file.write(content[:size])
            self.refuses("read_samples", "cut.h5", "damaged or truncated")

    def test_without_a_dataset(self):
        def delete(file):
            del file["tree/edges/moment"]
        self.refuses("read_model", self.changed(files.model_of("tree"), delete), "no /tree/edges/moment")

    def test_digests_are_those_of_xxhash(self):
        """Test vectors of xxHash 0.8: XXH3-64, seed 0."""
        for function in (digest._library(), digest._module()):
            if function is not None:
                self.assertEqual(function(b""), 0x2D06800538D394C2)
                self.assertEqual(function(b"a"), 0xE6C632B61E964E1F)
        self.assertEqual(digest.digest_of_texts([b"a", b""]), digest.digest_of_bytes(b"a\0\0"))
        big = np.arange(6, dtype=">u4").reshape(2, 3).T
        self.assertEqual(digest.digest_of_numbers(big),
                         digest.digest_of_bytes(np.ascontiguousarray(big).astype("<u4").tobytes()))

    def test_without_a_library_a_warning_says_so(self):
        """And the file is read all the same."""
        path = os.path.abspath(files.data_of("tree"))
        program = ("import warnings, sys; sys.modules['xxhash'] = None\n"
                   "import ctypes.util; ctypes.util.find_library = lambda name: None\n"
                   "import orrery\n"
                   "with warnings.catch_warnings(record=True) as caught:\n"
                   "    warnings.simplefilter('always')\n"
                   f"    read = orrery.read_samples({path!r}), orrery.read_samples({path!r})\n"
                   "print(read[0].shape, *(w.message for w in caught), len(caught))")
        done = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, encoding="utf-8")
        self.assertRegex(done.stdout, r"\(1000, 12\) neither .* digests are not compared.* 1$")


if __name__ == "__main__":
    unittest.main()
