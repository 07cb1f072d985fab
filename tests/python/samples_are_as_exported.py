"""read_samples of bits, numbers and categories says what `orrery export --rows` says of the file."""
import csv
import unittest

import numpy as np

import files
import orrery


def exported_npy(path):
    files.orrery("export", path, "--format", "npy", "--rows", "-o", "rows.npy")
    return np.load("rows.npy")


def import_csv(name, rows, *options):
    with open(f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    files.orrery("import", f"{name}.csv", "-o", f"{name}.h5", *options)
    return f"{name}.h5"


class SamplesOfFiles(unittest.TestCase):
    def same(self, path, wanted, dtype):
        read = orrery.read_samples(path)
        self.assertEqual(read.values.dtype, dtype)
        np.testing.assert_array_equal(read.values, wanted)
        self.assertEqual(read.shape, wanted.shape)
        sparse = orrery.read_samples(path, as_="scipy")
        self.assertEqual(sparse.values.format, "csr")
        np.testing.assert_array_equal(sparse.values.toarray(), wanted)
        self.assertEqual(sparse.names, read.names)
        return read

    def test_bits(self):
        for family in ("noisy_or", "anchored", "tree"):
            path = files.data_of(family)
            read = self.same(path, exported_npy(path), np.uint8)
            self.assertEqual(read.kind, "binary")
            self.assertEqual(read.names, files.exported_csv(path, "--rows")[0])
            self.assertIsNone(read.row_names)
            self.assertFalse(read.missing.any())
            frame = orrery.read_samples(path, as_="pandas")
            self.assertEqual(set(frame.dtypes), {np.dtype(bool)})
            np.testing.assert_array_equal(frame.to_numpy(), read.values)
            told = orrery.read_model(files.model_of(family))
            self.assertEqual(frame.attrs["digest"], told.data_digest)

    def test_lengths_around_words_and_blocks(self):
        # 128 variables: blocks of 32,768 rows; 3 variables: of 65,536.
        for m, n in ((3, 1), (3, 63), (3, 64), (3, 65), (3, 65_537), (128, 32_768), (128, 65_600)):
            files.orrery("sample", "--network", f"independent:{m}", "--samples", str(n), "-o", "wide.h5")
            self.same("wide.h5", exported_npy("wide.h5"), np.uint8)

    def test_very_many_variables(self):
        # More than 65,536 variables: blocks of less than 4,096 rows.
        rng = np.random.default_rng(2)
        bits = rng.random((300, 70_000)) < 0.1
        np.save("many.npy", bits)
        files.orrery("import", "many.npy", "-o", "many.h5")
        self.same("many.h5", bits.astype(np.uint8), np.uint8)

    def test_missing_bits_and_names_of_rows(self):
        rng = np.random.default_rng(1)
        values = rng.integers(0, 2, (70_000, 4))
        gone = rng.random(values.shape) < 0.1
        gone[:65_536] = False  # the first block has none
        gone[:, 0] = False
        rows = [["", "a", "b,c", 'd"e', "é"]]
        rows += [[f"row {i}", *("" if g else v for v, g in zip(values[i], gone[i]))] for i in range(len(values))]
        path = import_csv("gaps", rows)
        read = self.same(path, exported_npy(path), np.int8)
        np.testing.assert_array_equal(read.values, np.where(gone, -1, values))
        np.testing.assert_array_equal(read.missing, gone)
        self.assertEqual(read.names, rows[0][1:])
        self.assertEqual(read.row_names, [row[0] for row in rows[1:]])
        frame = orrery.read_samples(path, as_="pandas")
        self.assertEqual({str(dtype) for dtype in frame.dtypes}, {"boolean"})
        self.assertEqual(list(frame.index), read.row_names)
        np.testing.assert_array_equal(frame.isna().to_numpy(), gone)
        np.testing.assert_array_equal(frame.fillna(False).to_numpy(dtype=bool), values * ~gone)

    def test_numbers(self):
        path = files.data_of("linear")
        read = self.same(path, exported_npy(path), np.float64)
        self.assertEqual(read.kind, "numeric")
        np.testing.assert_array_equal(orrery.read_samples(path, as_="pandas").to_numpy(), read.values)

    def test_numbers_of_several_blocks_with_missing_ones(self):
        rng = np.random.default_rng(1)
        values = rng.normal(size=(17_000, 3))  # blocks of 16,384 rows
        values[rng.random(values.shape) < 0.1] = np.nan
        np.save("numbers.npy", values)
        files.orrery("import", "numbers.npy", "--numeric", "--missing", "nan", "-o", "numbers.h5")
        read = self.same("numbers.h5", values, np.float64)
        np.testing.assert_array_equal(read.missing, np.isnan(values))

    def categories(self, path):
        header, *rows = files.exported_csv(path, "--rows")
        named = header[0] == ""
        read = orrery.read_samples(path)
        self.assertEqual(read.kind, "categorical")
        self.assertEqual(read.names, header[named:])
        words = [[*categories, ""] for categories in read.categories]
        found = [[of_column[code] for of_column, code in zip(words, codes)] for codes in read.values]
        self.assertEqual(found, [row[named:] for row in rows])
        self.assertEqual(read.row_names, [row[0] for row in rows] if named else None)
        frame = orrery.read_samples(path, as_="pandas")
        self.assertEqual([list(frame[name].cat.categories) for name in frame], read.categories)
        self.assertEqual(frame.astype(object).where(frame.notna(), "").values.tolist(), found)
        return read

    def test_categories(self):
        self.categories(files.data_of("categorical"))
        rows = [["", "smoker", "town"], ["p1", "no", "Æ, B"], ["p2", "yes", '"C"'], ["p3", "", "D"]]
        read = self.categories(import_csv("answers", rows, "--categorical"))
        np.testing.assert_array_equal(read.missing, [[0, 0], [0, 0], [1, 0]])
        with self.assertRaisesRegex(orrery.FileError, "answers.h5: .*categories.*as_='pandas'"):
            orrery.read_samples("answers.h5", as_="scipy")

    def test_another_form_is_refused(self):
        with self.assertRaisesRegex(ValueError, "'polars'.*'pandas'"):
            orrery.read_samples(files.data_of("tree"), as_="polars")

    def test_frames_have_names_that_occur_as_numbers_too(self):
        path = import_csv("years", [["1999", "2000", "2001"], [1, 0, 1], [0, 1, 1]], "--header", "yes")
        self.assertEqual(list(orrery.read_samples(path, as_="pandas")), ["1999", "2000", "2001"])


if __name__ == "__main__":
    unittest.main()
