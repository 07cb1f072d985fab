"""The version of the package is the project's, which CMakeLists.txt sets; all else is in pyproject.toml."""
import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent


def version():
    """What project() in CMakeLists.txt says; of a source distribution, which has none, PKG-INFO."""
    for path, pattern in (
        (HERE.parent.parent / "CMakeLists.txt", r"project\(orrery VERSION ([0-9.]+)"),
        (HERE / "PKG-INFO", r"(?m)^Version: (.+)$"),
    ):
        found = re.search(pattern, path.read_text(encoding="utf-8")) if path.is_file() else None
        if found:
            return found.group(1)
    raise SystemExit("setup.py: no version: neither ../../CMakeLists.txt nor PKG-INFO says it; "
                     "install from the folder src/python of the project")


setup(version=version())
