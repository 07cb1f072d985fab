#!/usr/bin/env bash
# Trees with weak edges, small: fewer are whole, and their pairs and predictions are hardly worse; what
# is there is not run again; the page shows every cell.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' "$jobs/hidden_tree/weak_edges" --scale small weak
check 'every run has a line' test "$(wc -l <weak/runs.csv)" = $((1 + 2 * 2 * 5 * 4))
check 'with noise and 10,000 samples trees with weak edges are not all whole; those without are' awk -F, '
  $2 == "0.2" && $3 == 10000 { whole[$1] = $5; missed[$1] = $6 }
  END { exit !(whole["0.2"] == 1 && whole["0.005"] < 1 && missed["0.005"] > 0) }' weak/cells.csv
check 'ssTV falls with samples however weak edges are, and is near that without weak ones' awk -F, '
  NR > 1 { mean[$1, $2, $3] = $7 }
  END {
    for (q = 0; q < 0.3; q += 0.2) {
      if (!(mean["0.005", q, 10000] < mean["0.005", q, 300] / 3)) exit 1
      if (!(mean["0.005", q, 10000] < 1.5 * mean["0.2", q, 10000])) exit 1
    }
  }' weak/cells.csv
check 'predictions lose next to nothing' awk -F, '
  NR > 1 && $3 == 10000 && !($10 < 0.001 && $10 > -0.001 && $11 > 0.3 && $11 < 0.6931) { exit 1 }' weak/cells.csv
check 'theory: weak edges cost the tree samples, and prediction none' awk -F, '
  $2 == "0" { tree[$1] = $3; near[$1] = $4 }
  END { exit !(tree["0.005"] > 1000 * tree["0.2"] && near["0.005"] == near["0.2"] && near["0.2"] > 1000) }' \
  weak/theory.csv
check 'the page has every cell' test "$(grep -c '<tr><td>' weak/weak_edges.html)" = 16

echo '0.005,0,300,1,1,0,0.5,0.1,0.6,0.6' >weak/runs/0.005_0_1.csv
check 'it goes on' "$jobs/hidden_tree/weak_edges" --scale small weak
check 'with what is there' grep -qx '0.005,0,300,1,1,0,0.5,0.1,0.6,0.6' weak/runs.csv
refuses 2 usage -- "$jobs/hidden_tree/weak_edges" --scale huge other
refuses 2 usage -- "$jobs/hidden_tree/run" --scale small --beyond 3 other
finish
