"""Trees of hidden signs that were seen through noise."""
import dataclasses
from typing import List, Optional

import numpy as np

from .models import Model, origin_of


@dataclasses.dataclass
class SignTreeModel(Model):
    """p hidden signs (+1 and -1) and e edges, e < p.

    variables           list of str: names
    means               p: E[X_i] of the hidden sign
    edge_a, edge_b      e: the places of an edge's variables, a < b
    edge_moments        e: E[X_a X_b] of the hidden signs
    edge_moment_errors  e: standard errors, NaN: not known; None if none is known
    crossover           float: P(the observed sign is the opposite of the hidden one)
    crossover_error     float: its standard error; 0: it was given; NaN: not known
    """

    variables: List[str]
    means: np.ndarray
    edge_a: np.ndarray
    edge_b: np.ndarray
    edge_moments: np.ndarray
    edge_moment_errors: Optional[np.ndarray]
    crossover: float
    crossover_error: float

    def edges(self):
        """DataFrame: a, b, moment, correlation (of the hidden signs); moment_error if known."""
        import pandas

        names = np.array(self.variables, dtype=object)
        mean_a, mean_b = self.means[self.edge_a], self.means[self.edge_b]
        spread = np.sqrt((1 - mean_a**2) * (1 - mean_b**2))
        table = pandas.DataFrame({
            "a": names[self.edge_a],
            "b": names[self.edge_b],
            "moment": self.edge_moments,
            "correlation": (self.edge_moments - mean_a * mean_b) / spread,
        })
        if self.edge_moment_errors is not None:
            table["moment_error"] = self.edge_moment_errors
        return table


def read(group):
    """The SignTreeModel of /tree."""
    variables, edges = group.group("variables"), group.group("edges")
    names = variables.texts("name")
    moments = edges.numbers("moment")
    return SignTreeModel(
        **origin_of(group, "sign tree"),
        variables=names, means=variables.numbers("mean", (len(names),)),
        edge_a=edges.numbers("a", moments.shape).astype(np.int64),
        edge_b=edges.numbers("b", moments.shape).astype(np.int64),
        edge_moments=moments,
        edge_moment_errors=edges.optional_numbers("moment_error", moments.shape),
        crossover=float(group.attribute("crossover")),
        crossover_error=float(group.attribute("crossover_error", 0.0)))
