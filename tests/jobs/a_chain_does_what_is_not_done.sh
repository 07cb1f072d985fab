#!/usr/bin/env bash
# The chain of jobs/health-graph on a made-up table of edges: what it leaves, and what it does when
# it is called again.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Four diseases of six symptoms each; importances fall from .6 to .0006.
awk 'BEGIN {
  print "disease,symptom,importance"
  for (d = 0; d < 4; ++d) {
    for (s = 0; s < 6; ++s) printf "disease%d,symptom%d,%.4f\n", d, 6 * d + s, .6 / 4 ^ s + d / 1000
  }
}' >edges.csv
chain() { "$jobs/health-graph/run" edges.csv -o out "$@" >printed 2>said; }
done_steps() { sed -n 's/.*jobs\/health-graph: \([a-z]*\)$/\1/p' said | paste -sd ' '; }

check 'it ends' chain
check 'having done all steps' test "$(done_steps)" = 'network learnability sample learn evaluate report'
check 'with a page' grep -q '<title>The Health Knowledge Graph</title>' out/report.html
check 'and a summary' grep -qE '^[0-9]+ of 4 causes recovered' printed

# Of importance .1 or more: two edges a disease, so nothing can be learned.
table() { grep "^$1,quartet," out/learnability.csv | cut -d, -f3- | paste -sd ' '; }
check 'all edges: each disease has six symptoms of its own' \
  test "$(table network)" = '0,4,24 never,0,0'
check 'the weak ones left out' test "$(table importance-.1)" = 'never,4,8'
check 'the summary counts the true ones' grep -qx 'true_causes,4' out/summary.csv

check 'again' chain
check 'nothing is left to do' test "$(done_steps)" = ''
check 'the summary is shown again' cmp printed out/summary.txt
cp -r out first
rm out/evaluation.json
check 'without a file' chain
check 'it is made again, and what depends on it' test "$(done_steps)" = 'evaluate report'
truncate --size=-1000 out/data.h5
check 'with a damaged file' chain
check 'which is named' grep -qF 'out/data.h5 cannot be used' said
check 'it is made again, and what depends on it' test "$(done_steps)" = 'sample learn evaluate report'
check 'the same samples' same_data out/data.h5 first/data.h5
check 'the same model' same_data out/model.h5 first/model.h5
for file in report.html summary.txt summary.csv evaluation.txt; do
  check "the same $file" same_result "out/$file" "first/$file"
done
touch out/evaluation.json
check 'with a newer file' chain
check 'what depends on it is made again' test "$(done_steps)" = report
rm out/report.html
check 'one step alone' chain --step report
check 'and no other' test "$(done_steps)" = report
check 'a step that is not pending' chain --step learn
check 'is not done' test "$(done_steps)" = ''

refuses 3 'out is of other settings' -- "$jobs/health-graph/run" edges.csv -o out --seed 2
refuses 3 '> samples 1000000' -- "$jobs/health-graph/run" edges.csv -o out --scale full
refuses 4 'out: another run is at work there' -- \
  flock out/lock "$jobs/health-graph/run" edges.csv -o out
echo 'disease0,symptom0,none' >bad.csv
refuses 3 'bad.csv' -- "$jobs/health-graph/run" bad.csv -o bad
check 'the step that failed is named' grep -qF 'error: step network failed (3)' said
refuses 3 'none.csv: no such file' -- "$jobs/health-graph/run" none.csv
refuses 4 'nothing is not there; run jobs/quickstart' -- \
  env ORRERY=nothing "$jobs/health-graph/run" edges.csv -o none
refuses 2 '--scale large: must be small or full' -- "$jobs/qmr/run" --scale large
refuses 2 '--seed one: must be a whole number' -- "$jobs/qmr/run" --seed one
refuses 2 '--seed needs a value' -- "$jobs/qmr/run" --seed
refuses 2 'unknown option --causes' -- "$jobs/qmr/run" --causes
refuses 2 '--step dance: must be one of network' -- "$jobs/qmr/run" --step dance
refuses 2 '-- --nodes=2: needs --slurm' -- "$jobs/qmr/run" -- --nodes=2
refuses 2 'edges.csv: unknown' -- "$jobs/qmr/run" edges.csv
refuses 0 'usage: jobs/qmr/run' -- "$jobs/qmr/run" --help

# The published table, where it is there.
published=$jobs/../../shared/data/medical/healthkg_edges.csv
if [[ -r $published ]]; then
  chain2() { "$jobs/health-graph/run" "$published" -o graph --step "$1" 2>said; }
  check 'its network' chain2 network
  check 'what could be learned of it' chain2 learnability
  known() { awk -F, -v network="$1" '$1 == network && $2 == "quartet" && $3 != "never" {
    n += $4; if ($3 == 0) first = $4 } END { print first, n }' graph/learnability.csv; }
  check 'all edges' test "$(known network)" = '66 156'
  check 'of importance .01' test "$(known importance-.01)" = '52 146'
  check 'of importance .1' test "$(known importance-.1)" = '6 6'
fi
finish
