#!/usr/bin/env python3
"""Over-parameterised variational learning of noisy-OR networks, as an opponent: Buhai, Halpern, Kim,
Risteski, Sontag, "Empirical study of the benefits of overparameterization in learning latent variable
models", ICML 2020. Our own implementation; the settings are those that the authors publish
(github.com/clinicalml/overparam, noisyor/experiments_config/recognition_network).

usage: overparameterised.py ROWS.csv CAUSES RUNS PREFIX --rate RATE --baseline-rate RATE
                            [--epochs 1000] [--seed 1]

ROWS.csv is what `orrery export DATA --format rows` writes. Every run is one start of its own; run r
writes PREFIX_r.json, an orrery-network-1 in which every cause has an edge to every variable. Prints
the processor seconds of all runs together: they go through the rows side by side.

Method, for a minibatch of rows x: causes h are drawn from a recognition network Q(h | x), a logistic
regression of each cause on the centred row. The noisy-OR network P climbs log P(h, x). Q climbs the
lower bound E[log P(h, x) - log Q(h | x)] by the score function, with three means against its variance
(Mnih, Gregor 2014): the signal is centred by its running mean, divided by its running standard
deviation where that is above 1, and centred once more by what a small network of the row predicts.
P and Q step by Adam, the small network by gradient descent.

The network of the last epoch is the result. (The authors keep every hundredth, and also judge the one
with the highest bound on the first 1,000 rows, which nothing is learned from.)

Cost: (4 x CAUSES + 200) x variables multiplications per row and epoch, and as many exponentials as
there are values in a minibatch and parameters per minibatch; 1,000 epochs of 9,000 rows of 64
variables take about half a minute per run, eight runs at a time.
"""
import argparse
import csv
import json
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

BATCH = 20
HELD_OUT = 1000  # first rows, which the authors watch and do not learn from
HIDDEN = 100  # of the small network
KEPT = 0.8  # of a running mean, per step
LEAST = np.float32(1e-7)  # distance of a probability from 0 and 1
TINY = np.float32(1e-38)  # so that no logarithm is infinite


def sigmoid(x):
    return 1 / (1 + np.exp(-np.maximum(x, np.float32(-80))))


def log(x):
    return np.log(np.maximum(x, TINY))


class Adam:
    """Kingma and Ba 2015, for arrays that are changed in place."""

    def __init__(self, arrays, rate):
        self.arrays, self.rate, self.n_steps = arrays, rate, 0
        self.means = [np.zeros_like(a) for a in arrays]
        self.squares = [np.zeros_like(a) for a in arrays]

    def descend(self, gradients):
        self.n_steps += 1
        mean_scale = self.rate / (1 - 0.9**self.n_steps)
        square_scale = 1 / (1 - 0.999**self.n_steps)
        for array, mean, square, gradient in zip(self.arrays, self.means, self.squares, gradients):
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            array -= np.float32(mean_scale) * mean / (np.sqrt(np.float32(square_scale) * square) +
                                                      np.float32(1e-8))


class Learner:
    """All runs at once: the first axis of every array is the run."""

    def __init__(self, rows, n_causes, n_runs, rate, baseline_rate, seed):
        self.random = np.random.default_rng(seed)
        self.rows = rows
        self.centred = rows - rows.mean(axis=0)
        n_observed = rows.shape[1]
        self.baseline_rate = np.float32(baseline_rate)
        # Log odds of priors, failures, and of leaks that fail.
        self.prior = self.uniform(2, 4, n_runs, 1, n_causes)
        self.failure = self.uniform(2, 4, n_runs, n_causes, n_observed)
        self.quiet = self.uniform(2, 4, n_runs, 1, n_observed)
        self.weight = self.uniform(-0.1, 0.1, n_runs, n_observed, n_causes)
        self.bias = self.uniform(-0.1, 0.1, n_runs, 1, n_causes)
        near, far = n_observed**-0.5, HIDDEN**-0.5
        self.baseline = [self.uniform(-near, near, n_runs, n_observed, HIDDEN),
                         self.uniform(-near, near, n_runs, 1, HIDDEN),
                         self.uniform(-far, far, n_runs, HIDDEN, 1),
                         self.uniform(-far, far, n_runs, 1, 1)]
        self.signal_mean = self.signal_variance = None
        self.model = Adam([self.prior, self.failure, self.quiet], rate)
        self.recognition = Adam([self.weight, self.bias], rate)

    def uniform(self, low, high, *shape):
        return self.random.uniform(low, high, shape).astype(np.float32)

    def epoch(self):
        n_runs = len(self.prior)
        orders = np.array([self.random.permutation(len(self.rows)) for _ in range(n_runs)])
        for first in range(0, len(self.rows) - BATCH + 1, BATCH):
            chosen = orders[:, first:first + BATCH]
            self.step(self.rows[chosen], self.centred[chosen])

    def step(self, x, centred):
        """x: runs x BATCH x variables."""
        share = sigmoid(centred @ self.weight + self.bias).clip(LEAST, 1 - LEAST)
        h = (self.random.random(share.shape, dtype=np.float32) < share).astype(np.float32)

        prior, failure, quiet = sigmoid(self.prior), sigmoid(self.failure), sigmoid(self.quiet)
        log_off = np.minimum(h @ log(failure) + log(quiet), -LEAST)
        off = np.exp(log_off)
        log_p = (log(np.where(h > 0, prior, 1 - prior)).sum(axis=2) +
                 np.where(x > 0, np.log1p(-off), log_off).sum(axis=2))
        log_q = log(np.where(h > 0, share, 1 - share)).sum(axis=2)
        signal = self.normalised(log_p - log_q)

        # Slopes of -log P(h, x), means over the minibatch.
        slope = (x * off / (1 - off) - (1 - x)) / BATCH
        self.model.descend([prior - h.mean(axis=1, keepdims=True),
                            (h.transpose(0, 2, 1) @ slope) * (1 - failure),
                            slope.sum(axis=1, keepdims=True) * (1 - quiet)])

        into, into_bias, out, out_bias = self.baseline
        hidden = np.tanh(centred @ into + into_bias)
        predicted = (hidden @ out + out_bias)[:, :, 0]
        left = (signal - predicted)[:, :, None]
        # Slopes of -log Q(h | x), each row's times what is left of its signal.
        slope_q = (share - h) * left / BATCH
        self.recognition.descend([centred.transpose(0, 2, 1) @ slope_q,
                                  slope_q.sum(axis=1, keepdims=True)])

        error = -2 * left / BATCH
        back = (error @ out.transpose(0, 2, 1)) * (1 - hidden * hidden)
        for array, slope_b in zip(self.baseline,
                                  (centred.transpose(0, 2, 1) @ back, back.sum(axis=1, keepdims=True),
                                   hidden.transpose(0, 2, 1) @ error,
                                   error.sum(axis=1, keepdims=True))):
            array -= self.baseline_rate * slope_b

    def normalised(self, signal):
        mean, variance = signal.mean(axis=1), signal.var(axis=1, ddof=1)
        if self.signal_mean is None:
            self.signal_mean, self.signal_variance = mean, variance
        else:
            self.signal_mean = KEPT * self.signal_mean + (1 - KEPT) * mean
            self.signal_variance = KEPT * self.signal_variance + (1 - KEPT) * variance
        scale = np.sqrt(np.maximum(self.signal_variance, 1))
        return ((signal - self.signal_mean[:, None]) / scale[:, None]).astype(np.float32)

    def network(self, run, names):
        """The run's network as an orrery-network-1."""
        priors, leaks = sigmoid(self.prior[run, 0]), 1 - sigmoid(self.quiet[run, 0])
        failures = sigmoid(self.failure[run])
        return {
            "format": "orrery-network-1",
            "causes": [{"name": f"cause{k}", "prior": float(p)} for k, p in enumerate(priors)],
            "observed": [{"name": n, "leak": float(leak)} for n, leak in zip(names, leaks)],
            "edges": [[k, a, float(f)] for k, of_cause in enumerate(failures)
                      for a, f in enumerate(of_cause)],
        }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("rows")
    parser.add_argument("causes", type=int)
    parser.add_argument("runs", type=int)
    parser.add_argument("prefix")
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--baseline-rate", type=float, required=True)
    parser.add_argument("--epochs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.rows, encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        names = next(lines)
        rows = np.array([[float(value) for value in line] for line in lines], dtype=np.float32)
    begin = time.process_time()
    learner = Learner(rows[HELD_OUT:], arguments.causes, arguments.runs, arguments.rate,
                      arguments.baseline_rate, arguments.seed)
    for _ in range(arguments.epochs):
        learner.epoch()
    print(f"{time.process_time() - begin:.1f}")
    for run in range(arguments.runs):
        with open(f"{arguments.prefix}_{run + 1}.json", "w", encoding="utf-8") as file:
            json.dump(learner.network(run, names), file)


if __name__ == "__main__":
    main()
