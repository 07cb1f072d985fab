#!/usr/bin/env bash
# Noise of each variable's own, small: trees are whole while it hardly differs, not where it differs
# much, and the learner says so there alone.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' "$jobs/hidden_tree/unequal_noise" --scale small noise
check 'every run has a line' test "$(wc -l <noise/runs.csv)" = $((1 + 4 * 3))
check 'equal noise costs no edge and is not warned of; noise of 0 to 0.2 costs edges and is' awk -F, '
  $1 == "0" { equal = $4 == 1 && $5 == 1 && $6 == 0 && $8 == 0 }
  $1 == "0.1" { unequal = $4 == 0 && $5 == 0 && $6 > 1 && $8 == 1 }
  END { exit !(equal && unequal) }' noise/cells.csv
check 'ssTV grows with how much noise differs' awk -F, '
  NR > 2 && !($7 > last) { exit 1 }
  { last = $7 }' noise/cells.csv

echo '0,10000,1,1,1,0,0.5,1' >noise/runs/0_1.csv
check 'it goes on' "$jobs/hidden_tree/unequal_noise" --scale small noise
check 'with what is there' grep -qx '0,10000,1,1,1,0,0.5,1' noise/runs.csv
refuses 2 usage -- "$jobs/hidden_tree/unequal_noise" --scale huge other
finish
