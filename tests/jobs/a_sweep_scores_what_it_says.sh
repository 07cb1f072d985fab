#!/usr/bin/env bash
# Fixed and fresh networks, contamination, held-out rows, a part scored apart, and the summaries.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >mixed.ini <<'END'
samples = 500
seeds = 1-2
held-out = 300
[sets]
fixed = con:8 --seed 5
fresh = con:8
flipped = img --flip .1:4
both = img-unif --seed 3 --score img
null = independent:20
[methods]
paper = quartet --paper --max-depth {causes}
END
check 'it runs' "$jobs/sweep" run mixed.ini out
check 'it is collected' "$jobs/sweep" collect mixed.ini out >table
column() {  # NAME SET SEED
  awk -F, -v name="$1" -v set="$2" -v seed="$3" '
    NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
    $1 == set && $4 == seed { print $at[name] }' out/sweep.csv
}

# By hand: what a set's options mean.
by_hand() {  # NAME SEED NETWORK NETWORK_SEED [SAMPLE OPTION...]: its truth, model and held-out rows
  local name=$1 seed=$2
  "$ORRERY" export "$3" --seed "$4" --format json -q -o truth.json
  shift 4
  "$ORRERY" sample --network truth.json --samples 500 --seed "$seed" "$@" -q -o data.h5
  "$ORRERY" sample --network truth.json --samples 300 --seed $((seed + 1000000)) "$@" -q -o new.h5
  "$ORRERY" learn quartet data.h5 --paper -q -o model.h5
  "$ORRERY" evaluate model.h5 --truth truth.json --data new.h5 --json -q >judged.json
  for member in true_causes recovered extra true_log_likelihood; do
    check "$name $seed: $member" test "$(column $member "$name" "$seed")" = \
      "$(sed -nE "s/^  \"$member\": ([^,]*),?$/\1/p" judged.json)"
  done
}
by_hand fixed 1 con:8 5
by_hand fixed 2 con:8 5
by_hand fresh 1 con:8 1
by_hand fresh 2 con:8 2
by_hand flipped 2 img 0 --flip .1:4
by_hand both 1 img-unif 3
for task in fixed_500_paper_1:8 both_500_paper_1:16 null_500_paper_2:0; do
  check "${task%:*} was told the number of causes" grep -qF -e "--max-depth ${task#*:} " \
    <("$ORRERY" info "out/${task%:*}.h5")
done
"$ORRERY" evaluate model.h5 --truth img --json -q >part.json
check 'the part is scored apart' test "$(column scored both 1),$(column scored_causes both 1),$(
  column scored_recovered both 1)" = "img,8,$(sed -nE 's/^  "recovered": ([0-9]+),?$/\1/p' part.json)"
check 'and has its own line' grep -qE '^\| both/img \| 500 \| paper \| [0-9.]+ of 8 \|' table
check 'a set of any name keeps it' grep -qE '^\| null \| 500 \| paper \| 0.00 of 0 \| 2 of 2 \|' table

# Summaries, from a hand-made CSV: two runs, one with a row that its model cannot produce.
names=set,samples,method,seed,true_causes,learned_causes,recovered,extra,scored,scored_causes
names+=,scored_recovered,edge_f1,log_likelihood,true_log_likelihood,coverage_priors_inside
names+=,coverage_priors_total,coverage_failures_inside,coverage_failures_total
names+=,coverage_leaks_inside,coverage_leaks_total,seconds,processor_seconds
cat >runs.csv <<END
$names
s,500,m,1,8,9,8,1,,,,0.5,-inf,-10,7,8,30,40,,,1.5,1
s,500,m,2,8,7,7,0,,,,1.0,-10.25,-10,8,8,38,40,,,2.5,2
END
awk -f "$jobs/sweep_parts/means.awk" runs.csv >means.csv
check 'means, shares and deviation' test "$(tail -1 means.csv)" = \
  's,500,m,2,8,7.5000,0.7071,1,0,0.5000,1,0.7500,0.25000,1,0.9375,0.8500,,2.000,1.500'
check 'as a table' test "$(awk -f "$jobs/sweep_parts/table.awk" means.csv | tail -1)" = \
  '| s | 500 | m | 7.50 of 8 | 1 of 2 | 0 of 2 | 0.50 | 1 of 2 | 0.750 | 0.2500, infinite in 1 | 0.938 | 0.850 | 1.50 |'

# Intervals that hold the truth, as `evaluate --json` counts them.
cat >task.json <<'END'
{
  "set": "s",
  "recovered": 0,
  "coverage": {
    "failures": [
      30,
      40
    ],
    "priors": [
      7,
      8
    ]
  },
  "max_leak_error": null,
  "log_likelihood": null
}
END
check 'coverage is read, null is no number' test "$(echo task.json | awk -f "$jobs/sweep_parts/csv.awk" -v \
  names='set recovered max_leak_error log_likelihood coverage_priors_inside coverage_priors_total coverage_leaks_inside coverage_failures_total')" \
  = 's,0,,-inf,7,8,,40'

page=out/sweep.html
check 'a dot a mean' test "$(grep -c '<circle cx.*<title>' $page)" = \
  "$(awk -F, 'NR > 1 { n += ($6 != "") + ($10 != "") + ($13 != "") + ($19 != "") } END { print n }' \
    out/means.csv)"
check 'the page shows its configuration' grep -qF 'flipped = img --flip .1:4' $page
if command -v python3 >/dev/null; then
  check 'the plots are well-formed' python3 -c \
    'import sys, xml.etree.ElementTree as t; t.fromstring(sys.stdin.read())' \
    < <(sed -n '/<svg/,/<\/svg>/p' $page)
fi

# What the repository's own sweeps say can be said.
for config in "$jobs"/*.ini "$jobs"/*/*.ini; do
  grep -q '^\[' "$config" || continue # the options of one call, not a sweep
  check "$config has tasks" "$jobs/sweep" count "$config" >/dev/null 2>&1
done
finish
