#!/usr/bin/env bash
# Lists on the screen end after 20 rows, and say how to see the rest; -v and --json have all.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make export qmr:60,60,900 --format json -o net.json
rows() { sed -n '/^Causes that are never learned/,$p' "$outside/out" | grep -c '^  '; }
accepts 'Causes that are never learned:' -- depth net.json -v
all=$(($(rows) - 1))  # without the headings
check "more than a screen: $all" test "$all" -gt 25
check '-v has no rest' test "$(grep -c ' more: ' "$outside/out")" = 0
accepts "... and $((all - 20)) more: orrery report, or -v" -- depth net.json
check "20 rows, headings and a last line: $(rows)" test "$(rows)" = 22

make sample --network img --samples 100 -o data.h5
accepts '... and 44 more: -v lists all' -- info data.h5
accepts ' x63 ' -- info data.h5 -v
check 'all columns' test "$(grep -cE '^  x[0-9]+ ' "$outside/out")" = 64
finish
