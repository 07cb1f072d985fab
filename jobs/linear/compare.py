#!/usr/bin/env python3
"""Factor analysis with varimax and with geomin, and FastICA, on the rows that orrery learned from.

usage: compare.py DATA.h5 TRUTH.json CAUSES

DATA holds /dense, TRUTH is an orrery-linear-1 of the same variables (orrery export --format json).
Prints "F1,ERROR,SECONDS" of factor analysis with varimax, with geomin, and of FastICA, nine numbers.
Varimax keeps factors uncorrelated, so that it is wrong by construction where causes correlate;
geomin lets them correlate. All methods are told the number of causes, and are given what they have
no means to find themselves: columns are matched to the true ones by their cosines, each is scaled to
be as near to its partner as can be, and loadings count as edges beyond the one threshold for all
that makes F1 largest. Seconds are those of the fit alone.

Oblique rotation: geomin with epsilon .01 of loadings with rows of length 1 (Kaiser), by the gradient
projection of Jennrich (2002) as in Bernaards & Jennrich (2005). Its criterion has many local minima:
40 random starts, the best four of which go on to convergence; the least value is kept.
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


def few_rows(rows):
    """Factor analysis knows of the rows by their covariance alone: these have the same, and are only
    twice as many as columns."""
    centred = rows - rows.mean(axis=0)
    root = np.linalg.cholesky(centred.T @ centred / len(rows)).T
    return np.vstack([root, -root]) * np.sqrt(len(root))


def fit_factor_analysis(rows, n_causes):
    model = FactorAnalysis(n_components=n_causes, rotation="varimax", svd_method="lapack")
    return model.fit(few_rows(rows)).components_.T


def geomin(loadings, epsilon=0.01):
    """The criterion, sum over rows of the geometric mean of squares + epsilon, and its gradient."""
    squares = loadings**2 + epsilon
    means = np.exp(np.log(squares).mean(axis=1, keepdims=True))
    return float(means.sum()), 2 / loadings.shape[1] * loadings / squares * means


def rotate(unrotated, rotation, max_iterations, precision=1e-5):
    """Gradient projection over rotations with columns of length 1: factors of variance 1 whose
    correlations are rotation^T rotation. Returns the criterion and the rotation."""
    inverse = np.linalg.inv(rotation)
    loadings = unrotated @ inverse.T
    value, slope = geomin(loadings)
    step = 1.0
    for _ in range(max_iterations):
        gradient = -(loadings.T @ slope @ inverse).T
        projected = gradient - rotation * (rotation * gradient).sum(axis=0)
        size = np.linalg.norm(projected)
        if size < precision:
            break
        step *= 2
        for _ in range(20):  # Armijo's rule
            new = unit_columns(rotation - step * projected)
            new_inverse = np.linalg.inv(new)
            new_loadings = unrotated @ new_inverse.T
            new_value, new_slope = geomin(new_loadings)
            if new_value < value - step * size**2 / 2:
                break
            step /= 2
        else:
            break  # no digits left
        rotation, inverse, loadings = new, new_inverse, new_loadings
        value, slope = new_value, new_slope
    return value, rotation


def fit_oblique(rows, n_causes, n_starts=40, n_kept=4):
    model = FactorAnalysis(n_components=n_causes, svd_method="lapack", tol=1e-6, max_iter=5000)
    unrotated = model.fit(few_rows(rows)).components_.T
    lengths = np.linalg.norm(unrotated, axis=1, keepdims=True)
    normed = unrotated / np.where(lengths > 0, lengths, 1)
    random = np.random.default_rng(1)
    starts = [np.linalg.qr(random.standard_normal((n_causes, n_causes)))[0] for _ in range(n_starts)]
    reached = sorted((rotate(normed, start, 60) for start in starts), key=lambda pair: pair[0])
    finished = [rotate(normed, rotation, 2000) for _, rotation in reached[:n_kept]]
    rotation = min(finished, key=lambda pair: pair[0])[1]
    return unrotated @ np.linalg.inv(rotation).T


def fit_fast_ica(rows, n_causes):
    model = FastICA(n_components=n_causes, whiten="unit-variance", random_state=1, max_iter=1000)
    return model.fit(rows).mixing_


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    data, truth_path, n_causes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    warnings.simplefilter("ignore")  # no method need converge; what it gives is scored
    with h5py.File(data, "r") as file:
        rows = file["/dense/values"][:]
    truth = true_loadings(truth_path)
    results = []
    for fit in (fit_factor_analysis, fit_oblique, fit_fast_ica):
        start = time.perf_counter()
        loadings = fit(rows, n_causes)
        seconds = time.perf_counter() - start
        estimate = matched(loadings, truth)
        error = np.linalg.norm(estimate - truth) / np.linalg.norm(truth)
        results += [f"{best_f1(estimate, truth):.6f}", f"{error:.6f}", f"{seconds:.3f}"]
    print(",".join(results))


if __name__ == "__main__":
    main()
