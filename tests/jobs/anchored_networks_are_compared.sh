#!/usr/bin/env bash
# The experiments on anchored networks, small: moments come nearer to the truth with more rows, a tree
# answers more last tags than independent causes or classifiers; what is there is not run again; the
# page shows every cell.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' "$jobs/anchored/run" --quick small
# 3 seeds: figure 4 has 2 cases, 2 numbers of rows, 3 polytopes and 2 of them regularised; figure 5 2
# numbers of rows, 7 learners; figure 6 2 cases, 3 numbers of steps.
check 'every run has a line' test "$(wc -l <small/runs.csv)" = $((1 + 3 * (2 * 2 * 5 + 2 * 7 + 2 * 3)))
# Lines of the true network beside them, and of the baselines.
check 'every cell has a line' test "$(wc -l <small/cells.csv)" = \
  $((1 + 2 * 2 * (5 + 1) + 2 * (7 + 2) + 2 * (3 + 1) + 1))
# shellcheck disable=SC2016  # awk's
check 'every cell has all its seeds' awk -F, 'NR > 1 && $6 + $10 != 3 { exit 1 }' small/cells.csv
check 'with 10,000 rows moments say nearly what the truth says of the causes' awk -F, '
  $1 == 4 && $2 == "sure" && $5 == 10000 { mean[$4] = $7 }
  END {
    true = mean["true network"]
    exit !(length(mean) == 6 && mean["simplex"] > true - .1 && mean["local"] > true - .1 &&
           mean["marginal"] > true - .1)
  }' small/cells.csv
check 'more rows help' awk -F, '
  $1 == 4 && $2 == "sure" { mean[$4, $5] = $7 }
  END { exit !(mean["simplex", 10000] > mean["simplex", 2000]) }' small/cells.csv
check 'a tree answers more than the baseline' awk -F, '
  $1 == 5 && $5 == 5000 { mean[$4] = $7 }
  END { exit !(length(mean) == 9 && mean["tree"] > mean["baseline"] && mean["true network"] > .5) }' \
  small/cells.csv
check 'the page has every cell' test "$(grep -c '<tr><td>' small/anchored.html)" = \
  $(($(wc -l <small/cells.csv) - 1))
check 'the picture stands alone' grep -q '^<svg xmlns' small/anchored.svg

cp small/runs.csv kept.csv
rm small/runs/5_tags_anchored-tree-5-30_1000_2.csv
for file in small/runs/4_*; do sed -i 's/^4,\([a-z]*\),[^,]*,/4,\1,planted,/' "$file"; done
check 'it goes on' "$jobs/anchored/run" --quick small
check 'with what is there' test "$(grep -c planted small/runs.csv)" = 60
check 'a run again gives the same, but for its time' cmp \
  <(grep ^5 kept.csv | sed "s/,[^,]*,[^,]*$//") <(grep ^5 small/runs.csv | sed "s/,[^,]*,[^,]*$//")
refuses 2 usage -- "$jobs/anchored/run" --huge other
check 'a wrong option writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/anchored/run" --quick other
finish
