#!/usr/bin/env python3
"""Factor analysis with varimax, and FastICA, on the rows that orrery learned from.

usage: compare.py DATA.h5 TRUTH.json CAUSES

DATA holds /dense, TRUTH is an orrery-linear-1 of the same variables (orrery export --format json).
Prints "FA_F1,FA_ERROR,FA_SECONDS,ICA_F1,ICA_ERROR,ICA_SECONDS". Both methods are told the number of
causes, and are given what they have no means to find themselves: columns are matched to the true
ones by their cosines, each is scaled to be as near to its partner as can be, and loadings count as
edges beyond the one threshold for all that makes F1 largest. Seconds are those of the fit alone.
"""
import json
import sys
import time
import warnings

import h5py
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.decomposition import FactorAnalysis, FastICA


def true_loadings(path):
    with open(path, encoding="utf-8") as file:
        network = json.load(file)
    loadings = np.zeros((len(network["observed"]), len(network["causes"])))
    for cause, observed, value in network["edges"]:
        loadings[observed, cause] = value
    return loadings


def unit_columns(matrix):
    lengths = np.linalg.norm(matrix, axis=0)
    return matrix / np.where(lengths > 0, lengths, 1)


def matched(learned, truth):
    """Columns of `learned` in the order of the truth's, each at its best scale; 0 without partner."""
    cosines = np.abs(unit_columns(truth).T @ unit_columns(learned))
    result = np.zeros_like(truth)
    for column, partner in zip(*linear_sum_assignment(-cosines)):
        found = learned[:, partner]
        size = found @ found
        if size > 0:
            result[:, column] = found * (found @ truth[:, column]) / size
    return result


def best_f1(estimate, truth):
    """The largest F1 that a threshold of |estimate| gives."""
    sizes = np.abs(estimate).ravel()
    order = np.argsort(-sizes, kind="stable")
    hits = np.cumsum(truth.ravel()[order] != 0)
    n_learned = np.arange(1, sizes.size + 1)
    # A threshold cannot part equal sizes.
    ends = np.append(np.diff(sizes[order]) != 0, True)
    return float(np.max((2 * hits / (n_learned + np.count_nonzero(truth)))[ends]))


def fit_factor_analysis(rows, n_causes):
    """By the covariance alone, which is all that the likelihood knows of the rows: rows of the same
    mean and covariance, only fewer, give the same loadings."""
    centred = rows - rows.mean(axis=0)
    root = np.linalg.cholesky(centred.T @ centred / len(rows)).T
    few = np.vstack([root, -root]) * np.sqrt(len(root))
    model = FactorAnalysis(n_components=n_causes, rotation="varimax", svd_method="lapack")
    return model.fit(few).components_.T


def fit_fast_ica(rows, n_causes):
    model = FastICA(n_components=n_causes, whiten="unit-variance", random_state=1, max_iter=1000)
    return model.fit(rows).mixing_


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    data, truth_path, n_causes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    warnings.simplefilter("ignore")  # neither method need converge; what it gives is scored
    with h5py.File(data, "r") as file:
        rows = file["/dense/values"][:]
    truth = true_loadings(truth_path)
    results = []
    for fit in (fit_factor_analysis, fit_fast_ica):
        start = time.perf_counter()
        loadings = fit(rows, n_causes)
        seconds = time.perf_counter() - start
        estimate = matched(loadings, truth)
        error = np.linalg.norm(estimate - truth) / np.linalg.norm(truth)
        results += [f"{best_f1(estimate, truth):.6f}", f"{error:.6f}", f"{seconds:.3f}"]
    print(",".join(results))


if __name__ == "__main__":
    main()
