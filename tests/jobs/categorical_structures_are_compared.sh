#!/usr/bin/env bash
# The experiments on categorical data, small: structures are found, and better with more rows; every
# cell is in the tables and the picture; array elements do together what one machine does; what is
# there is not run again.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
export SEP_SCALE=small
quietly() { "$@" >out; }

check 'it has tasks' test "$("$jobs/sep/run" count)" = 14
check 'their list is as long' test "$("$jobs/sep/run" list | wc -l)" = 14
check 'more networks are more tasks' test "$(SEP_NETWORKS=5 "$jobs/sep/run" count)" = 35
check 'at full size too' test "$(SEP_SCALE=full SEP_NETWORKS=1 "$jobs/sep/run" count)" = 44

# One element of an array of two, then the rest here.
ln -s "$jobs" jobs
check 'an element runs' env SLURM_ARRAY_TASK_MAX=1 SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=1 \
  bash jobs/sweep.sbatch jobs/sep/run small
check 'every second task' test "$(echo small/*.csv | wc -w)" = 7
refuses 3 '7 of 14 tasks are missing: 0,2,4,6,8,10,12' -- "$jobs/sep/run" collect small
check 'what is there can be shown' quietly "$jobs/sep/run" show small
check 'as tables' grep -q '^## Table 2' out
cp small/table_1_2_12_1000_1.csv first
check 'the others run' "$jobs/sep/run" run small
check 'what was there is left' cmp -s first small/table_1_2_12_1000_1.csv
check 'they are collected' quietly "$jobs/sep/run" collect small

# 2 seeds x (2 tables x (2 x 3 learners + 1) + 4 learners of the clinical-like set), and a heading.
check 'every learned network has a line' test "$(wc -l <small/results.csv)" = $((1 + 2 * (2 * 7 + 4)))
check 'every cell has a line' test "$(wc -l <small/cells.csv)" = $((1 + 2 * 7 + 4))
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
  END { exit !(cells == 4 && good == 4) }' small/cells.csv
check 'the tables have every cell' test "$(grep -cE '^\| (100|1000) \| (sep1|sep2|sem|sem, plain) \| [0-9]' \
  small/results.md)" = $((2 * 2 * 2 * 3))
check 'the search from random rows, which is not the paper'"'"'s, is no opponent' \
  sh -c 'grep -q "is below sem in" small/results.md && ! grep -q "below sem, plain" small/results.md'
check 'the paper, of other sizes, is not beside them' sh -c '! grep -q "(7.55)" small/results.md'
check 'the picture has a dot a cell' test "$(grep -c '<circle' small/sep.svg)" -ge $((2 * 2 * 3))

refuses 2 'SEP_SCALE=huge: full or small' -- env SEP_SCALE=huge "$jobs/sep/run" count
refuses 2 'SEP_NETWORKS=0: a whole number' -- env SEP_NETWORKS=0 "$jobs/sep/run" count
refuses 2 'jobs/sep/run has tasks 0 to 13' -- "$jobs/sep/run" run other 14
refuses 2 usage -- "$jobs/sep/run" walk other
check 'a wrong call writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/sep/run" run other
finish
