"""Linear networks: x = A h + noise, hidden causes h that may depend on one another."""
import dataclasses
from typing import Dict, List, Optional

import numpy as np

from .models import Model, origin_of


@dataclasses.dataclass
class LinearLevel:
    """A level of causes above others.

    causes    list of str: their names
    loadings  variables of the level below x causes of this one
    noise     variances, one for each variable of the level below
    """

    causes: List[str]
    loadings: np.ndarray
    noise: np.ndarray


@dataclasses.dataclass
class LinearModel(Model):
    """n variables, k causes. Standard errors are None if not known, and NaN where one is not known.

    law                "gaussian", "skewed" or "heavy-tailed"
    observed, causes   lists of str: names
    means, noise       n: means, and variances of the noise; noise_errors: standard errors
    loadings           n x k: A, 0: no edge; loading_errors: standard errors
    loading_estimates  n x k: before those that are not significant were set to 0; None: not known
    covariance         of the causes (of the highest level, if there are levels) in both dimensions;
                       None: the identity, or as follows from the coupling; covariance_errors: k x k
    coupling           k x k: entry (i, j) is the effect of cause j on cause i; None: there is none
    innovations        k: variances beside the coupling; coupling_errors: k x k
    levels             list of LinearLevel, from below upwards
    rank_test          dict of arrays rank, statistic, expected, error: steps of the test of the
                       number of causes; None: there was none
    """

    law: str
    observed: List[str]
    means: np.ndarray
    noise: np.ndarray
    noise_errors: Optional[np.ndarray]
    causes: List[str]
    loadings: np.ndarray
    loading_errors: Optional[np.ndarray]
    loading_estimates: Optional[np.ndarray]
    covariance: Optional[np.ndarray]
    covariance_errors: Optional[np.ndarray]
    coupling: Optional[np.ndarray]
    coupling_errors: Optional[np.ndarray]
    innovations: Optional[np.ndarray]
    levels: List[LinearLevel]
    rank_test: Optional[Dict[str, np.ndarray]]

    def edges(self):
        """DataFrame: cause, observed, loading; loading_error if known. By cause, then by variable."""
        import pandas

        cause, observed = np.nonzero(self.loadings.T)
        table = pandas.DataFrame({
            "cause": np.array(self.causes, dtype=object)[cause],
            "observed": np.array(self.observed, dtype=object)[observed],
            "loading": self.loadings[observed, cause],
        })
        if self.loading_errors is not None:
            table["loading_error"] = self.loading_errors[observed, cause]
        return table


def _levels(group):
    if "levels" not in group:
        return []
    part = group.group("levels")
    found = []
    while str(len(found)) in part:
        level = part.group(str(len(found)))
        found.append(LinearLevel(level.texts("name"), level.numbers("loading"), level.numbers("noise")))
    return found


def _rank_test(group):
    if "rank_test" not in group:
        return None
    part = group.group("rank_test")
    return {name: part.numbers(name) for name in ("rank", "statistic", "expected", "error")}


def read(group):
    """The LinearModel of /linear."""
    observed, causes, loadings = group.group("observed"), group.group("causes"), group.group("loadings")
    names, cause_names = observed.texts("name"), causes.texts("name")
    n, k = (len(names),), (len(cause_names),)
    return LinearModel(
        **origin_of(group, "linear"),
        law=group.attribute("law"), observed=names, means=observed.numbers("mean", n),
        noise=observed.numbers("noise", n),
        noise_errors=observed.optional_numbers("noise_error", n), causes=cause_names,
        loadings=loadings.numbers("value", n + k),
        loading_errors=loadings.optional_numbers("error", n + k),
        loading_estimates=loadings.optional_numbers("estimate", n + k),
        covariance=causes.optional_numbers("covariance"),
        covariance_errors=causes.optional_numbers("covariance_error", k + k),
        coupling=causes.optional_numbers("coupling", k + k),
        coupling_errors=causes.optional_numbers("coupling_error", k + k),
        innovations=causes.optional_numbers("innovation", k),
        levels=_levels(group), rank_test=_rank_test(group))
