#!/usr/bin/env bash
# A sweep that was interrupted goes on where it was; what it collects is what its tasks found.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
small_sweep

slow_program 'learn *task-1.h5*'
stopped() {  # SIGNAL CODE
  rm -f slow/learning slow/ended
  ORRERY=$PWD/slow/orrery OMP_NUM_THREADS=1 "$jobs/sweep" run small.ini out 2>said &
  sweep=$!
  check "$1: it runs" appears slow/learning
  kill "-$1" "$sweep"
  wait "$sweep"
  check "$1: it says so by its code" test $? = "$2"
  check "$1: its programs were ended first" test -e slow/ended
}
stopped USR1 75
stopped TERM 143
check 'finished tasks stay, and only these' test "$(echo out/*)" = 'out/task-0.h5 out/task-0.json'
refuses 3 'out: 3 of 4 tasks are missing: 1-3;' -- "$jobs/sweep" collect small.ini out
check 'nothing is collected' test ! -e out/sweep.csv

before=$(stat -c %Y.%i out/task-0.json)
check 'it goes on' "$jobs/sweep" run small.ini out
check 'a finished task is not repeated' test "$(stat -c %Y.%i out/task-0.json)" = "$before"
check 'it is complete' "$jobs/sweep" collect small.ini out >table
left=$(find out -type f | sed -E '/task-[0-3]\.(h5|json)$/d' | sort | tr '\n' ' ')
check 'nothing else is there' test "${left/out\/sweep.svg /}" = 'out/sweep.csv '

# Each number again, by hand.
row=1
while read -r task samples seed; do
  "$ORRERY" sample --network con:8 --samples "$samples" --seed "$seed" -q -o data.h5
  "$ORRERY" learn quartet data.h5 --test rank --tau-q 0.01 -q -o model.h5
  found=$("$ORRERY" evaluate model.h5 --truth data.h5 | head -1)
  row=$((row + 1))
  check "task $task: $found" test "$found" = "$(sed -n "${row}p" out/sweep.csv |
    awk -F, '{ print $12 " of " $10 " causes recovered, " $13 " extra" }')"
  check "task $task is named in full" grep -q \
    "^$task,con:8,$samples,rank,0.01,default,default,default,$seed,8," out/sweep.csv
done <<'END'
0 200 1
1 200 2
2 2000 1
3 2000 2
END
check 'a line a task' test "$(wc -l <out/sweep.csv)" = 5
check 'the table holds the means' grep -qF "| 2000 | $(awk -F, '$3 == 2000 { r += $12; e += $13 }
  END { printf "%.2f of 8 | %.2f |", r / 2, e / 2 }' out/sweep.csv)" table
if command -v gnuplot >/dev/null; then
  check 'the plot is of con:8' grep -qF 'con:8: mean and standard deviation of 2 seeds' out/sweep.svg
fi

sed -i 's/0.01/0.02/' small.ini
refuses 3 'out/task-0.json is not of task 0 of small.ini' -- "$jobs/sweep" run small.ini out
refuses 3 'out/task-0.json is not of task 0 of small.ini' -- "$jobs/sweep" collect small.ini out
sed -i 's/0.02/0.01/' small.ini
sed -i '/"extra"/d' out/task-2.json
refuses 3 'out/task-2.json: no "extra"' -- "$jobs/sweep" collect small.ini out
finish
