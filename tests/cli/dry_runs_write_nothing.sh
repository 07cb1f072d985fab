#!/usr/bin/env bash
# --dry-run: memory, work, and the time where a run may be long; more for more work; no file.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_table 60 >table.csv
make sample --network img --samples 1000 -o data.h5
make params data.h5 --structure img -o model.h5

plans() {
  local shown="orrery $* --dry-run" before
  checks=$((checks + 1))
  before=$(snapshot)
  run "$@" --dry-run
  ((code == 0)) || fail "$shown: ended with $code: $(<"$outside/err")"
  changed_nothing "$shown" "$before"
  expect_texts "$outside/out" 'memory per rank: ' 'work: '
  case $1 in
    learn | params | moments | infer | sample) expect_texts "$outside/out" 'time: ' ;;
    *) ! grep -q '^time' "$outside/out" || fail "orrery $*: a time, though nothing was measured" ;;
  esac
}
plans import table.csv
plans import table.csv -o out.h5
plans sample --network img --samples 1000 -o out.h5
plans sample --network linear:ternary:4 --samples 1000 -o out.h5
plans moments data.h5 --order 3 -o out.h5
plans learn quartet data.h5 -o out.h5
plans learn quartet --moments img -o out.h5
plans learn tree data.h5 --crossover .1 -o out.h5
plans learn tree data.h5 --crossover auto --marginals free --memory 1G -o out.h5
plans plan tree --p 10 --alpha .1 --beta 1
plans plan quartet --network con:8
plans params data.h5 --structure img -o out.h5
plans evaluate model.h5 --truth img --data data.h5
plans report model.h5 -o out.html
plans infer model.h5 data.h5 -o out.h5
plans export model.h5 --format json -o out.json
plans rename model.h5 x1=first -o out.h5
plans export data.h5 --rows --format csv -o out.csv
plans export data.h5 --format npy -o out.npy
plans depth img
plans info data.h5

# The numbers are there, and are what they consist of.
number() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),\{0,1\}\$/\1/p" "$outside/out"; }
sum() {  # of an object's values
  awk -v name="\"$1\": {" 'index($0, name) { inside = 1; next } inside && /}/ { exit }
    inside { sub(/.*: /, ""); sum += $0 } END { printf "%.9g", sum }' "$outside/out"
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 <= 1e-8 * a ^ 2) }'; }
for arguments in 'learn quartet data.h5' 'learn quartet --moments img' \
  'params data.h5 --structure img' 'learn tree data.h5' 'moments data.h5 --order 3' 'infer img data.h5 -o p.h5'; do
  # shellcheck disable=SC2086
  run $arguments --dry-run --json
  check "$arguments: memory is the sum of its parts" \
    near "$(number memory_bytes_per_rank)" "$(sum memory_bytes)"
  check "$arguments: time is the sum of its stages" near "$(number seconds)" "$(sum stage_seconds)"
done
run moments data.h5 --order 3 --dry-run --json
expect_texts "$outside/out" '"triples"'
run learn quartet data.h5 --dry-run --json
expect_texts "$outside/out" '"bits"' '"pair_tables"' '"candidates"' '"quartets_depth_0"' \
  '"units": 136' '"processor_seconds"' '"not_forecast"' '"refinement"'
# Nobody knows how long refinement takes: the plan says what is not in it, and what bounds it.
accepts 'without the refinement' '--time-limit' -- learn quartet data.h5 --dry-run
run learn quartet data.h5 --dry-run --refine none
check '--refine none: all is forecast' test -z "$(grep 'without the refinement' "$outside/out")"
run learn quartet --moments bars:4 --dry-run --json
expect_texts "$outside/out" '"units": 10'
run learn quartet --moments bars:16 --dry-run --json
expect_texts "$outside/out" '"units": 2080'

# How many ranks are worth it: of a plan, and of a run.
run learn quartet data.h5 --dry-run --ranks 1,1000 --json
expect_texts "$outside/out" '"scaling"' '"ranks": 1000' '"efficiency"' '"limit"' '"stage_costs"'
run learn quartet data.h5 -o out.h5 --ranks 1,1000 --json
expect_texts "$outside/out" '"scaling"' '"ranks": 1000' '"stage": "pairs"' '"longest"'
rm -f out.h5
refuses 2 '--ranks 0' 'must be' -- learn quartet data.h5 --dry-run --ranks 0
refuses 2 '--ranks 16,' 'must be' -- learn quartet data.h5 --dry-run --ranks 16,
refuses 2 '--ranks 2x' 'must be' -- learn quartet data.h5 --dry-run --ranks 2x

# What would be refused is refused here too.
refuses 3 absent.h5 -- learn quartet absent.h5 --dry-run
refuses 3 absent.h5 -- learn tree absent.h5 --dry-run
refuses 2 '--memory' 'at least' -- learn tree data.h5 --memory 2MB --dry-run
make_table 40 >short.csv
make import short.csv -o short.h5
refuses 3 '40 row(s)' -- learn quartet short.h5 --dry-run
refuses 3 absent.csv -- import absent.csv --dry-run
refuses 2 '--test guess' -- learn quartet data.h5 --test guess --dry-run
finish
