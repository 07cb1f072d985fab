"""Files of every family, made by the program in the test's folder when they are first asked for."""
import csv
import json
import os
import subprocess

PROGRAM = os.environ["ORRERY"]
PROJECT = os.environ["PROJECT"]

# A network, its rows, and how a model is learned, as in tests/golden.
FAMILIES = {
    "noisy_or": ("img", 1000, ["quartet", "--stability", "2"]),
    "dependent": ("anchored:tree:4,24", 2000, ["quartet"]),
    "anchored": ("anchored:tree:4,24", 2000, ["anchored", "--anchors", "anchors.csv"]),
    "tree": ("tree:recursive:12", 1000, ["tree"]),
    "free_tree": ("tree:recursive:12", 1000, ["tree", "--marginals", "free", "--crossover", "0.05"]),
    "linear": ("linear:caterpillar:3,4", 2000, ["linear"]),
    "levels": ("linear:ternary:4", 20_000, ["linear", "--model", "multilevel"]),
    "coupled": ("linear:caterpillar:3,4", 20_000, ["linear", "--model", "effective-depth-one"]),
    "categorical": ("categorical:1,2,8", 300, ["sep", "--causes", "2-3"]),
    "two_parents": ("categorical:2,3,6", 200, ["sep", "--causes", "3", "--parents", "2"]),
}
OPTIONS = {"coupled": ["--cause-law", "skewed"]}


def orrery(*arguments):
    """What the program prints. Raises CalledProcessError."""
    done = subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8")
    return done.stdout


def data_of(family):
    path = f"{family}.data.h5"
    if not os.path.exists(path):
        network, rows, _ = FAMILIES[family]
        orrery("sample", "--network", network, "--samples", str(rows), "--seed", "3", "-o", path,
               *OPTIONS.get(family, []))
    return path


def model_of(family):
    path = f"{family}.model.h5"
    if not os.path.exists(path):
        data = data_of(family)
        if family == "anchored":
            orrery("export", data, "--format", "anchors", "-o", "anchors.csv")
        orrery("learn", *FAMILIES[family][2], data, "--seed", "5", "-o", path)
    return path


def exported_json(path):
    return json.loads(orrery("export", path, "--format", "json", "-o", "-"))


def exported_csv(path, *options):
    """Lists of cells, the header first."""
    text = orrery("export", path, "--format", "csv", *options, "-o", "-")
    return list(csv.reader(text.splitlines()))
