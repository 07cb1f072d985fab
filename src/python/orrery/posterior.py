"""Posteriors of hidden causes, and predictions of signs on a tree."""
import dataclasses
from typing import List, Optional

import numpy as np

from .errors import FileError
from .stored_file import DAMAGED, stored_file

METHODS = np.array(["exact", "sampled", "impossible"], dtype=object)


@dataclasses.dataclass
class Explanation:
    """One of a row's most probable states of all causes.

    causes       list of str: those that are present; of categories "cause = state"
    probability  float: P(state | row)
    proven       bool: no more probable state was left out before this one
    """

    causes: List[str]
    probability: float
    proven: bool


@dataclasses.dataclass
class Posterior:
    """What `orrery infer` found of N rows and n causes; of categories a cause is "cause = state".

    causes              list of str: names
    log_evidence        N: log P(row) in nats, -infinity: impossible
    log_evidence_error  N: half the width of its interval, 0: exact
    method              N: "exact", "sampled" or "impossible"
    effective_samples   N: of the group of draws that has the fewest; 0: exact
    end                 N: row i has the entries from end[i - 1] (0 for the first) to end[i] of
    cause, probability, error   place of a cause, P(cause | row), what that may be off (0: exact)
    min_posterior       float: causes that are less likely are not listed
    data_digest         16 hexadecimal digits: the samples
    """

    causes: List[str]
    log_evidence: np.ndarray
    log_evidence_error: np.ndarray
    method: np.ndarray
    effective_samples: np.ndarray
    end: np.ndarray
    cause: np.ndarray
    probability: np.ndarray
    error: np.ndarray
    min_posterior: float
    data_digest: str
    _explanations: Optional[dict] = dataclasses.field(default=None, repr=False)

    @property
    def row(self):
        """The row of each entry of cause, probability and error."""
        return np.repeat(np.arange(len(self.end)), np.diff(self.end, prepend=0))

    def probabilities(self):
        """N x n: P(cause | row); 0 where a cause was not listed, as it is less likely than
        min_posterior; NaN in a row that is impossible."""
        matrix = np.zeros((len(self.end), len(self.causes)))
        matrix[self.method == "impossible"] = np.nan
        matrix[self.row, self.cause] = self.probability
        return matrix

    def to_scipy(self):
        """The same as a CSR matrix of the listed entries; an impossible row is empty."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.probability, self.cause, np.concatenate([[0], self.end])),
                          shape=(len(self.end), len(self.causes)))

    def to_pandas(self, index=None):
        """DataFrame, a row per row and a column per cause, as probabilities() has them.

        index  names of the rows: read_samples(data, as_="pandas").index
        """
        import pandas

        return pandas.DataFrame(self.probabilities(), index=index, columns=self.causes)

    def evidence(self, index=None):
        """DataFrame: log_evidence, log_evidence_error, method, effective_samples of each row."""
        import pandas

        names = ("log_evidence", "log_evidence_error", "method", "effective_samples")
        return pandas.DataFrame({name: getattr(self, name) for name in names}, index=index)

    def explanations(self, row):
        """The row's most probable states of all causes, the most probable first: list of Explanation.

        It is empty if the file was written with --top 0, or if the row is impossible.
        """
        stored = self._explanations
        if stored is None:
            return []
        found = []
        for place in range(row * stored["top"], (row + 1) * stored["top"]):
            if np.isnan(stored["log_probability"][place]):
                break
            begin = stored["end"][place - 1] if place > 0 else 0
            present = stored["cause"][begin:stored["end"][place]]
            found.append(Explanation([self.causes[cause] for cause in present],
                                     float(np.exp(stored["log_probability"][place])),
                                     bool(stored["proven"][place])))
        return found


@dataclasses.dataclass
class Prediction:
    """What `orrery infer` found of N rows of signs on a tree.

    variables     list of k str: names
    probability   N x k: P(hidden sign is +1 | given values), NaN: the row is impossible
    log_evidence  N: log P(the given values of the row) in nats, -infinity: impossible
    given         int: how many variables were looked at
    crossover     float: P(the observed sign is the opposite of the hidden one)
    data_digest   16 hexadecimal digits: the samples
    """

    variables: List[str]
    probability: np.ndarray
    log_evidence: np.ndarray
    given: int
    crossover: float
    data_digest: str

    def observed_probability(self):
        """N x k: P(the variable is observed as on | given values)."""
        return self.crossover + (1 - 2 * self.crossover) * self.probability

    def to_pandas(self, index=None):
        """DataFrame, a row per row and a column per variable: `probability`."""
        import pandas

        return pandas.DataFrame(self.probability, index=index, columns=self.variables)


def read_posterior(path):
    """The answers of `orrery infer`: a Posterior or, of signs on a tree, a Prediction.

    Every digest is compared. Raises FileError if the file is not orrery's, has another schema, holds
    no answers (a model is named), or is damaged. Answers that were written as CSV or JSON are read
    with pandas and json.
    """
    with stored_file(path) as file:
        group = file.first_of(["posterior", "prediction"], "read_posterior")
        return _prediction(group) if group.name == "prediction" else _posterior(group)


def _ends(group, n, n_entries):
    end = group.numbers("end", (n,)).astype(np.int64)
    if (np.diff(end, prepend=0) < 0).any() or (end[-1] if n else 0) != n_entries:
        raise FileError(f"{group.path}/end does not divide {n_entries} entries; {DAMAGED}")
    return end


def _posterior(group):
    n = group.attribute("n_samples")
    probability = group.numbers("probability")
    explanations = None
    top = group.attribute("top")
    if top > 0:
        part = group.group("explanations")
        cause = part.numbers("cause")
        explanations = {
            "top": top, "cause": cause, "end": _ends(part, n * top, len(cause)),
            "log_probability": part.numbers("log_probability", (n * top,)),
            "proven": part.numbers("proven", (n * top,)),
        }
    return Posterior(
        causes=group.texts("causes"), log_evidence=group.numbers("log_evidence", (n,)),
        log_evidence_error=group.numbers("log_evidence_error", (n,)),
        method=METHODS[group.numbers("method", (n,))],
        effective_samples=group.numbers("effective_samples", (n,)),
        end=_ends(group, n, len(probability)),
        cause=group.numbers("cause", probability.shape).astype(np.int64), probability=probability,
        error=group.numbers("error", probability.shape),
        min_posterior=group.attribute("min_posterior"), data_digest=group.attribute("data_digest"),
        _explanations=explanations)


def _prediction(group):
    n = group.attribute("n_samples")
    variables = group.texts("variables")
    probability = group.numbers("probability", (n * len(variables),))
    return Prediction(
        variables=variables, probability=probability.reshape(n, len(variables)),
        log_evidence=group.numbers("log_evidence", (n,)), given=group.attribute("given"),
        crossover=group.attribute("crossover"), data_digest=group.attribute("data_digest"))
