#!/usr/bin/env bash
# The experiments on linear networks, small: loadings are found, and better with more rows; what is
# there is not run again; other methods stand beside where their Python is there; the page shows
# every cell.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' "$jobs/linear/run" --quick small
check 'every run has a line' test "$(wc -l <small/runs.csv)" = $((1 + 6 * 2 * 3))
check 'every cell has a line' test "$(wc -l <small/cells.csv)" = $((1 + 6 * 2))
check 'loadings are found with 10,000 rows' awk -F, '
  $6 == 10000 { ++cells; found += $10 >= .95 && $12 < .05 }
  END { exit !(cells == 6 && found == 6) }' small/cells.csv
check 'so are couplings' awk -F, '
  $6 == 10000 && ($1 == "caterpillar" || $1 == "symmetric" || $1 == "polytree") {
    found += $9 > 0 && $9 < .06 }
  END { exit found != 3 }' small/cells.csv
check 'errors fall with rows, as their root' awk -F, '
  $1 != "caterpillar" && $1 != "symmetric" && $1 != "polytree" { error[$1, $6] = $12; family[$1] }
  END {
    delete family["family"]
    for (f in family) if (!(error[f, 10000] < error[f, 1000] / 1.8)) exit 1
  }' small/cells.csv
check 'ALGORITHM 1 to the letter finds trees, and less where causes share variables' awk -F, '
  NR == 1 { named = $26 == "letter_f1" && $30 == "programs_f1" }
  $1 == "ternary" || $1 == "caterpillar" { trees += $26 >= .95 }
  $1 == "bipartite" { less += $26 < $30 && $26 < $10 }
  END { exit !(named && trees == 4 && less == 2) }' small/cells.csv
check 'the page has every cell' test "$(grep -c '<tr><td>' small/linear.html)" = 12
check 'the picture stands alone' grep -q '^<svg xmlns' small/linear.svg

if /usr/bin/python3 -c 'import h5py, scipy, sklearn' 2>/dev/null; then
  check 'FastICA finds independent skewed causes, and misses dependent ones' awk -F, '
    $6 == 10000 && $1 == "independent" { apart = $22 >= .95 && $24 < .1 }
    $6 == 10000 && $1 == "bipartite" { together = $22 < .95 && $24 > .2 }
    END { exit !(apart && together) }' small/cells.csv
  check 'factor analysis with varimax misses dependent ones' awk -F, '
    $6 == 10000 && $1 == "bipartite" { exit !($14 < $10 && $16 > 4 * $12) }' small/cells.csv
  check 'an oblique rotation finds more of them: F1 and error' awk -F, '
    NR == 1 { named = $18 == "oblique_f1" && $20 == "oblique_error" }
    $6 == 10000 && $1 == "bipartite" { better = $18 > $14 && $20 < .7 * $16 }
    END { exit !(named && better) }' small/cells.csv
  check 'the page has it' grep -q 'factor analysis + geomin' small/linear.html
fi

cp -r small/runs kept
for file in small/runs/*_1000_*; do echo 'planted,n,3,gaussian,0,1000,1,1,0,,0,0,,,,,,,,,,1,0,,0,0,1,0,,0,0' >"$file"; done
rm small/runs/bipartite_bipartite-24-3-.3_10000_1.csv
check 'it goes on, without Python too' env PYTHON=/bin/false "$jobs/linear/run" --quick small
check 'with what is there' test "$(grep -c '^planted' small/runs.csv)" = 18
check 'a run without Python has no numbers of other methods' awk -F, '
  $1 == "bipartite" && $6 == 10000 && $7 == 1 { empty = $13 $16 $19 == "" && $22 != "" }
  END { exit !empty }' small/runs.csv
check 'and the same numbers else' test "$(cut -d, -f1-11 kept/bipartite*_10000_1.csv)" = \
  "$(cut -d, -f1-11 small/runs/bipartite*_10000_1.csv)"
rm small/runs/ternary_ternary-3_10000_1.csv
refuses 0 'apt-get install python3-h5py python3-sklearn' -- \
  env PYTHON=/bin/false "$jobs/linear/run" --quick small
check 'fewer networks are a page of fewer' "$jobs/linear/run" --quick --seeds 1 small
check 'of one each' test "$(wc -l <small/runs.csv)" = $((1 + 6 * 2))
refuses 2 usage -- "$jobs/linear/run" --seeds none other
refuses 2 usage -- "$jobs/linear/run" --huge other
check 'without the others' "$jobs/linear/run" --quick --seeds 1 --ours alone
check 'the others have no numbers' awk -F, '
  NR > 1 { empty += $14 $18 $22 == "" && $26 != "" } END { exit empty != 12 }' alone/cells.csv
check 'a wrong option writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/linear/run" --quick other
finish
