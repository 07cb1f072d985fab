"""Noisy-OR networks, whose causes may depend on one another and may have anchors."""
import dataclasses
from typing import Dict, List, Optional

import numpy as np

from .models import Model, origin_of


@dataclasses.dataclass
class CauseTable:
    """How a cause depends on other causes.

    parents  array of int: the causes it depends on, rising
    on       2^len(parents) probabilities: P(cause = 1 | parents); bit i of a value's place is the
             value of parent i
    """

    parents: np.ndarray
    on: np.ndarray


@dataclasses.dataclass
class Anchor:
    """A variable that one cause alone switches on.

    cause, observed      int: their places
    columns              list of str: the columns of which the variable is the union; empty: itself
    off, on              P(anchor = 1 | cause = 0) and P(anchor = 1 | cause = 1); None: not told
    off_error, on_error  standard errors; 0: given; NaN: not known; None: not told
    source               str: where the rates come from; None: not told
    """

    cause: int
    observed: int
    columns: List[str]
    off: Optional[float] = None
    on: Optional[float] = None
    off_error: Optional[float] = None
    on_error: Optional[float] = None
    source: Optional[str] = None


@dataclasses.dataclass
class NoisyOrModel(Model):
    """n causes, m variables, e edges sorted by cause and variable.

    causes, observed                          lists of str: names
    priors, leaks, failures                   n, m, e: probabilities
    edge_cause, edge_observed                 e: the places of an edge's cause and variable
    prior_errors, leak_errors, failure_errors n, m, e: standard errors, NaN: not known; or all None
    provenance    dict of arrays of n (quartet: n x 4): depth, quartet, statistic, statistic_error,
                  support, as README of the project describes them; None if nothing was learned
    cause_tables  list of n CauseTable; None if the causes are independent
    anchors       list of Anchor
    moments       dict of order (int) and cell (array): see README of the project; None: not known
    resamples     int: bootstrap resamples learned from; 0: stability was not measured
    cause_stability, edge_stability           n, e: share of the resamples with it; or both None
    """

    causes: List[str]
    priors: np.ndarray
    observed: List[str]
    leaks: np.ndarray
    edge_cause: np.ndarray
    edge_observed: np.ndarray
    failures: np.ndarray
    prior_errors: Optional[np.ndarray]
    leak_errors: Optional[np.ndarray]
    failure_errors: Optional[np.ndarray]
    provenance: Optional[Dict[str, np.ndarray]]
    cause_tables: Optional[List[CauseTable]]
    anchors: List[Anchor]
    moments: Optional[dict]
    resamples: int
    cause_stability: Optional[np.ndarray]
    edge_stability: Optional[np.ndarray]

    def failure_matrix(self):
        """n x m probabilities that a present cause does not switch a variable on; no edge: 1."""
        matrix = np.ones((len(self.causes), len(self.observed)))
        matrix[self.edge_cause, self.edge_observed] = self.failures
        return matrix

    def edges(self):
        """DataFrame: cause, observed, failure, strength; failure_error, stability, anchor if known."""
        import pandas

        table = pandas.DataFrame({
            "cause": np.array(self.causes, dtype=object)[self.edge_cause],
            "observed": np.array(self.observed, dtype=object)[self.edge_observed],
            "failure": self.failures,
            "strength": 1 - self.failures,
        })
        if self.failure_errors is not None:
            table["failure_error"] = self.failure_errors
        if self.edge_stability is not None:
            table["stability"] = self.edge_stability
        if self.anchors:
            anchors = {(anchor.cause, anchor.observed) for anchor in self.anchors}
            table["anchor"] = [pair in anchors for pair in zip(self.edge_cause, self.edge_observed)]
        return table

    def cause_frame(self):
        """DataFrame, a row per cause: prior; prior_error, stability and provenance if known."""
        import pandas

        table = pandas.DataFrame({"prior": self.priors}, index=pandas.Index(self.causes, name="cause"))
        if self.prior_errors is not None:
            table["prior_error"] = self.prior_errors
        if self.cause_stability is not None:
            table["stability"] = self.cause_stability
        for name, values in (self.provenance or {}).items():
            if name != "quartet":
                table[name] = values
        return table

    def observed_frame(self):
        """DataFrame, a row per variable: leak; leak_error if known."""
        import pandas

        table = pandas.DataFrame({"leak": self.leaks}, index=pandas.Index(self.observed, name="observed"))
        if self.leak_errors is not None:
            table["leak_error"] = self.leak_errors
        return table


def _provenance(group, n):
    if "provenance" not in group:
        return None
    part = group.group("provenance")
    names = ("depth", "quartet", "statistic", "statistic_error", "support")
    shapes = {"quartet": (n, 4)}
    return {name: part.numbers(name, shapes.get(name, (n,))) for name in names if name in part}


def _anchors(group):
    if "anchors" not in group:
        return []
    part = group.group("anchors")
    cause, observed = part.numbers("cause"), part.numbers("observed")
    columns = part.lists("n_columns", "column")
    fields = {name: part.optional_numbers(name, cause.shape)
              for name in ("off", "on", "off_error", "on_error")}
    fields["source"] = part.optional_texts("source")
    told = {name: values for name, values in fields.items() if values is not None}
    return [Anchor(int(cause[i]), int(observed[i]), list(columns[i]),
                   **{name: values[i] if name == "source" else float(values[i])
                      for name, values in told.items()})
            for i in range(len(cause))]


def read(group):
    """The NoisyOrModel of /model, or of /anchored, as earlier versions called one with anchors."""
    causes, observed, edges = group.group("causes"), group.group("observed"), group.group("edges")
    cause_names, observed_names = causes.texts("name"), observed.texts("name")
    n, m = (len(cause_names),), (len(observed_names),)
    failures = edges.numbers("failure")
    tables = None
    if "cause_tables" in group:
        part = group.group("cause_tables")
        parents, on = part.lists("n_parents", "parent"), part.numbers("on")
        ends = np.cumsum([1 << len(of_cause) for of_cause in parents], dtype=np.int64)
        tables = [CauseTable(of_cause, values)
                  for of_cause, values in zip(parents, np.split(on, ends[:-1]))]
    moments = None
    if "moments" in group:
        part = group.group("moments")
        moments = {"order": int(part.attribute("order")), "cell": part.numbers("cell")}
    stability = group.group("stability") if "stability" in group else None
    return NoisyOrModel(
        **origin_of(group, "noisy-OR"),
        causes=cause_names, priors=causes.numbers("prior", n),
        observed=observed_names, leaks=observed.numbers("leak", m),
        edge_cause=edges.numbers("cause", failures.shape).astype(np.int64),
        edge_observed=edges.numbers("observed", failures.shape).astype(np.int64),
        failures=failures,
        prior_errors=causes.optional_numbers("prior_error", n),
        leak_errors=observed.optional_numbers("leak_error", m),
        failure_errors=edges.optional_numbers("failure_error", failures.shape),
        provenance=_provenance(group, n[0]), cause_tables=tables, anchors=_anchors(group),
        moments=moments,
        resamples=int(stability.attribute("resamples")) if stability else 0,
        cause_stability=stability.numbers("cause", n) if stability else None,
        edge_stability=stability.numbers("edge", failures.shape) if stability else None)
