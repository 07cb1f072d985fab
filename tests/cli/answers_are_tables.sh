#!/usr/bin/env bash
# infer --format: posteriors as CSV and JSON, the numbers of the HDF5, the same bytes for any number
# of ranks and threads, whole or not at all; and what is shown without a file.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 1000 --seed 2 -o data.h5
make sample --network tree:chain:5 --crossover .1 --samples 1000 -o signs.h5
make sample --network categorical:1,2,6 --samples 1000 -o grades.h5
make export img --format json -o img.json

# --- CSV, by the name and by --format, of each family
accepts '1,000 rows' 'written to p.csv' -- infer img data.h5 -o p.csv --top 2
accepts 'written to q' -- infer img data.h5 -o q --top 2 --format csv
check 'the same text' cmp p.csv q
"$orrery" infer img data.h5 --format csv --top 2 >"$outside/p.csv" 2>"$outside/err"
check 'the same on standard output' cmp p.csv "$outside/p.csv"
check 'the summary is in the log' grep -q '1,000 rows: 1,000 exact' "$outside/err"
"$orrery" infer img data.h5 --format csv --top 2 -o - 2>/dev/null | cmp - p.csv || fail '-o -'
check 'a line per row' test "$(wc -l <p.csv)" = 1001
check 'header' grep -q '^row,[^,]*,.*,log_evidence,log_evidence_error,method,effective_samples,posterior_error,explanation_1,explanation_1_probability,explanation_1_proven,explanation_2,' <(head -1 p.csv)
accepts 'written to s.csv' -- infer signs.h5 signs.h5 -o s.csv
check 'header of a tree' test "$(head -1 s.csv)" = 'row,x0,x1,x2,x3,x4,log_evidence'
accepts 'written to t.csv' -- infer signs.h5 signs.h5 --predict x1,x3 -o t.csv
check 'header of predictions' test "$(head -1 t.csv)" = 'row,x1,x3,log_evidence'
accepts 'written to g.csv' -- infer grades.h5 grades.h5 --top 0 -o g.csv
check 'header of categories' grep -q '^row,.* = 0,.* = 1,.*,posterior_error$' <(head -1 g.csv)

# --- the numbers are those that other ways tell
python3 - "$orrery" <<'END' || fail 'numbers of the CSV'
import csv, json, subprocess, sys
def run(*words):
    return subprocess.run([sys.argv[1], *words, "-q"], capture_output=True, check=True).stdout
def read(name):
    with open(name, newline="") as file:
        return list(csv.DictReader(file))
table = read("p.csv")
whole = json.loads(run("infer", "img", "data.h5", "--format", "json", "--top", "2", "--min-posterior", "0"))
assert len(table) == len(whole["results"]) == 1000
for line, row in zip(table, whole["results"]):
    assert int(line["row"]) == row["row"] and line["method"] == row["method"]
    assert float(line["log_evidence"]) == row["log_evidence"]
    assert {c["name"] for c in row["causes"]} == set(whole["causes"])
    for cause in row["causes"]:
        assert float(line[cause["name"]]) == cause["posterior"]
    assert float(line["explanation_1_probability"]) == row["explanations"][0]["probability"]
shown = json.loads(run("infer", "img", "data.h5", "--json"))
assert shown["rows"] == 10 and shown["more_rows"] == 990 and len(shown["results"]) == 10
for line, row in zip(table, shown["results"]):
    for cause in row["causes"]:
        assert float(line[cause["name"]]) == cause["posterior"]
tree = json.loads(run("infer", "signs.h5", "signs.h5", "--format", "json"))
for line, row in zip(read("s.csv"), tree["results"]):
    assert float(line["log_evidence"]) == row["log_evidence"]
    for variable in row["variables"]:
        assert float(line[variable["name"]]) == variable["on"]
grades = json.loads(run("infer", "grades.h5", "grades.h5", "--format", "json", "--top", "0"))
for line, row in zip(read("g.csv"), grades["results"]):
    for cause in row["causes"]:
        assert float(line[cause["name"]]) == cause["posterior"]
END
# Of unlikely causes a field is empty where they are not asked for.
make infer img data.h5 --min-posterior 0.5 -o few.csv
check 'empty fields' grep -q ',,' few.csv

# --- pandas and R, where they are
for python in python3 /usr/bin/python3; do  # the second is the distribution's
  "$python" -c 'import pandas' 2>/dev/null || continue
  "$python" - <<'END' || fail 'pandas'
import pandas
table = pandas.read_csv("p.csv")
assert table.shape[0] == 1000 and (table.dtypes.iloc[1:9] == float).all()
assert not table.iloc[:, 1:10].isna().any().any()
assert table["method"].eq("exact").all() and table["log_evidence"].lt(0).all()
END
  break
done
if command -v Rscript >/dev/null; then
  Rscript -e 'x <- read.csv("p.csv"); stopifnot(nrow(x) == 1000, is.numeric(x[[2]]),
    !anyNA(x[[2]]), all(x$log_evidence < 0), all(x$method == "exact"))' || fail 'R'
fi

# --- the same bytes for any split, and after a stop
make infer img data.h5 --top 2 --threads 3 -o threads.csv
check 'threads change nothing' cmp p.csv threads.csv
if [[ -n ${ORRERY_MPIRUN:-} ]]; then
  "$ORRERY_MPIRUN" --oversubscribe -n 2 "$orrery" infer img data.h5 --top 2 --threads 1 -o ranks.csv -q
  check 'ranks change nothing' cmp p.csv ranks.csv
  "$ORRERY_MPIRUN" --oversubscribe -n 2 "$orrery" infer signs.h5 signs.h5 --format json --threads 1 -q \
    >"$outside/ranks.json"
  check 'ranks on standard output' cmp "$outside/ranks.json" <("$orrery" infer signs.h5 signs.h5 --format json -q)
fi
make infer img data.h5 --top 2 --checkpoint c.h5 -o kept.csv
check 'a checkpoint changes nothing' cmp p.csv kept.csv

# --- without a file: the first ten rows
accepts 'row 9: ' '... and 990 more: add -o FILE' '10 rows: 10 exact' -- infer img data.h5
check 'no more' test "$(grep -c '^row ' "$outside/out")" = 10
accepts 'row 9: ' '... and 990 more: add -o FILE' -- infer signs.h5 signs.h5
accepts 'row 9: ' '... and 990 more: add -o FILE' '10 rows' -- infer grades.h5 grades.h5
accepts 'work: 10 rows' -- infer img data.h5 --dry-run

# --- what is refused
refuses 2 "--format 'xml'" 'csv, json or hdf5' -- infer img data.h5 --format xml
refuses 2 'HDF5 cannot go to standard output' -- infer img data.h5 --format hdf5
refuses 2 'HDF5 cannot go to standard output' -- infer img data.h5 -o -
refuses 2 '--json and --format' -- infer img data.h5 --format csv --json
refuses 2 '--checkpoint' '-o FILE' -- infer img data.h5 --format csv --checkpoint c.h5
refuses 2 '--checkpoint' '-o FILE' -- infer img data.h5 --checkpoint c.h5
refuses 2 '--explain' 'leave out -o' -- infer img data.h5 --explain -o p2.csv
refuses 2 '--explain' '--format' -- infer img data.h5 --explain --format csv
refuses 4 'nowhere' -- infer img data.h5 -o nowhere/p.csv
refuses 2 'reads this file' -- infer img.json data.h5 -o img.json
if [[ -w /dev/full ]]; then
  "$orrery" infer img data.h5 --format csv >/dev/full 2>"$outside/err"
  check 'a full disk behind standard output' test $? = 4
  check 'is said' grep -q 'standard output: cannot be written' "$outside/err"
fi
finish
