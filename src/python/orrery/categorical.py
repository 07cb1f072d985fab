"""Categorical networks: variables and hidden causes of several states."""
import dataclasses
from typing import Dict, List, Optional

import numpy as np

from .errors import FileError
from .models import Model, origin_of
from .stored_file import DAMAGED


@dataclasses.dataclass
class CategoricalModel(Model):
    """K causes, D variables.

    causes         list of str: names
    priors         list of K arrays: probabilities of a cause's states
    observed       list of str: names
    categories     list of D lists of str
    parents        list of D arrays of int: the causes of a variable, rising
    tables         list of D arrays, states of the parents x categories: P(category | states); the
                   state of the first parent changes fastest
    counts         the same: Dirichlet pseudocounts, NaN: not known; None if none is known
    log_evidence   float, nats; None: there is none; evidence_kind: str, what it is of
    parent_sets    list of arrays of int, and
    structure      D x parent sets: the probability of each for each variable; both None: not known
    modes          list of dicts variable, parents, log_evidence: structures not ruled out
    choices        dict of arrays n_causes, held_out (nats per row), error: numbers of causes that
                   were tried; None: none was
    """

    causes: List[str]
    priors: List[np.ndarray]
    observed: List[str]
    categories: List[List[str]]
    parents: List[np.ndarray]
    tables: List[np.ndarray]
    counts: Optional[List[np.ndarray]]
    log_evidence: Optional[float]
    evidence_kind: str
    parent_sets: Optional[List[np.ndarray]]
    structure: Optional[np.ndarray]
    modes: List[dict]
    choices: Optional[Dict[str, np.ndarray]]

    def edges(self):
        """DataFrame: cause, observed; strength, the most by which the cause changes P(category)
        while the other parents keep their states (total variation)."""
        import pandas

        rows = [(self.causes[cause], self.observed[i], self._strength(i, place))
                for i, of_variable in enumerate(self.parents)
                for place, cause in enumerate(of_variable)]
        return pandas.DataFrame(rows, columns=["cause", "observed", "strength"])

    def _strength(self, variable, place):
        sizes = [len(self.priors[cause]) for cause in self.parents[variable]]
        table = self.tables[variable].reshape(*reversed(sizes), -1)
        states = np.moveaxis(table, len(sizes) - 1 - place, 0)
        distances = np.abs(states[:, None] - states[None]).sum(axis=-1) / 2
        return float(distances.max())

    def probabilities(self):
        """DataFrame, a row per variable, state of its parents and category: observed, states (a tuple
        of the parents' states), category, probability."""
        import pandas

        rows = []
        for i, table in enumerate(self.tables):
            sizes = [len(self.priors[cause]) for cause in self.parents[i]]
            for state, row in enumerate(table):
                states = tuple(int(s) for s in np.unravel_index(state, sizes, order="F")) if sizes else ()
                rows += [(self.observed[i], states, category, probability)
                         for category, probability in zip(self.categories[i], row)]
        return pandas.DataFrame(rows, columns=["observed", "states", "category", "probability"])


def _tables(part, name, shapes):
    """A list of tables that are stored one after another."""
    values = part.numbers(name)
    ends = np.cumsum([rows * columns for rows, columns in shapes], dtype=np.int64)
    if len(values) != (ends[-1] if len(ends) else 0):
        raise FileError(f"{part.path}/{name} has {len(values)} values, but the tables of the "
                        f"variables have {ends[-1] if len(ends) else 0}; {DAMAGED}")
    return [table.reshape(shape) for table, shape in zip(np.split(values, ends[:-1]), shapes)]


def _modes(group):
    if "modes" not in group:
        return []
    part = group.group("modes")
    parents = part.lists("n_parents", "parent")
    return [{"variable": int(variable), "parents": of_mode, "log_evidence": float(log_evidence)}
            for variable, of_mode, log_evidence in zip(part.numbers("variable"), parents,
                                                       part.numbers("log_evidence"))]


def read(group):
    """The CategoricalModel of /categorical_network."""
    causes, observed = group.group("causes"), group.group("observed")
    priors = causes.lists("cardinality", "prior")
    parents = observed.lists("n_parents", "parent")
    categories = observed.lists("n_categories", "category")
    shapes = [(int(np.prod([len(priors[cause]) for cause in of_variable], dtype=np.int64)),
               len(of_categories))
              for of_variable, of_categories in zip(parents, categories)]
    structure = group.group("structure") if "structure" in group else None
    choices = group.group("choices") if "choices" in group else None
    kind = group.attribute("evidence_kind", "")
    return CategoricalModel(
        **origin_of(group, "categorical"),
        causes=causes.texts("name"), priors=priors, observed=observed.texts("name"),
        categories=categories, parents=[of_variable.astype(np.int64) for of_variable in parents],
        tables=_tables(observed, "table", shapes),
        counts=_tables(observed, "counts", shapes) if "counts" in observed else None,
        log_evidence=float(group.attribute("log_evidence")) if kind else None, evidence_kind=kind,
        parent_sets=structure.lists("n_parents", "parent") if structure else None,
        structure=structure.numbers("probability") if structure else None,
        modes=_modes(group),
        choices={name: choices.numbers(name) for name in ("n_causes", "held_out", "error")}
        if choices else None)
