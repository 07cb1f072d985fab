#!/usr/bin/env bash
# Quiet, normal and verbose; in a log a line with the time every few seconds; on a terminal a bar
# that fits it and goes when it is done.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 1000 -o data.h5

# Quiet: nothing at all from commands that write a file.
while read -r command; do
  # shellcheck disable=SC2086  # the words are the arguments
  accepts -- $command -q
  check "quiet: $command" test ! -s "$outside/all"
done <<'END'
sample --network img --samples 100 -o out.h5
moments data.h5 -o moments.h5
learn quartet data.h5 -o model.h5
params data.h5 --structure img -o params.h5
report model.h5 -o report.html
export model.h5 --format csv -o model.csv
END
accepts 'kernel' 'round 0' 'total: ' -- learn quartet data.h5 -o model.h5 -v
check 'verbose goes to standard error' grep -q kernel "$outside/err"
check 'the summary goes to standard output' grep -q 'written to model.h5' "$outside/out"
accepts -- learn quartet data.h5 -o model.h5
check 'short work says nothing on the way' test ! -s "$outside/err"

# In a log: work that takes long says something every few seconds, each time on a line of its own.
"$orrery" sample --network img --samples 100000000000 --threads 1 -o out.h5 2>"$outside/log" >/dev/null &
pid=$!
for _ in {1..600}; do
  grep -q ' left, ' "$outside/log" && break  # once the rate is steady
  sleep 0.1
done
kill $pid
wait $pid 2>/dev/null
time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z'
check "a line with time, share, rate and time left: $(cat "$outside/log")" \
  grep -qE "^$time sample: +[0-9]+ % of 100,000,000,000 rows, .* left, .* rows/s\$" "$outside/log"
check 'no other line' test "$(grep -cvE "^$time sample: " "$outside/log")" = 0
check 'no control characters' test "$(grep -c $'[\r\033]' "$outside/log")" = 0

script -qec true /dev/null >/dev/null 2>&1 </dev/null ||
  { echo 'the bar is not tested: no script (bsdutils), or no pseudo-terminal for it'; finish; }
quoted=$(printf %q "$orrery")  # as a shell reads it: its folder may have a space
on_terminal() {  # COLUMNS COMMAND...: what reaches a terminal of that width, in $outside/screen
  local columns=$1
  shift
  script -qec "stty cols $columns rows 24; $*" /dev/null >"$outside/screen" </dev/null
}
# The pieces between wipes ("\r" and "erase to the end of the line").
frames() { sed 's/\r\x1b\[K/\n/g' "$outside/screen" | tr -d '\r'; }
# Long work for as many seconds as three frames take: a busy machine may need more.
on_terminal_for_a_while() {  # COLUMNS
  local seconds
  for seconds in 1 5 30; do
    on_terminal "$1" "timeout $seconds $quoted sample --network img --samples 1000000000 --threads 1 -o out.h5"
    (($(frames | grep -c sample) < 3)) || break
  done
}
for columns in 120 40 20 80; do
  on_terminal_for_a_while $columns
  check "$columns columns: frames" test "$(frames | grep -c sample)" -ge 3
  check "$columns columns: no frame wraps" awk -v n=$columns 'length >= n { exit 1 }' <(frames)
done
check 'a bar on 80 columns' grep -qE 'sample \[[#.]{6,}\] .* rows, .* rows/s' <(frames)
on_terminal 80 "timeout 1 $quoted sample --network img --samples 1000000000 --threads 1 -o out.h5"
check 'no time left is promised in the first second' test "$(frames | grep -c ' left')" = 0
on_terminal 80 "$quoted sample --network img --samples 5000000 --threads 1 -o out.h5"
check "wiped before the summary: $(tail -c 200 "$outside/screen" | cat -v)" \
  grep -qE $'\r\x1b\\[K5,000,000 samples' "$outside/screen"
# Refinement and growth, of which nobody knows the end, say what it has and since when.
make sample --network con:20,causes=30,observed=100 --samples 4000 -o dense.h5
for seconds in 4 12 40; do
  on_terminal 80 "timeout $seconds $quoted learn quartet dense.h5 -o out.h5"
  ! frames | grep -q 'last gain .* ago, pass' || break
done
check "refinement: $(frames | tail -3)" \
  grep -qE '(refine, round 0|growth) [0-9]+ causes, score -[0-9.]+, last gain .* ago, pass [0-9]+' <(frames)
check 'no frame of it wraps' awk 'length >= 80 && /refine|growth/ { exit 1 }' <(frames)

# A search that knows how far it may be from its aim, not how many steps are left.
make sample --network anchored:indegree:2,10,40 --violations .5 --samples 20000 \
  --labels labels.h5 -o anchored.h5
make export anchored.h5 --format anchors -o all.csv
cut -d, -f1,2 all.csv >anchors.csv
search="learn anchored anchored.h5 --anchors anchors.csv --labels labels.h5 --structure indegree:2"
search+=" --polytope local --gap 1e-4 -o out.h5"
on_terminal 80 "$quoted $search"
check "the gap of moments: $(frames | head -5)" \
  grep -qE 'cause_moments, local gap [0-9.e-]+ nats of 0.0001, [0-9]+ steps, ' <(frames)
check 'no frame of it wraps' awk 'length >= 80 && /steps/ { exit 1 }' <(frames)
on_terminal 80 "$quoted $search -q"
check 'no gap when quiet' test ! -s "$outside/screen"
# A stage that says nothing, here a pipe that nobody writes to, does not stand still; what is printed
# in the end is on a line of its own, though it is the same terminal.
mkfifo pipe.csv
(sleep 4 && printf 'a,b\n1,0\n0,1\n1,1\n' >pipe.csv) &
on_terminal 80 "$quoted import pipe.csv -o piped.h5"
wait
check "silent: the seconds are counted: $(frames | head -5)" \
  test "$(frames | grep -cE '^orrery import: [0-9.]+ s$')" -ge 3
check 'silent: no two frames are the same' test "$(frames | grep '^orrery import' | sort | uniq -d | wc -l)" = 0
check "silent: wiped before the summary: $(tail -c 200 "$outside/screen" | cat -v)" \
  grep -qE $'\r\x1b\\[K3 ' "$outside/screen"
(sleep 3 && printf 'a,b\n1,0\n0,1\n1,1\n' >pipe.csv) &
on_terminal 80 "$quoted import pipe.csv -o piped.h5 -q"
wait
check 'silent and quiet' test ! -s "$outside/screen"
on_terminal 80 "$quoted sample --network img --samples 5000000 --threads 1 -q -o out.h5"
check 'quiet on a terminal too' test ! -s "$outside/screen"
finish
