"""Files of orrery in Python: samples, models and posteriors as arrays and tables, and the program itself.

`read_samples`, `read_model` and `read_posterior` read HDF5 files of schema 1 and compare every
digest. `write_samples` and `run` call the program, which is found on PATH or by the environment
variable ORRERY. numpy and h5py are needed; pandas and scipy for results of these kinds only.
"""
from importlib import metadata as _metadata

from .errors import FileError, OrreryError, StoppedError
from .categorical import CategoricalModel
from .linear import LinearLevel, LinearModel
from .models import Model, read_model
from .noisy_or import Anchor, CauseTable, NoisyOrModel
from .posterior import Explanation, Posterior, Prediction, read_posterior
from .program import find_program, run
from .samples import Samples, read_samples
from .sign_tree import SignTreeModel
from .writing import write_samples

try:
    __version__ = _metadata.version("orrery")
except _metadata.PackageNotFoundError:  # imported from its folder without having been installed
    __version__ = "not installed"

__all__ = [
    "Anchor", "CategoricalModel", "CauseTable", "Explanation", "FileError", "LinearLevel",
    "LinearModel", "Model", "NoisyOrModel", "OrreryError", "Posterior", "Prediction", "Samples",
    "SignTreeModel", "StoppedError", "find_program", "read_model", "read_posterior",
    "read_samples", "run", "write_samples",
]
