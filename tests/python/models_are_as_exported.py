"""read_model of files of every family says what `orrery export` says of them, to the last digit."""
import itertools
import unittest

import numpy as np

import files
import orrery


def numbers(values):
    """null is what JSON has for NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def members(entries, name):
    return [entry[name] for entry in entries]


class Models(unittest.TestCase):
    def same(self, found, wanted):
        np.testing.assert_array_equal(found, wanted)

    def origin(self, model, told):
        self.assertEqual(model.learner, told["learner"])
        self.assertEqual(model.n_samples, told["n_samples"])
        self.assertEqual(model.data_digest, told["data_digest"])
        self.assertEqual(model.remarks, told.get("remarks", []))

    def noisy_or(self, path):
        model, told = orrery.read_model(path), files.exported_json(path)
        self.assertIsInstance(model, orrery.NoisyOrModel)
        self.assertEqual(model.causes, members(told["causes"], "name"))
        self.same(model.priors, members(told["causes"], "prior"))
        self.assertEqual(model.observed, members(told["observed"], "name"))
        self.same(model.leaks, members(told["observed"], "leak"))
        self.same(np.column_stack([model.edge_cause, model.edge_observed, model.failures]), told["edges"])
        if "failure_errors" in told:
            self.same(model.failure_errors, numbers(told["failure_errors"]))
            self.same(model.prior_errors, numbers(members(told["causes"], "prior_error")))
            self.same(model.leak_errors, numbers(entry.get("leak_error") for entry in told["observed"]))
        else:
            self.assertIsNone(model.failure_errors)
        matrix = model.failure_matrix()
        for cause, observed, failure in told["edges"]:
            self.assertEqual(matrix[cause, observed], failure)
        self.assertEqual((matrix != 1).sum(), len(told["edges"]))
        return model, told

    def test_independent_causes(self):
        model, told = self.noisy_or(files.model_of("noisy_or"))
        self.origin(model, told)
        self.assertIsNotNone(model.failure_errors)
        for name in ("depth", "quartet"):
            self.same(model.provenance[name], members(told["causes"], name))
        for name in ("support", "statistic_error"):  # JSON leaves a 0 out
            self.same(model.provenance[name], [entry.get(name, 0) for entry in told["causes"]])
        self.assertTrue(model.provenance["support"].any())
        self.same(model.provenance["statistic"], members(told["causes"], "statistic"))
        self.assertEqual(model.resamples, 2)
        self.same(model.cause_stability, members(told["causes"], "stability"))
        self.same(model.edge_stability, told["edge_stability"])
        self.assertIsNone(model.cause_tables)
        self.assertEqual(model.anchors, [])
        header, *rows = files.exported_csv(files.model_of("noisy_or"))
        table = model.edges()
        for name in ("cause", "observed"):
            self.assertEqual(list(table[name]), [row[header.index(name)] for row in rows])
        for name, of_csv in (("failure", "failure"), ("failure_error", "failure_error"),
                             ("stability", "edge_stability")):
            self.same(table[name], [float(row[header.index(of_csv)]) for row in rows])
        self.same(table["strength"], 1 - table["failure"])
        self.same(model.cause_frame()["prior"], model.priors)
        self.same(model.observed_frame()["leak_error"], model.leak_errors)

    def tables(self, model, told):
        self.assertEqual(len(model.cause_tables), len(model.causes))
        for found, wanted in zip(model.cause_tables, told["cause_tables"]):
            self.same(found.parents, wanted["parents"])
            self.same(found.on, wanted["on"])
        self.assertTrue(any(len(table.parents) for table in model.cause_tables))

    def test_dependent_causes(self):
        model, told = self.noisy_or(files.model_of("dependent"))
        self.origin(model, told)
        self.tables(model, told)
        self.assertEqual(model.anchors, [])

    def test_anchors(self):
        model, told = self.noisy_or(files.model_of("anchored"))
        self.origin(model, told)
        self.tables(model, told)
        self.assertEqual(len(model.anchors), 4)
        for found, wanted in zip(model.anchors, told["anchors"]):
            for name, value in wanted.items():
                self.assertEqual(getattr(found, name), value, name)
            self.assertEqual(found.columns, wanted.get("columns", []))
        edges = model.edges()
        anchors = edges[edges["anchor"]]
        self.assertEqual(list(zip(anchors["cause"], anchors["observed"])),
                         [(model.causes[a.cause], model.observed[a.observed]) for a in model.anchors])
        cells = list(itertools.chain(*(table for _, table in told["moments"])))
        self.same(model.moments["cell"], cells)
        self.assertEqual(model.moments["order"], told["moments_order"])

    def test_anchored_models_of_earlier_versions(self):
        model, told = self.noisy_or(f"{files.PROJECT}/tests/cli/older/anchored.h5")
        self.tables(model, told)
        self.assertEqual(len(model.anchors), 3)

    def test_true_network_beside_samples(self):
        model, _ = self.noisy_or(files.data_of("noisy_or"))
        self.assertEqual((model.learner, model.n_samples, model.data_digest), ("", 0, None))
        self.same(model.priors, [0.25] * 8)

    def test_trees_of_signs(self):
        for family in ("tree", "free_tree"):
            path = files.model_of(family)
            model, told = orrery.read_model(path), files.exported_json(path)
            self.origin(model, told)
            self.assertEqual(model.variables, members(told["variables"], "name"))
            self.same(model.means, members(told["variables"], "mean"))
            self.same(np.column_stack([model.edge_a, model.edge_b, model.edge_moments]), told["edges"])
            self.same(model.edge_moment_errors, numbers(told["edge_errors"]))
            self.assertEqual(model.crossover, told["crossover"])
            self.assertEqual(model.crossover_error, told.get("crossover_error", 0))
            header, *rows = files.exported_csv(path)
            table = model.edges()
            for name in ("a", "b"):
                self.assertEqual(list(table[name]), [row[header.index(name)] for row in rows])
            for name in ("moment", "correlation", "moment_error"):
                np.testing.assert_allclose(table[name], [float(row[header.index(name)]) for row in rows],
                                           rtol=1e-14)
        self.assertTrue((model.means != 0).any())

    def linear(self, family):
        path = files.model_of(family)
        model, told = orrery.read_model(path), files.exported_json(path)
        self.origin(model, told)
        self.assertEqual(model.law, told["law"])
        self.assertEqual(model.observed, members(told["observed"], "name"))
        self.assertEqual(model.causes, members(told["causes"], "name"))
        self.same(model.means, members(told["observed"], "mean"))
        self.same(model.noise, members(told["observed"], "noise"))
        for found, name in ((model.loading_estimates, "estimates"), (model.loading_errors, "loading_errors"),
                            (model.covariance_errors, "covariance_errors"), (model.covariance, "covariance")):
            self.assertEqual(found is None, name not in told, name)
            if found is not None:
                self.same(found, [numbers(row) for row in told[name]])
        if "noise_errors" in told:
            self.same(model.noise_errors, numbers(told["noise_errors"]))
        self.same(np.argwhere(model.loadings.T), [edge[:2] for edge in sorted(told["edges"])])
        for cause, observed, loading in told["edges"]:
            self.assertEqual(model.loadings[observed, cause], loading)
        header, *rows = files.exported_csv(path)
        edges = model.edges()
        wanted = {(row[0], row[1]): float(row[header.index("loading")]) for row in rows}
        for pair, loading in zip(zip(edges["cause"], edges["observed"]), edges["loading"]):
            self.assertEqual(wanted.pop(pair), loading)
        return model, told

    def test_linear_networks(self):
        model, told = self.linear("linear")
        self.assertEqual(model.levels, [])
        for name in ("rank", "statistic", "expected", "error"):
            self.same(model.rank_test[name], numbers(members(told["rank_test"], name)))

    def test_linear_networks_of_several_levels(self):
        model, told = self.linear("levels")
        self.assertGreater(len(model.levels), 0)
        for found, wanted in zip(model.levels, told["levels"]):
            self.assertEqual(found.causes, wanted["causes"])
            self.same(found.noise, wanted["noise"])
            for cause, below, loading in wanted["edges"]:
                self.assertEqual(found.loadings[below, cause], loading)

    def test_linear_networks_whose_causes_drive_one_another(self):
        model, told = self.linear("coupled")
        self.assertGreater(len(told["coupling"]), 0)
        for source, target, effect in told["coupling"]:
            self.assertEqual(model.coupling[target, source], effect)
        self.same(model.innovations, members(told["causes"], "innovation"))

    def test_categorical_networks(self):
        for family in ("categorical", "two_parents"):
            path = files.model_of(family)
            model, told = orrery.read_model(path), files.exported_json(path)
            self.origin(model, told)
            self.assertEqual(model.causes, members(told["causes"], "name"))
            for found, wanted in zip(model.priors, members(told["causes"], "prior")):
                self.same(found, wanted)
            self.assertEqual(model.observed, members(told["observed"], "name"))
            self.assertEqual(model.categories, members(told["observed"], "categories"))
            for i, wanted in enumerate(told["observed"]):
                self.same(model.parents[i], wanted["parents"])
                self.same(model.tables[i], wanted["table"])
                self.same(model.counts[i], wanted["counts"])
            self.assertEqual(model.log_evidence, told["log_evidence"])
            self.assertEqual(model.evidence_kind, told["evidence_kind"])
            self.assertEqual([list(parents) for parents in model.parent_sets], told["parent_sets"])
            self.same(model.structure, told["structure"])
            for found, wanted in zip(model.modes, told.get("modes", [])):
                self.assertEqual((found["variable"], list(found["parents"]), found["log_evidence"]),
                                 (wanted["variable"], wanted["parents"], wanted["log_evidence"]))
            if "choices" in told:
                self.same(model.choices["held_out"], members(told["choices"], "held_out"))
            self.probabilities(model, files.exported_csv(path))

    def probabilities(self, model, exported):
        """In the order of the CSV, whose columns of states are those of the causes."""
        header, *rows = exported
        states = [i for i, name in enumerate(header) if name.startswith("state of ")]
        wanted = [(row[0], tuple(int(row[i]) for i in states if row[i] != ""),
                   row[header.index("category")], float(row[header.index("probability")])) for row in rows]
        table = model.probabilities()
        self.assertEqual(list(table.itertuples(index=False, name=None)), wanted)
        strength = {(edge.cause, edge.observed): edge.strength for edge in model.edges().itertuples()}
        for i, parents in enumerate(model.parents):
            if len(parents) != 1:
                continue
            rows_of = model.tables[i]
            greatest = max(np.abs(a - b).sum() / 2 for a in rows_of for b in rows_of)
            self.assertAlmostEqual(strength[model.causes[parents[0]], model.observed[i]], greatest, 12)


if __name__ == "__main__":
    unittest.main()
