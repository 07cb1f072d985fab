"""write_samples of arrays, frames and sparse matrices: the program reads and exports what was given."""
import datetime
import json
import os
import unittest

import numpy as np
import pandas as pd
import scipy.sparse

import files
import orrery


def exported(path):
    """Lists of cells, the header first."""
    return files.exported_csv(path, "--rows")


class Tables(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)
        self.bits = self.rng.integers(0, 2, (100, 5))

    def tearDown(self):
        self.assertEqual([name for name in os.listdir() if name.startswith(".orrery")], [])

    def written(self, table, **options):
        told = orrery.write_samples("table.h5", table, **options)
        read = orrery.read_samples("table.h5")
        self.assertEqual((told["n_samples"], told["n_observed"]), table.shape)
        self.assertEqual(told["n_missing"], read.missing.sum())
        return read

    def test_arrays_of_bits(self):
        for dtype, order in ((bool, "C"), ("i1", "C"), ("u2", "F"), ("i8", "C"), ("f4", "F"), (object, "C")):
            read = self.written(np.array(self.bits, dtype=dtype, order=order))
            self.assertEqual((read.kind, read.names), ("binary", ["x0", "x1", "x2", "x3", "x4"]))
            np.testing.assert_array_equal(read.values, self.bits)
        told = json.loads(files.orrery("info", "table.h5", "--json"))
        self.assertEqual(told["schema"], 1)
        self.assertEqual(exported("table.h5")[1:], self.bits.astype(str).tolist())

    def test_missing_bits(self):
        gone = self.rng.random(self.bits.shape) < 0.1
        wanted = np.where(gone, -1, self.bits)
        objects = self.bits.astype(object)
        objects[gone] = None
        for table, options in ((np.where(gone, np.nan, self.bits), {}), (np.ma.array(self.bits, mask=gone), {}),
                               (np.where(gone, 9, self.bits), {"missing": 9}), (objects, {})):
            read = self.written(table, **options)
            np.testing.assert_array_equal(read.values, wanted)
        self.assertEqual(exported("table.h5")[1:], np.where(gone, "", self.bits.astype(str)).tolist())

    def test_names(self):
        names = ["a,b", 'c"d', "é", "x y", "5"]
        rows = [f"row, {i}" for i in range(100)]
        for table in (self.bits, scipy.sparse.csr_matrix(self.bits)):
            read = self.written(table, names=names, row_names=rows)
            self.assertEqual((read.names, read.row_names), (names, rows))
        header, *cells = exported("table.h5")
        self.assertEqual((header, [row[0] for row in cells]), (["", *names], rows))

    def test_numbers(self):
        values = self.rng.normal(size=(100, 5)) * 10.0 ** self.rng.integers(-30, 30, (100, 5))
        values[3, 2] = np.nan
        read = self.written(values)
        self.assertEqual(read.kind, "numeric")
        np.testing.assert_array_equal(read.values, values)
        self.assertEqual(exported("table.h5")[4][2], "")
        self.written(values.astype("f4"))
        read = self.written(self.bits, kind="numeric")
        np.testing.assert_array_equal(read.values, self.bits.astype(float))
        read = self.written(self.bits * 7, kind="numeric", missing=7)
        np.testing.assert_array_equal(np.isnan(read.values), self.bits == 1)

    def test_frames_of_bits(self):
        frame = pd.DataFrame({
            "bool": self.bits[:, 0] > 0, "int": self.bits[:, 1], "float": self.bits[:, 2] / 1.0,
            "nullable": pd.array(self.bits[:, 3] > 0, dtype="boolean"),
            "Int64": pd.array(self.bits[:, 4], dtype="Int64"),
        }, index=[f"p{i}" for i in range(100)])
        frame["object"] = pd.Series([True, None] * 50, index=frame.index, dtype=object)
        frame.loc["p3", ["float", "nullable", "Int64"]] = [np.nan, pd.NA, pd.NA]
        read = self.written(frame)
        self.assertEqual((read.kind, read.names), ("binary", list(frame)))
        self.assertEqual(read.row_names, list(frame.index))
        np.testing.assert_array_equal(read.missing, frame.isna())
        np.testing.assert_array_equal(read.values[:, :5][4:], self.bits[4:])
        back = orrery.read_samples("table.h5", as_="pandas")
        orrery.write_samples("again.h5", back)
        self.assertEqual(orrery.read_samples("again.h5").digest, read.digest)

    def test_frames_of_numbers(self):
        frame = pd.DataFrame({"a": self.rng.normal(size=100), "count": self.rng.integers(0, 9, 100),
                              "nullable": pd.array(self.rng.normal(size=100), dtype="Float64")})
        frame.loc[5, "nullable"] = pd.NA
        read = self.written(frame)
        self.assertEqual(read.kind, "numeric")
        np.testing.assert_array_equal(read.values, frame.to_numpy(dtype=float, na_value=np.nan))
        self.assertIsNone(read.row_names)

    def test_frames_of_categories(self):
        levels = ["low", "middle, or so", "high", 'never "seen"']
        frame = pd.DataFrame({
            "ordered": pd.Categorical.from_codes(self.rng.integers(0, 3, 100), levels, ordered=True),
            "string": self.rng.choice(["b", "a", "é"], 100),
            "integers": pd.Categorical(self.rng.choice([10, 9, 100], 100)),
        }, index=[f"p{i}" for i in range(100)])
        frame.iloc[[2, 5], 0] = None
        frame.iloc[7, 1] = np.nan
        read = self.written(frame)
        self.assertEqual(read.categories, [levels, ["a", "b", "é"], ["9", "10", "100"]])
        self.assertEqual(read.row_names, list(frame.index))
        cells = frame.astype(object).where(frame.notna(), "").astype(str)
        self.assertEqual([row[1:] for row in exported("table.h5")[1:]], cells.values.tolist())
        back = orrery.read_samples("table.h5", as_="pandas")
        pd.testing.assert_series_equal(back["string"].astype(object), frame["string"].astype(object))
        orrery.write_samples("again.h5", back)
        self.assertEqual(orrery.read_samples("again.h5").digest, read.digest)

    def test_codes_as_categories(self):
        codes = self.rng.integers(1, 6, (100, 3)).astype(float)
        codes[4, 1] = np.nan
        for table in (codes, pd.DataFrame(codes)):
            read = self.written(table, kind="categorical")
            self.assertEqual(read.categories, [["1", "2", "3", "4", "5"]] * 3)
            np.testing.assert_array_equal(read.values, np.nan_to_num(codes, nan=0) - 1)
        read = self.written(np.array([["u", "v"], ["w", "v"], ["u", "u"], ["", "v"]]), missing="")
        self.assertEqual(read.values.tolist(), [[0, 1], [1, 1], [0, 0], [-1, 1]])

    def test_sparse_matrices(self):
        dense = (self.rng.random((200, 60)) < 0.05).astype(float)
        for kind, dtype in ((scipy.sparse.csr_matrix, "f8"), (scipy.sparse.csc_matrix, bool),
                            (scipy.sparse.coo_matrix, "i4"), (scipy.sparse.csr_array, "u1")):
            read = self.written(kind(dense.astype(dtype)))
            self.assertEqual(read.kind, "binary")
            np.testing.assert_array_equal(read.values, dense)
        dense[3, 7] = np.nan
        read = self.written(scipy.sparse.csr_matrix(dense))
        self.assertEqual(np.argwhere(read.missing).tolist(), [[3, 7]])
        again = orrery.read_samples("table.h5", as_="scipy")
        self.assertEqual(self.written(again).digest, read.digest)
        numbers = dense * 2.5
        np.testing.assert_array_equal(self.written(scipy.sparse.csc_matrix(numbers)).values, numbers)

    def test_samples_of_files(self):
        for family in ("noisy_or", "linear", "categorical"):
            read = orrery.read_samples(files.data_of(family))
            orrery.write_samples("copy.h5", read)
            self.assertEqual(orrery.read_samples("copy.h5").digest, read.digest)

    def test_learners_read_what_was_written(self):
        for family in ("noisy_or", "tree", "linear", "categorical"):
            orrery.write_samples("copy.h5", orrery.read_samples(files.data_of(family), as_="pandas"))
            orrery.run("learn", *files.FAMILIES[family][2], "copy.h5", seed=5, output="copy_model.h5", echo=False)
            self.assertEqual(files.exported_json("copy_model.h5"), files.exported_json(files.model_of(family)))

    def refuses(self, error, text, table, **options):
        with self.assertRaisesRegex(error, text):
            orrery.write_samples("refused.h5", table, **options)
        self.assertFalse(os.path.exists("refused.h5"))

    def test_what_is_no_table_is_refused(self):
        whole = self.bits.copy()
        whole[2, 1] = 3
        place = r"row 2, column 1 \(x1\): 3.* is neither 0 nor 1"
        self.refuses(ValueError, place + ".*kind='numeric'.*'categorical'", whole)
        self.refuses(ValueError, place, scipy.sparse.csr_matrix(whole))
        self.refuses(ValueError, r"row 2, column 1 \(b\): 3", pd.DataFrame(whole, columns=list("abcde")))
        self.refuses(ValueError, place, whole / 1.0)
        self.refuses(ValueError, "neither 0 nor 1; correct", whole + 0.5, kind="binary")
        self.refuses(ValueError, "1 dimensions; 2 are needed", self.bits[0])
        self.refuses(ValueError, "kind = 'bits'", self.bits, kind="bits")
        self.refuses(ValueError, "names has 2 values, but the table has 5", self.bits, names=["a", "b"])
        self.refuses(ValueError, "row_names has 1 values, but the table has 100", self.bits, row_names=["a"])
        self.refuses(ValueError, "variable 1 has an empty name", self.bits, names=["a", "", "c", "d", "e"])
        self.refuses(ValueError, "leave names out", pd.DataFrame(self.bits), names=list("abcde"))
        self.refuses(ValueError, "'word' holds categories and column 'bit' numbers",
                     pd.DataFrame({"word": ["a", "b"], "bit": [0, 1]}))
        self.refuses(ValueError, "'word' holds no numbers", pd.DataFrame({"word": ["a", "b"]}), kind="numeric")
        self.refuses(ValueError, "no columns", pd.DataFrame(index=range(3)))
        self.refuses(TypeError, "holds no categories", scipy.sparse.csr_matrix(self.bits), kind="categorical")
        self.refuses(TypeError, "does not hold numbers", np.array([["a", "b"]]), kind="binary")
        samples = orrery.Samples("binary", self.bits, list("abcde"))
        self.refuses(ValueError, "the samples are binary", samples, kind="numeric")

    def test_what_the_program_refuses_is_told(self):
        values = self.rng.normal(size=(10, 3))
        values[4, 1] = np.inf
        self.refuses(orrery.OrreryError, r"table.h5ad: row 5, column 2 \('x1'\)", values)
        self.refuses(orrery.OrreryError, "'NA' stands for a missing value",
                     pd.DataFrame({"a": pd.Categorical(["NA", "b"]), "b": ["u", "v"]}))
        self.refuses(orrery.OrreryError, "'a'", self.bits, names=["a", "a", "b", "c", "d"])

    def test_dates_are_words(self):
        days = [datetime.date(2020, 1, d) for d in (3, 1, 2, 1)]
        read = self.written(pd.DataFrame({"day": days, "word": list("abab")}))
        self.assertEqual(read.categories[0], ["2020-01-01", "2020-01-02", "2020-01-03"])


if __name__ == "__main__":
    unittest.main()
