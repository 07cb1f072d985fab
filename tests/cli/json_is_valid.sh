#!/usr/bin/env bash
# --json: one JSON document on standard output, nothing else.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip 'python3 reads the JSON'

"$orrery" help json >topic.txt || fail 'no topic on JSON'
# What `orrery help json` says of a command, and of --dry-run.
documented() {  # COMMAND
  [[ $1 == params ]] && set -- learn
  awk -v command="$1" '/^  [a-z]/ { inside = $1 == command || $1 == command "," || $1 == "with" } inside' topic.txt |
    tr -cs 'a-z0-9_' '\n'
}

json() {  # PYTHON-EXPRESSION-OF-d ARGUMENTS
  local expression=$1 said
  shift
  run "$@" --json
  check "orrery $* --json: exit code $code" test "$code" = 0
  said=$(python3 -c '
import json, sys
def refuse(text): raise ValueError(text)
d = json.load(open(sys.argv[1]), parse_constant=refuse)
undocumented = sorted(set(d) - set(sys.argv[3].split()))
if undocumented: print("members that `orrery help json` does not name:", *undocumented)
if not eval(sys.argv[2]): print("not true:", sys.argv[2])' \
    "$outside/out" "$expression" "$(documented "$1")" 2>&1)
  check "orrery $*: $said in $(<"$outside/out")" test -z "$said"
}

make_table 60 >table.csv
json 'd["n_samples"] == 60 and d["n_observed"] == 8 and d["n_missing"] == 0' import table.csv -o t.h5
json 'd["n_samples"] == 2000 and d["n_causes"] == 8' sample --network img --samples 2000 -o data.h5
json 'd["order"] == 2 and d["n_observed"] == 64' moments data.h5 -o moments.h5
json 'len(d["causes"]) >= 1 and d["n_samples"] == 2000 and d["output"] == "model.h5"' \
  learn quartet data.h5 -o model.h5
json 'len(d["causes"]) == 8' params data.h5 --structure img -o params.h5
json 'd["true_causes"] == 8 and 0 <= d["recovered"] <= 8 and d["rows"] == 2000' \
  evaluate model.h5 --truth img --data data.h5
json '(d["by_cosine"]["matched"] == d["by_cosine"]["strict"] == len(d["by_cosine"]["true"]) == 8 and
  d["by_cosine"]["extra"] == 0 and d["by_cosine"]["least_edge_precision"] == 1 and
  all(c["match"] == c["nearest_true"]["name"] == c["name"] for c in d["by_cosine"]["learned"]) and
  sum(b["true"] for b in d["by_cosine"]["by_prior"]) == 8 and
  sum(b["recall"][1] for b in d["by_cosine"]["by_strength"]) == 117)' evaluate img --truth img
json '(d["by_cosine"]["matched"] == 0 and len(d["by_cosine"]["learned"]) == 8 and
  d["by_cosine"]["true"][0]["match"] is None and d["by_cosine"]["true"][0]["cosine"] is None)' \
  evaluate con:8 --truth img
json 'len(d["model"]["causes"]) >= 1 and len(d["model"]["weakest_edges"]) >= 4 and "recovered" not in d' \
  evaluate model.h5
make sample --network img --samples 500 --seed 9 -o test.h5
json '(d["held_out"] and d["train_rows"] == 2000 and d["rows"] == 500 and
  d["independent_log_likelihood"] < d["chow_liu_log_likelihood"] < d["log_likelihood"])' \
  evaluate params.h5 --data test.h5 --train data.h5
json 'd["predictive_check"]["triples"]["checked"] == 30 and len(d["predictive_check"]["pairs"]["worst"]) == 20' \
  evaluate params.h5 --data test.h5 --triples 30
json 'd["predictive_check"]["triples"] == {"checked": 0, "surprising": 0, "worst": []}' \
  evaluate params.h5 --data test.h5 --triples 0
json 'not d["held_out"]' evaluate model.h5 --data data.h5
json 'd["recovered"] == 0 and d["mean_prior_error"] is None and d["max_failure_error"] is None' \
  evaluate model.h5 --truth img --min-prior 1

# Tables of numbers, and what linear networks need.
printf 'a,b,c\n1,0.5,?\n1,-0.25,?\n1,2,3\n' >numbers.csv
json 'd["n_samples"] == 3 and d["n_missing"] == 2' import numbers.csv --numeric -o numbers.h5
json '(d["dense"]["n_missing"] == 2 and d["dense"]["constant"] == ["a", "c"] and
  d["dense"]["columns"][1] == {"name": "b", "missing": 0, "mean": 0.75, "min": -0.25, "max": 2,
    "sd": 0.9354143466934853})' info numbers.h5
cat >twins.json <<'END'
{"format": "orrery-linear-1", "causes": [{"name": "flu"}, {"name": "cold"}],
 "observed": [{"name": "x", "noise": 1}, {"name": "y", "noise": 1}, {"name": "z", "noise": 1}],
 "edges": [[0, 0, 0.5], [0, 1, 0.25], [1, 0, 0.5], [1, 1, 0.25], [1, 2, 1]]}
END
json '(not d["holds"] and len(d["levels"]) == 1 and d["levels"][0]["rank"] == {"holds": False,
    "least_singular_value": 0, "blocks": [], "set": ["flu", "cold"], "neighbours": ["x", "y", "z"]} and
  d["levels"][0]["expansion"] == {"holds": False, "largest_degree": 3, "set": ["flu", "cold"],
    "neighbours": ["x", "y", "z"]} and
  d["levels"][0]["genericity"]["set"] == ["flu", "cold"] and
  len(d["levels"][0]["genericity"]["direction"]) == 2)' depth twins.json --test expansion
json '(d["levels"][0]["programs"]["n_variables"] == 3 and not d["levels"][0]["programs"]["holds"] and
  d["levels"][0]["programs"]["gap_variable"] == "x" and d["levels"][0]["programs"]["least_gap"] == 0 and
  d["levels"][0]["programs"]["first"]["failing"] == 1)' depth twins.json --test expansion
json '(d["holds"] and d["n_edges"] == 9 and len(d["levels"]) == 2 and
  d["levels"][0]["programs"]["first"]["least_ratio"] is None and
  sorted(x for b in d["levels"][0]["rank"]["blocks"] for x in b) ==
  sorted("x%d" % i for i in range(9)))' depth linear:ternary:3 --test expansion

# What a learner knows of its own certainty: intervals, support, stability.
cat >sure.json <<'END'
{"format": "orrery-network-1", "resamples": 50,
 "causes": [{"name": "c", "prior": 0.5, "prior_error": 0.01, "support": 7, "stability": 0.9}],
 "observed": [{"name": "x", "leak": 0.1, "leak_error": null}, {"name": "y", "leak": 0}],
 "edges": [[0, 0, 0.5], [0, 1, 0.25]], "failure_errors": [0.1, 0.1], "edge_stability": [1, 0.5]}
END
json 'd["coverage"] == {"priors": [1, 1], "failures": [2, 2], "leaks": [0, 0]}' \
  evaluate sure.json --truth sure.json
json '(d["model"]["resamples"] == 50 and d["model"]["causes"][0]["support"] == 7 and
  abs(d["model"]["causes"][0]["prior_interval"][0] - 0.4804) < 1e-4 and
  d["model"]["weakest_edges"][0]["observed"] == "y" and
  d["model"]["weakest_edges"][0]["stability"] == 0.5)' evaluate sure.json
json 'd["bytes"] > 100' report model.h5 --truth img --data test.h5 --train data.h5 -o report.html
json 'd["bytes"] > 100' export model.h5 --format bif -o model.bif
json 'd == {"output": "named.h5", "renamed": 1}' rename model.h5 cause0=influenza -o named.h5
json 'd["samples"]["n_samples"] == 2000 and len(d["samples"]["columns"]) == 64 and d["run"]["ranks"] == 1' \
  info data.h5
json 'd["run"]["bytes_read"] > 64 * 250 and len(d["run"]["hosts"]) == 1' info model.h5
json 'd["run"]["stages"][2]["name"] == "quartets_depth_0" and d["run"]["stages"][2]["units"] > 0' \
  info model.h5
json 'd["model"]["learner"] == "quartet"' info model.h5
json 'd["moments"]["order"] == 2' info moments.h5
json 'd["rows"] == d["exact"] == 2000 and d["output"] == "posterior.h5" and "results" not in d' \
  infer model.h5 data.h5 -o posterior.h5
json 'd["posterior"]["n_samples"] == 2000 and d["posterior"]["top"] == 1' info posterior.h5
json 'd["row"] == 7 and len(d["causes"]) == 3 and len(d["causes"][0]["findings"]) > 0' \
  infer model.h5 data.h5 --explain 7
json 'd["memory_bytes_per_rank"] > 0 and d["seconds"] > 0 and d["units"] > 0' \
  learn quartet data.h5 --dry-run

json '([[r["depth"], r["causes"], r["edges"]] for r in d["depths"]] == [[0, 6, 92], [1, 2, 25]] and
  d["never"] == {"causes": 0, "edges": 0} and [c["depth"] for c in d["causes"]] ==
  [1, 0, 0, 0, 0, 0, 0, 1] and all(len(c["singly_coupled"]) == 4 for c in d["causes"]))' depth img
json '(d["test"] == "triplet" and d["causes"][0]["depth"] is None and
  d["causes"][0]["overlaps"] == [])' depth sure.json --test triplet

# A model that calls a row impossible: JSON has no infinity.
echo '{"format": "orrery-network-1", "causes": [{"name": "c", "prior": 0.5}],
 "observed": [{"name": "x", "leak": 0}, {"name": "y", "leak": 0}], "edges": [[0, 0, 0.5]]}' >never.json
printf 'x,y\n0,1\n' >row.csv
make import row.csv -o row.h5
json 'd["log_likelihood"] is None' evaluate never.json --data row.h5
json 'd["impossible"] == 1 and d["results"][0]["log_evidence"] is None' infer never.json row.h5

refuses 2 '-o -, --json' 'name a file' -- export model.h5 --format csv -o - --json

# Names are anybody's.
printf '"a ""b""",c\\d,\xc3\xa9\n1,0,1\n0,1,0\n' >names.csv
make import names.csv -o names.h5
json '[c["name"] for c in d["samples"]["columns"]] == ["a \"b\"", "c\\d", "\u00e9"]' info names.h5

# File names are any bytes.
mv names.csv $'latin\xe9.csv'
json 'd["output"] == "n\ufffd.h5"' import $'latin\xe9.csv' -o $'n\xe9.h5'
json '"latin\ufffd.csv" in d["run"]["command_line"]' info $'n\xe9.h5'
json '(d["f1"] == 1 and d["same_support"] and d["loading_error"] == 0 and
  d["coupling"] == {"true_edges": 3, "learned_edges": 3, "common_edges": 3, "largest_error": 0} and
  [m["true"] for m in d["matches"]] == [m["learned"] for m in d["matches"]] == ["h0", "h1", "h2", "h3"] and
  d["linear"]["n_edges"] == 12 and len(d["linear"]["couplings"]) == 3 and
  d["linear"]["causes"][0]["strongest"][0]["error"] is None)' \
  evaluate linear:caterpillar:4,3 --truth linear:caterpillar:4,3
json 'd["level_errors"] == [0, 0] and len(d["linear"]["levels"]) == 2' \
  evaluate linear:ternary:4 --truth linear:ternary:4
make sample --network linear:ternary:3 --samples 50 -o dense.h5
json 'd["rows"] == 50 and d["independent_log_likelihood"] < d["log_likelihood"] == d["true_log_likelihood"]' \
  evaluate dense.h5 --truth dense.h5 --data dense.h5
json 'd["linear"]["n_causes"] == 3 and d["linear"]["upper_levels"] == 1' info dense.h5
json 'd["bytes"] > 1000' report dense.h5 -o dense.html
make sample --network anchored:tree:3,9 --samples 50 -o anchored.h5
json '(d["model"]["n_causes"] == 3 and d["model"]["n_anchors"] == 3 and
  [c["name"] for c in d["model"]["causes"]] == ["y0", "y1", "y2"] and
  sum(len(c["parents"]) for c in d["model"]["causes"]) == d["model"]["n_cause_edges"] == 2 and
  d["model"]["causes"][0]["anchors"][0]["name"] == "a0")' info anchored.h5
json 'd["bytes"] > 1000' report anchored.h5 --truth anchored.h5 -o anchored.html
json 'd["bytes"] > 10' export anchored.h5 --format anchors -o anchors.csv
json 'd["labels"] == "l.h5" and d["n_causes"] == 3' \
  sample --network anchored.h5 --samples 50 -o again.h5 --labels l.h5
json '[e["key"] for e in d["entries"]] == ["orrery", "jernite2013"]' cite quartet
json 'd["shell"] == "bash" and "_orrery" in d["script"]' completion bash
json 'd["name"] == "orrery-files" and d["section"] == 5 and ".SH NAME" in d["text"]' manual files
json 'len(d["pages"]) == len({p["name"] for p in d["pages"]}) > 30' manual
json 'd["output"] == "pages" and d["n_pages"] > 30' manual -o pages
json 'len(d["run"]["commit"]) >= 7' info anchored.h5
finish
