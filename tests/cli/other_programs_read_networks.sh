#!/usr/bin/env bash
# export: what other programs read of networks is what infer goes by: BIF, XMLBIF and UAI by an own
# reader and by those that are installed, GraphML by networkx and igraph, DOT by Graphviz.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip 'Python 3.10 reads the files'
here=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

# Names that no format but XML has, one of them twice when its accent is gone.
cat >clinic.json <<'END'
{"format": "orrery-network-1",
 "causes": [{"name": "grippe <A>", "prior": 0.1}, {"name": "7th disease", "prior": 0.25}, {"name": "rhume", "prior": 0.3}],
 "observed": [{"name": "fièvre", "leak": 0.01}, {"name": "fievre", "leak": 0.05}, {"name": "\"ache\", a lot", "leak": 0},
              {"name": "table", "leak": 0.2}],
 "edges": [[0, 0, 0.2], [0, 1, 0.3], [0, 2, 0.3], [1, 1, 0.4], [1, 2, 0.8], [2, 0, 0.1], [2, 3, 0.0001]]}
END
cat >wards.json <<'END'
{"format": "orrery-categorical-1",
 "causes": [{"name": "ward", "prior": [0.5, 0.25, 0.25]}, {"name": "shift", "prior": [0.7, 0.3]}],
 "observed": [{"name": "dose (mg)", "categories": ["<5", ">5", "none"], "parents": [0, 1],
               "table": [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4], [0.5, 0.4, 0.1], [0.2, 0.2, 0.6]]},
              {"name": "nurse", "categories": ["no", "yes"], "parents": [1], "table": [[0.9, 0.1], [0.25, 0.75]]}]}
END
make sample --network anchored:tree:3,7 --samples 1 --seed 4 -o anchored.h5
make export anchored.h5 --format json -o dependent.json
make sample --network tree:recursive:4 --crossover .125 --correlations .3,.8,signed --samples 1 --seed 2 -o tree.h5
make export tree.h5 --format json -o signs.json

for name in clinic wards dependent signs; do
  make sample --network $name.json --samples 3 --seed 7 -o rows.h5
  make export rows.h5 --rows --format csv -o $name.rows.csv
  options=(--min-posterior 0)
  [[ $name != signs ]] || options=()
  "$orrery" infer $name.json rows.h5 "${options[@]}" --json -q >$name.infer.json
  for format in bif xmlbif uai; do
    make export $name.json --format $format --names $name.$format.csv -o $name.$format
  done
  check "$name is read as it is" $python "$here/check_networks.py" $name
  ! command -v xmllint >/dev/null || check "$name.xmlbif is valid" xmllint --noout --valid $name.xmlbif
done
check 'BIF says what it calls otherwise' grep -qx "//   fievre_2 is 'fièvre'" clinic.bif
check 'and of states' grep -qx "//   of dose_mg: _5 is '<5', _5_2 is '>5'" wards.bif

# What is said of names, and where names or a strength are of no use.
accepts "names of 5 variables or of their states are written otherwise" "'grippe <A>' as grippe_A" \
  '3 causes and 7 edges written' -- export clinic.json --format bif -o clinic.bif
refuses 2 '--names: --format dot has every name as it is' 'bif, xmlbif, uai' -- \
  export clinic.json --format dot --names n.csv -o x.dot
refuses 4 nowhere -- export clinic.json --format bif --names nowhere/n.csv -o x.bif
refuses 4 nowhere -- export clinic.json --format bif --names n.csv -o nowhere/x.bif
refuses 2 '--names' -- export clinic.json --format bif --names x.bif -o x.bif
for format in bif xmlbif uai json; do
  refuses 2 "--min-strength: --format $format writes the whole model" 'leave it out' -- \
    export clinic.json --format $format --min-strength .5 -o x
done
refuses 2 '--min-strength: --format csv writes the whole model' -- \
  export wards.json --format csv --min-strength .5 -o x.csv
refuses 2 '--min-strength -1: must be a number of 0 or more' -- \
  export clinic.json --format dot --min-strength=-1 -o x.dot
refuses 2 '--min-strength is of no use here: rows' -- export rows.h5 --rows --format csv --min-strength .5 -o x.csv

# A variable with more parents than a table can hold.
awk 'BEGIN {
  printf "{\"format\": \"orrery-network-1\", \"causes\": ["
  for (k = 0; k < 17; ++k) printf "%s{\"name\": \"c%d\", \"prior\": 0.1}", k ? "," : "", k
  printf "], \"observed\": [{\"name\": \"fever\", \"leak\": 0.1}], \"edges\": ["
  for (k = 0; k < 17; ++k) printf "%s[%d, 0, 0.%d]", k ? "," : "", k, 1 + k % 9
  print "]}"
}' >wide.json
for format in bif xmlbif uai; do
  refuses 2 "--format $format writes full tables of at most 65536 rows" "'fever' has 17 parents" -- \
    export wide.json --format $format -o x
done
accepts '6 of 17 edges are of a strength of 0.65 or more' 'and 11 nodes that had no others' \
  'without those weaker than 0.65' -- export wide.json --format dot --min-strength .65 -o strong.dot
check 'a node per strong edge, and fever' test "$(grep -c '\[label=' strong.dot)" = 7
accepts -- export wide.json --format csv --min-strength .65 -o strong.csv
check 'a row per strong edge' test "$(wc -l <strong.csv)" = 7

# Drawings of every family.
make sample --network linear:ternary:3 --samples 300 --seed 1 -o levels.h5
make sample --network linear:bipartite:8,2,.5 --cause-correlation .4 --samples 2000 --seed 1 -o bipartite.h5
make learn linear bipartite.h5 --causes 2 -o factors.h5
for model in clinic.json wards.json dependent.json signs.json levels.h5 factors.h5; do
  name=${model%.*}
  for format in dot graphml; do make export $model --format $format -o "$name.$format"; done
  ! command -v dot >/dev/null || check "Graphviz draws $name" dot -Tsvg "$name.dot" -o "$outside/$name.svg"
  check "$name goes from left to right" grep -qx '  rankdir=LR;' "$name.dot"
done
# Reads every attribute of a document: {"node": {name: [value, ...]}, "edge": ..., "graph": ...}.
cat >"$outside/attributes.py" <<'END'
import sys, xml.etree.ElementTree as xml
space = "{http://graphml.graphdrawing.org/xmlns}"
types = {"string": str, "double": float, "int": int, "long": int, "boolean": lambda text: text == "true"}
def attributes(path):
    root = xml.parse(path).getroot()
    keys = {key.get("id"): key for key in root.iter(space + "key")}
    found = {"node": {}, "edge": {}, "graph": {}}
    for of in found:
        for element in root.iter(space + of):
            for data in element.findall(space + "data"):
                key = keys[data.get("key")]
                assert key.get("for") == of, (path, data.get("key"), of)
                value = types[key.get("attr.type")](data.text or "")
                found[of].setdefault(key.get("attr.name"), []).append(value)
    declared = [(key.get("for"), key.get("attr.name")) for key in keys.values()]
    assert sorted(declared) == sorted((of, name) for of in found for name in found[of]), declared
    return found
END
cat >"$outside/networkx.py.txt" <<'END'
import sys; sys.path.insert(0, sys.argv[1])
import networkx
from attributes import attributes
for path in sys.argv[2:]:
    graph = networkx.read_graphml(path)
    wanted = attributes(path)
    for of, entries in ("node", graph.nodes), ("edge", graph.edges):
        for name, values in wanted[of].items():
            found = [entry[-1][name] for entry in entries(data=True) if name in entry[-1]]
            assert sorted(found, key=str) == sorted(values, key=str), (path, of, name, found, values)
END
cat >"$outside/igraph.py.txt" <<'END'
import math, sys; sys.path.insert(0, sys.argv[1])
import igraph
from attributes import attributes
for path in sys.argv[2:]:
    graph = igraph.Graph.Read_GraphML(path)
    wanted = attributes(path)
    assert set(graph.vs.attributes()) == set(wanted["node"]) | {"id"}, (path, graph.vs.attributes())
    assert set(graph.es.attributes()) - {"id"} == set(wanted["edge"]), (path, graph.es.attributes())
    for of, sequence in ("node", graph.vs), ("edge", graph.es):
        for name, values in wanted[of].items():
            # Where an entry has none it is NaN, "" or False.
            known = lambda value: value not in ("", False) and value == value
            found = [value for value in sequence[name] if known(value)]
            assert found == [value for value in values if known(value)], (path, of, name, found, values)
    for name, values in wanted["graph"].items():
        assert graph[name] == values[0], (path, name, graph[name])
END
for program in networkx igraph; do
  $python -c "import $program" 2>/dev/null || continue
  check "$program reads all attributes" $python "$outside/$program.py.txt" "$outside" ./*.graphml
done
finish
