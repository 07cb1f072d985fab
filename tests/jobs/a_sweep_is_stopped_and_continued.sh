#!/usr/bin/env bash
# A sweep that was interrupted goes on where it was; what it collects is what its tasks found.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
small_sweep

refuses 3 'out: 4 of 4 tasks are missing: 0-3;' -- "$jobs/sweep" collect small.ini out
slow_program 'learn *con_200_0.01_2.h5*'
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
check 'finished tasks stay, and only these' test "$(echo out/*)" = \
  'out/con_200_0.01_1.h5 out/con_200_0.01_1.json'
refuses 3 'out: 3 of 4 tasks are missing: 1-3;' -- "$jobs/sweep" collect small.ini out
check 'nothing is collected' test "$(echo out/*)" = \
  'out/con_200_0.01_1.h5 out/con_200_0.01_1.json'
check 'what is there can be shown' "$jobs/sweep" show small.ini out >table
check 'in one row' grep -qE '^\| con \| 200 \| 0\.01 \| .* of 1 \|' table

before=$(stat -c %Y.%i out/con_200_0.01_1.json)
check 'it goes on' "$jobs/sweep" run small.ini out
check 'a finished task is not repeated' test "$(stat -c %Y.%i out/con_200_0.01_1.json)" = "$before"
check 'it is complete' "$jobs/sweep" collect small.ini out >table
check 'the table is kept' cmp table out/means.md
left=$(find out -type f | sed -E '/con_(200|2000)_0.01_[12]\.(h5|json)$/d' | sort | tr '\n' ' ')
check 'nothing else is there' test "$left" = \
  'out/means.csv out/means.md out/sweep.csv out/sweep.html '

# Each number again, by hand.
row=1
while read -r samples seed; do
  "$ORRERY" sample --network con:8 --samples "$samples" --seed "$seed" -q -o data.h5
  "$ORRERY" learn quartet data.h5 --test rank --tau-q 0.01 -q -o model.h5
  found=$("$ORRERY" evaluate model.h5 --truth data.h5 | head -1)
  found=${found%% (*}  # what counts as recovered
  row=$((row + 1))
  check "$samples $seed: $found" test "$found" = "$(sed -n "${row}p" out/sweep.csv |
    awk -F, '{ print $7 " of " $5 " causes recovered, " $8 " extra" }')"
  check "$samples $seed is named" grep -q "^con,$samples,0.01,$seed,8," out/sweep.csv
done <<'END'
200 1
200 2
2000 1
2000 2
END
check 'a line per task' test "$(wc -l <out/sweep.csv)" = 5
check 'the table holds the means' grep -qF "| con | 2000 | 0.01 | $(awk -F, '
  $2 == 2000 { r += $7; e += $8; all += $7 == 8; one += $7 == 8 && $8 == 0; any += $8 > 0 }
  END { printf "%.2f of 8 | %d of 2 | %d of 2 | %.2f | %d of 2 |", r / 2, all, one, e / 2, any }' \
  out/sweep.csv)" table

# Another configuration may add to the folder; what it says of the same names must be the same.
sed 's/^seeds.*/seeds = 2-3/' small.ini >more.ini
check 'more seeds' "$jobs/sweep" run more.ini out
check 'only the new ones are run' test "$(echo out/*_3.json)" = \
  'out/con_2000_0.01_3.json out/con_200_0.01_3.json'
sed -i 's/tau-q 0.01/tau-q 0.02/' small.ini
refuses 3 'out/con_200_0.01_1.json is not what small.ini says' -- "$jobs/sweep" run small.ini out
refuses 3 'out/con_200_0.01_1.json is not what small.ini says' -- "$jobs/sweep" collect small.ini out
sed -i 's/tau-q 0.02/tau-q 0.01/' small.ini
sed -i '/"extra"/d' out/con_2000_0.01_1.json
refuses 3 'out/con_2000_0.01_1.json: no "extra"' -- "$jobs/sweep" collect small.ini out
finish
