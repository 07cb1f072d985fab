#!/usr/bin/env python3
"""check_networks.py NAME: are NAME.bif, NAME.xmlbif and NAME.uai the network that `infer` went by?

Reads the three with readers of its own, sums over all states of the hidden variables, and compares
with NAME.infer.json, the answers for the rows of NAME.rows.csv. Then asks the programs that are
installed: toulbar2, and pgmpy, pyAgrum and bnlearn where they can be imported.
"""
import csv
import importlib.util
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml


class Variable:
    def __init__(self, states):
        self.states = states
        self.parents = []
        self.rows = {}  # by the parents' states, in words: P(each state)


def read_bif(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//.*", "", file.read())
    network = {}
    word = r"[A-Za-z_]\w*"
    for name, n, states in re.findall(
            rf"variable ({word}) {{\s*type discrete \[ (\d+) \] {{ ([^}}]*) }};\s*}}", text, re.ASCII):
        network[name] = Variable(states.split(", "))
        assert len(network[name].states) == int(n), name
        assert all(re.fullmatch(word, state, re.ASCII) for state in network[name].states), states
    assert len(network) == text.count("variable "), "a name is no identifier"
    for name, parents, body in re.findall(
            rf"probability \( ({word})(?: \| ([^)]*))? \) {{(.*?)}}", text, re.ASCII | re.DOTALL):
        network[name].parents = parents.split(", ") if parents else []
        for states, numbers in re.findall(r"(?:table|\(([^)]*)\)) ([^;]*);", body):
            key = tuple(states.split(", ")) if states else ()
            network[name].rows[key] = [float(x) for x in numbers.split(", ")]
    return network


def in_order(network, variable, numbers):
    """Rows from numbers in which the variable's own state changes fastest, its last parent's next."""
    width = len(variable.states)
    keys = itertools.product(*(network[parent].states for parent in variable.parents))
    rows = [numbers[i:i + width] for i in range(0, len(numbers), width)]
    return dict(zip(keys, rows, strict=True))


def read_xmlbif(path):
    root = xml.parse(path).getroot()
    assert root.get("VERSION") == "0.3"
    network = {}
    for entry in root.iter("VARIABLE"):
        network[entry.find("NAME").text] = Variable([state.text for state in entry.iter("OUTCOME")])
    for entry in root.iter("DEFINITION"):
        variable = network[entry.find("FOR").text]
        variable.parents = [parent.text for parent in entry.iter("GIVEN")]
        numbers = [float(x) for x in entry.find("TABLE").text.split()]
        variable.rows = in_order(network, variable, numbers)
    return network


def read_uai(path):
    with open(path, encoding="ascii") as file:
        words = iter(file.read().split())
    assert next(words) == "BAYES"
    number = lambda: int(next(words))
    n = number()
    network = {str(i): Variable([str(s) for s in range(number())]) for i in range(n)}
    assert number() == n
    for i in range(n):
        scope = [next(words) for _ in range(number())]
        assert scope.pop() == str(i)
        network[str(i)].parents = scope
    for variable in network.values():
        variable.rows = in_order(network, variable, [float(next(words)) for _ in range(number())])
    assert next(words, None) is None
    return network


def read_names(path):
    """{name: (written name, {state: written state})}"""
    names = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            states = names.setdefault(row["name"], (row["written_name"], {}))[1]
            states[row["state"]] = row["written_state"]
    return names


def findings_of(row, names):
    """What is seen of a row: {written name: written state}. A tree's signs are seen with noise."""
    seen = {}
    for name, value in row.items():
        if value == "":
            continue
        written, states = names.get(name + "_observed", names[name])
        usual = list(states) == ["off", "on"]
        seen[written] = states[["off", "on"][int(value)] if usual else value]
    return seen


def probability(network, state):
    p = 1.0
    for name, variable in network.items():
        row = variable.rows[tuple(state[parent] for parent in variable.parents)]
        p *= row[variable.states.index(state[name])]
    return p


def joint(network, seen):
    """[(state of all variables, its probability)] of those that agree with what is seen."""
    hidden = [name for name in network if name not in seen]
    states = itertools.product(*(network[name].states for name in hidden))
    whole = [{**seen, **dict(zip(hidden, state))} for state in states]
    return [(state, probability(network, state)) for state in whole]


def questions_of(result, names):
    """(written name, written state, P(it | row)) of what `infer` says of a row."""
    for cause in result.get("causes", []):
        if cause["name"] in names:
            written, states = names[cause["name"]]
            yield written, states["on"], cause["posterior"]
        else:
            name, state = cause["name"].rsplit(" = ", 1)
            yield names[name][0], names[name][1][state], cause["posterior"]
    for variable in result.get("variables", []):
        written, states = names[variable["name"]]
        yield written, states["on"], variable["on"]


def expect(what, found, wanted, tolerance):
    global n_compared
    n_compared += 1
    assert abs(found - wanted) <= tolerance, f"{what}: {found}, but infer says {wanted}"


def compare(path, read, rows, results):
    names = read_names(f"{path}.csv")
    network = read(path)
    for row, result in zip(rows, results, strict=True):
        seen = findings_of(row, names)
        states = joint(network, seen)
        total = math.fsum(p for _, p in states)
        expect(f"{path}, log evidence", math.log(total), result["log_evidence"], 1e-9)
        for name, state, posterior in questions_of(result, names):
            found = math.fsum(p for s, p in states if s[name] == state) / total
            expect(f"{path}, {name}", found, posterior, 1e-9)
    return network


def log_evidence_of_toulbar2(path, seen):
    with open("seen.evid", "w", encoding="ascii") as file:
        file.write(f"1\n{len(seen)} " + " ".join(f"{v} {s}" for v, s in seen.items()) + "\n")
    said = subprocess.run(["toulbar2", path, "seen.evid", "-logz"], capture_output=True, text=True,
                          check=True).stdout
    low, high = re.search(r"([-.e\d]+) <= Log\(Z\) <= ([-.e\d]+)", said).groups()
    assert low == high, said
    return float(low)


def ask_toulbar2(path, rows, results):
    """A posterior is the ratio of two partition functions, whose logarithms have three decimals."""
    names = read_names(f"{path}.csv")
    for row, result in zip(rows, results):
        seen = findings_of(row, names)
        before = log_evidence_of_toulbar2(path, seen)
        expect("toulbar2, log evidence", before, result["log_evidence"], 0.001)
        for name, state, posterior in questions_of(result, names):
            both = log_evidence_of_toulbar2(path, {**seen, name: state}) if posterior > 1e-6 else -99
            expect(f"toulbar2, {name}", math.exp(both - before), posterior, 0.0015)


def ask_pgmpy(stem, rows, results):
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader, XMLBIFReader
    for reader, kind in (BIFReader, "bif"), (XMLBIFReader, "xmlbif"):
        names = read_names(f"{stem}.{kind}.csv")
        engine = VariableElimination(reader(f"{stem}.{kind}").get_model())
        for row, result in zip(rows, results):
            for name, state, posterior in questions_of(result, names):
                answer = engine.query([name], evidence=findings_of(row, names), show_progress=False)
                expect(f"pgmpy, {kind}, {name}", answer.get_value(**{name: state}), posterior, 1e-6)


def ask_agrum(agrum, stem, rows, results):
    for kind, ending in ("bif", "bif"), ("xmlbif", "bifxml"), ("uai", "uai"):
        shutil.copy(f"{stem}.{kind}", f"copy.{ending}")
        names = read_names(f"{stem}.{kind}.csv")
        network = agrum.loadBN(f"copy.{ending}")
        for row, result in zip(rows, results):
            engine = agrum.LazyPropagation(network)
            seen = findings_of(row, names)
            engine.setEvidence({(int(n) if kind == "uai" else n): s for n, s in seen.items()})
            engine.makeInference()
            for name, state, posterior in questions_of(result, names):
                node = int(name) if kind == "uai" else name
                place = list(network.variable(node).labels()).index(state)
                expect(f"pyAgrum, {kind}, {name}", engine.posterior(node)[place], posterior, 1e-6)


def ask_bnlearn(stem, network):
    """That it reads every name and number; its answers are by simulation."""
    script = (f'suppressMessages(library(bnlearn)); f <- read.bif("{stem}.bif"); '
              "for (n in nodes(f)) cat(n, as.vector(f[[n]]$prob), sep = ' ', fill = FALSE, '\\n')")
    said = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True).stdout
    read = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in said.splitlines()}
    assert set(read) == set(network), read
    for name, variable in network.items():
        ours = sorted(p for row in variable.rows.values() for p in row)
        for found, wanted in zip(sorted(read[name]), ours, strict=True):
            expect(f"bnlearn, {name}", found, wanted, 1e-6)


def has_bnlearn():
    if shutil.which("Rscript") is None:
        return False
    test = subprocess.run(["Rscript", "-e", "library(bnlearn)"], capture_output=True, check=False)
    return test.returncode == 0


def main(stem):
    with open(f"{stem}.infer.json", encoding="utf-8") as file:
        results = json.load(file)["results"]
    with open(f"{stem}.rows.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    network = compare(f"{stem}.bif", read_bif, rows, results)
    compare(f"{stem}.xmlbif", read_xmlbif, rows, results)
    compare(f"{stem}.uai", read_uai, rows, results)
    asked = []
    if shutil.which("toulbar2"):
        ask_toulbar2(f"{stem}.uai", rows, results)
        asked.append("toulbar2")
    if importlib.util.find_spec("pgmpy"):
        ask_pgmpy(stem, rows, results)
        asked.append("pgmpy")
    for agrum in "pyagrum", "pyAgrum":
        if importlib.util.find_spec(agrum) and "pyAgrum" not in asked:
            ask_agrum(importlib.import_module(agrum), stem, rows, results)
            asked.append("pyAgrum")
    if has_bnlearn():
        ask_bnlearn(stem, network)
        asked.append("bnlearn")
    print(f"{stem}: {n_compared} numbers compared; asked {', '.join(asked) or 'no other program'}")


n_compared = 0
main(sys.argv[1])
