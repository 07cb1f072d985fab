#!/usr/bin/env bash
# The experiments on hidden trees, small: trees are whole with enough samples, and not with few;
# what is there is not run again; the page shows every cell.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' "$jobs/hidden_tree/run" --scale small trees
check 'every run has a line' test "$(wc -l <trees/runs.csv)" = $((1 + 2 * 2 * 5 * 4))
check 'trees are whole with 10,000 samples, and none with 300 noisy ones' awk -F, '
  $3 == 10000 { enough += $5; ++cells }
  $2 == "0.2" && $3 == 300 { few += $5 }
  END { exit !(cells == 4 && enough == 4 && few == 0) }' trees/cells.csv
check 'noise takes samples: ssTV falls with them, and is larger with it' awk -F, '
  NR == 1 { next }
  { sstv[$1, $2, $3] = $6 }
  END {
    split("recursive chain", name, " ")
    for (i = 1; i <= 2; ++i) {
      if (!(sstv[name[i], "0", 10000] < sstv[name[i], "0", 300] / 3)) exit 1
      if (!(sstv[name[i], "0.2", 10000] > sstv[name[i], "0", 10000])) exit 1
    }
  }' trees/cells.csv
check 'theory asks for more samples with noise' awk -F, '
  $1 == "0" { without = $2 } $1 == "0.2" { with = $2 }
  END { exit !(without > 1000 && with > 20 * without && with < 60 * without) }' trees/theory.csv
check 'the page has every cell' test "$(grep -c '<tr><td>' trees/hidden_tree.html)" = 16

echo 'recursive,0,300,1,1,0.5' >trees/runs/recursive-20_0_1.csv
check 'it goes on' "$jobs/hidden_tree/run" --scale small trees
check 'with what is there' grep -qx 'recursive,0,300,1,1,0.5' trees/runs.csv
refuses 2 usage -- "$jobs/hidden_tree/run" --scale huge other
finish
