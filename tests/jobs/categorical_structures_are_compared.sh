#!/usr/bin/env bash
# The experiments on categorical data, small: structures are found, and better with more rows; every
# cell is in the tables and the picture; array elements do together what one machine does; what is
# there is not run again.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
export SEP_SCALE=small
quietly() { "$@" >out; }

check 'it has tasks' test "$("$jobs/sep/run" count)" = 22
check 'their list is as long' test "$("$jobs/sep/run" list | wc -l)" = 22
check 'more networks are more tasks' test "$(SEP_NETWORKS=5 "$jobs/sep/run" count)" = 55
check 'at full size too' test "$(SEP_SCALE=full SEP_NETWORKS=1 "$jobs/sep/run" count)" = 76
check 'those of some kinds alone' test "$(SEP_KINDS='missing clinical' "$jobs/sep/run" count)" = 6

# One element of an array of two, then the rest here.
ln -s "$jobs" jobs
check 'an element runs' env SLURM_ARRAY_TASK_MAX=1 SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=1 \
  bash jobs/sweep.sbatch jobs/sep/run small
check 'every second task' test "$(echo small/*.csv | wc -w)" = 11
refuses 3 '11 of 22 tasks are missing: 0,2,4,6,8,10,12,14,16,18,20' -- "$jobs/sep/run" collect small
check 'what is there can be shown' quietly "$jobs/sep/run" show small
check 'as tables' grep -q '^## Table 2' out
cp small/plain_1_2_12_1000_1.csv first
check 'the others run' "$jobs/sep/run" run small
check 'what was there is left' cmp -s first small/plain_1_2_12_1000_1.csv
check 'they are collected' quietly "$jobs/sep/run" collect small

# 2 seeds x (2 tables x (2 x 5 learners + 1) + 6 learners of the clinical-like set), and a heading.
check 'every learned network has a line' test "$(wc -l <small/results.csv)" = $((1 + 2 * (2 * 11 + 6)))
check 'every cell has a line' test "$(wc -l <small/cells.csv)" = $((1 + 2 * 11 + 6))
check 'no data were refused' awk -F, 'NR > 1 { refused += $8 } END { exit refused > 0 }' small/cells.csv
# Of some 12 edges, from 1,000 rows.
check 'expectation propagation finds structures of one parent' awk -F, '
  $1 == "table" && $2 == 1 && $5 == 1000 && $6 == "sep" { found = $9 <= 2 }
  END { exit !found }' small/cells.csv
check 'gaps do not hide them' awk -F, '
  $1 == "missing" && $2 == 1 { found = $9 <= 2 } END { exit !found }' small/cells.csv
check 'new rows are less likely than in truth, and more likely with more rows' awk -F, '
  $1 == "table" && $6 == "sep" { loss[$2, $5] = $15 }
  END {
    for (p = 1; p <= 2; ++p) if (!(loss[p, 100] > loss[p, 1000] && loss[p, 1000] > 0)) exit 1
  }' small/cells.csv
check 'splits of the clinical-like set are judged' awk -F, '
  $1 == "clinical" { ++cells; good += $13 < 0 && $7 == 2 }
  END { exit !(cells == 6 && good == 6) }' small/cells.csv
check 'the tables have every cell' test "$(grep -cE '^\| (100|1000) \| (sep1|sep2|sem|sem, plain) \| -?[0-9]' \
  small/results.md)" = $((2 * 2 * (3 + 2 + 3)))
check 'and those of our departures taken away' test "$(grep -cE \
  '^\| (100|1000) \| sep[12], (one start|plain) \| -?[0-9]' small/results.md)" = $((2 * 2 * (2 + 1 + 2)))
check 'the structure of more rows has more marginal likelihood' awk -F, '
  $1 == "table" && $6 == "sep" { loss[$2, $5] = $20 }
  END { for (p = 1; p <= 2; ++p) if (!(loss[p, 100] > loss[p, 1000])) exit 1 }' small/cells.csv
check 'the search from random rows, which is not the paper'"'"'s, is no opponent' \
  sh -c 'grep -q "is below sem in" small/results.md && ! grep -q "below sem, plain" small/results.md'
check 'the paper, of other sizes, is not beside them' sh -c '! grep -q "(7.55)" small/results.md'
check 'the picture has a dot a cell' test "$(grep -c '<circle' small/sep.svg)" -ge $((2 * 2 * 3))

# Figure 6: per network and start three posteriors of every edge.
check 'Figure 6 is drawn' env ROWS=200 "$jobs/sep/figure6" sixth 3
check 'with every edge' test "$(wc -l <sixth/figure6.csv)" = $((1 + 2 * 3 * 2 * 12))
check 'whose probabilities are some' awk -F, '
  NR > 1 && !($6 >= 0 && $6 <= 1.000001) { exit 1 }
  NR > 1 { sum += $6 } END { exit !(sum >= 6 * 12) }' sixth/figure6.csv
check 'and a line of numbers per posterior' test "$(grep -cE '^\| 3 \| (random|clusters) \|' sixth/figure6.md)" = 6
check 'and a picture of them' test "$(grep -c 'class="frame"' sixth/figure6.svg)" = $((2 * 4))

refuses 2 'SEP_KINDS: no task is of the kind figures' -- env SEP_KINDS=figures "$jobs/sep/run" count
refuses 2 usage -- "$jobs/sep/figure6"
refuses 2 'SEP_SCALE=huge: full or small' -- env SEP_SCALE=huge "$jobs/sep/run" count
refuses 2 'SEP_NETWORKS=0: a whole number' -- env SEP_NETWORKS=0 "$jobs/sep/run" count
refuses 2 'jobs/sep/run has tasks 0 to 21' -- "$jobs/sep/run" run other 22
refuses 2 usage -- "$jobs/sep/run" walk other
check 'a wrong call writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/sep/run" run other
finish
