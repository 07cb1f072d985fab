"""Models of every family of networks: what they have in common, and how one is read."""
import dataclasses
from typing import List, Optional

from .stored_file import stored_file


@dataclasses.dataclass
class Model:
    """What every model says of where it comes from.

    family       "noisy-OR", "sign tree", "linear" or "categorical"
    learner      str: the method; "" if nothing was learned
    data_digest  16 hexadecimal digits: the samples learned from; None if there are none
    n_samples    int: how many they are; 0: exact moments, or nothing was learned
    remarks      list of str: what the learner has to say
    """

    family: str
    learner: str
    data_digest: Optional[str]
    n_samples: int
    remarks: List[str]

    def edges(self):
        """A pandas DataFrame with a row per edge. Raises ImportError without pandas."""
        raise NotImplementedError


def origin_of(group, family):
    """What Model holds, as keyword arguments."""
    digest = group.attribute("data_digest")
    return {
        "family": family,
        "learner": group.attribute("learner", ""),
        "data_digest": None if digest is None or set(digest) == {"0"} else digest,
        "n_samples": int(group.attribute("n_samples", 0)),
        "remarks": group.optional_texts("remarks") or [],
    }


def read_model(path):
    """The model of a file: what `orrery learn`, `orrery params` and `orrery rename` write, or the true
    network beside samples that `orrery sample` drew.

    Returns a NoisyOrModel, SignTreeModel, LinearModel or CategoricalModel, all of them a Model. Every
    digest is compared. Raises FileError if the file is not orrery's, has another schema, holds no
    model (samples are named), or is damaged.
    """
    from . import categorical, linear, noisy_or, sign_tree

    readers = {
        "model": noisy_or.read, "anchored": noisy_or.read, "tree": sign_tree.read,
        "linear": linear.read, "categorical_network": categorical.read,
    }
    with stored_file(path) as file:
        group = file.first_of(list(readers), "read_model")
        return readers[group.name](group)
