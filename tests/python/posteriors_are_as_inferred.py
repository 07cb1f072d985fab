"""read_posterior says what `orrery infer` writes as CSV, to the last digit, of every family that has
posteriors."""
import csv
import unittest

import numpy as np

import files
import orrery


def number(cell):
    return {"": np.nan, "-Inf": -np.inf}.get(cell) if cell in ("", "-Inf") else float(cell)


class Posteriors(unittest.TestCase):
    def inferred(self, model, data, *options):
        """The file and the table of the same question."""
        files.orrery("infer", model, data, *options, "-o", "posterior.h5")
        files.orrery("infer", model, data, *options, "-o", "posterior.csv")
        with open("posterior.csv", encoding="utf-8", newline="") as file:
            header, *rows = list(csv.reader(file))
        return orrery.read_posterior("posterior.h5"), {name: [row[i] for row in rows]
                                                       for i, name in enumerate(header)}

    def same(self, found, table, name):
        np.testing.assert_array_equal(found, [number(cell) for cell in table[name]])

    def posterior(self, model, data, *options):
        read, table = self.inferred(model, data, "--min-posterior", "0", "--top", "2", *options)
        self.assertIsInstance(read, orrery.Posterior)
        matrix, frame = read.probabilities(), read.to_pandas()
        self.assertEqual(list(frame), read.causes)
        for i, cause in enumerate(read.causes):
            self.same(matrix[:, i], table, cause)
        np.testing.assert_array_equal(frame.to_numpy(), matrix)
        np.testing.assert_array_equal(read.to_scipy().toarray(), np.nan_to_num(matrix))
        for name in ("log_evidence", "log_evidence_error", "effective_samples"):
            self.same(getattr(read, name), table, name)
            self.same(read.evidence()[name], table, name)
        self.assertEqual(list(read.method), table["method"])
        self.explanations(read, table)
        self.assertEqual(read.data_digest, orrery.read_samples(data).digest)
        return read, table

    def explanations(self, read, table):
        for row in range(len(read.method)):
            found = read.explanations(row)
            for k in range(2):
                names = table[f"explanation_{k + 1}"][row]
                if k >= len(found):
                    self.assertEqual(table[f"explanation_{k + 1}_probability"][row], "")
                    continue
                self.assertEqual("; ".join(found[k].causes) or "no cause", names)
                self.assertAlmostEqual(found[k].probability,
                                       float(table[f"explanation_{k + 1}_probability"][row]), 14)
                self.assertEqual(str(int(found[k].proven)), table[f"explanation_{k + 1}_proven"][row])

    def test_independent_causes(self):
        self.posterior(files.model_of("noisy_or"), files.data_of("noisy_or"))

    def test_sampled_rows(self):
        read, _ = self.posterior(files.model_of("noisy_or"), files.data_of("noisy_or"),
                                 "--method", "sample", "--samples", "200")
        self.assertIn("sampled", read.method)
        self.assertGreater(read.error.max(), 0)

    def test_dependent_causes(self):
        self.posterior(files.model_of("anchored"), files.data_of("anchored"))

    def test_states_of_categories(self):
        read, _ = self.posterior(files.model_of("categorical"), files.data_of("categorical"))
        self.assertTrue(all(" = " in cause for cause in read.causes))

    def test_impossible_rows(self):
        with open("sure.json", "w", encoding="utf-8") as file:
            file.write('{"format": "orrery-network-1", "causes": [{"name": "c", "prior": 0.5}], "observed": '
                       '[{"name": "a", "leak": 0}, {"name": "b", "leak": 0.1}], "edges": [[0, 1, 0.5]]}')
        orrery.write_samples("two.h5", np.array([[0, 1], [1, 1]]), names=["a", "b"])
        read, _ = self.posterior("sure.json", "two.h5")
        self.assertEqual(list(read.method), ["exact", "impossible"])
        self.assertTrue(np.isnan(read.probabilities()[1]).all())
        self.assertEqual(read.log_evidence[1], -np.inf)
        self.assertEqual(read.explanations(1), [])

    def test_causes_below_the_least_posterior_are_0(self):
        model, data = files.model_of("noisy_or"), files.data_of("noisy_or")
        files.orrery("infer", model, data, "--min-posterior", "0", "--top", "0", "-o", "all.h5")
        files.orrery("infer", model, data, "--min-posterior", "0.3", "-o", "some.h5")
        everything, some = orrery.read_posterior("all.h5"), orrery.read_posterior("some.h5")
        matrix = everything.probabilities()
        np.testing.assert_array_equal(some.probabilities(), np.where(matrix >= 0.3, matrix, 0))
        self.assertEqual(some.min_posterior, 0.3)
        self.assertEqual(everything.explanations(0), [])
        self.assertLess(len(some.row), len(everything.row))

    def test_names_of_rows(self):
        frame = orrery.read_samples(files.data_of("noisy_or"), as_="pandas")
        frame.index = [f"image {i}" for i in range(len(frame))]
        orrery.write_samples("named.h5", frame)
        read, table = self.inferred(files.model_of("noisy_or"), "named.h5")
        index = orrery.read_samples("named.h5", as_="pandas").index
        self.assertEqual(list(read.to_pandas(index=index).index), table["row_name"])

    def test_signs_on_a_tree(self):
        for options, k in (([], 12), (["--predict", "x3,x7"], 2)):
            read, table = self.inferred(files.model_of("free_tree"), files.data_of("free_tree"), *options)
            self.assertIsInstance(read, orrery.Prediction)
            self.assertEqual(read.probability.shape, (1000, k))
            for i, name in enumerate(read.variables):
                self.same(read.probability[:, i], table, name)
            self.same(read.log_evidence, table, "log_evidence")
            self.assertEqual(list(read.to_pandas()), read.variables)
        q = orrery.read_model(files.model_of("free_tree")).crossover
        self.assertEqual(read.given, 10)
        np.testing.assert_allclose(read.observed_probability(),
                                   read.probability * (1 - q) + (1 - read.probability) * q, rtol=1e-14)


if __name__ == "__main__":
    unittest.main()
