#!/usr/bin/env bash
# --dry-run: memory, work, time; more for more work; no file.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_table 60 >table.csv
make sample --network img --samples 1000 -o data.h5
make params data.h5 --structure img -o model.h5

plans() {
  checks=$((checks + 1))
  snapshot >"$outside/before"
  run "$@" --dry-run
  snapshot >"$outside/after"
  ((code == 0)) || fail "orrery $*: ended with $code: $(cat "$outside/err")"
  cmp -s "$outside/before" "$outside/after" || fail "orrery $*: wrote files"
  local shown="orrery $* --dry-run"
  expect_texts "$outside/out" 'memory a rank: ' 'work: ' 'time: '
}
seconds() { run "$@" --dry-run --json; sed -n 's/.*"seconds": \([^,]*\).*/\1/p' "$outside/out"; }
more() { awk -v a="$1" -v b="$2" -v k="$3" 'BEGIN { exit !(b > k * a && a > 0) }'; }

plans import table.csv
plans import table.csv -o out.h5
plans sample --network img --samples 1000 -o out.h5
plans moments data.h5 --order 3 -o out.h5
plans learn quartet data.h5 -o out.h5
plans learn quartet --moments img -o out.h5
plans params data.h5 --structure img -o out.h5
plans evaluate model.h5 --truth img --data data.h5
plans report model.h5 -o out.html
plans export model.h5 --format json -o out.json
plans info data.h5

a=$(seconds sample --network img --samples 1000000)
b=$(seconds sample --network img --samples 100000000)
check "sampling takes time by the row: $a, $b" more "$a" "$b" 50
a=$(seconds learn quartet --moments bars:8)
b=$(seconds learn quartet --moments bars:16)
check "testing quartets takes time by m^4: $a, $b" more "$a" "$b" 100
a=$(seconds moments data.h5)
b=$(seconds moments data.h5 --order 3)
check "triples take longer than pairs: $a, $b" more "$a" "$b" 2
a=$(seconds learn quartet data.h5 --threads 4)
b=$(seconds learn quartet data.h5 --threads 1)
check "threads share the work: $a, $b" more "$a" "$b" 2

# What would be refused is refused here too.
refuses 3 absent.h5 -- learn quartet absent.h5 --dry-run
refuses 3 absent.csv -- import absent.csv --dry-run
refuses 2 '--test guess' -- learn quartet data.h5 --test guess --dry-run
finish
