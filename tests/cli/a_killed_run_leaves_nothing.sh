#!/usr/bin/env bash
# Ctrl-C and a job manager's end: no half-written file stays, a previous one does. What a run that
# could not clean up left is removed by the next one that writes the same output, and not before.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# begin: a long run in the background, $pid, that has begun to write out.h5.
begin() {
  local before
  before=$(find . -name '.out.h5.*' | wc -l)
  # setsid and env: a shell starts background jobs with SIGINT ignored.
  env --default-signal=INT "$orrery" sample --network img --samples 100000000000 -o out.h5 \
    >/dev/null 2>&1 &
  pid=$!
  for _ in {1..100}; do
    (($(find . -name '.out.h5.*' | wc -l) > before)) && break
    sleep 0.05
  done
  check "$1: the run began" test "$(find . -name '.out.h5.*' | wc -l)" -gt "$before"
}

for signal in INT TERM HUP USR1; do
  printf 'a previous output' >out.h5
  begin $signal
  kill -s $signal $pid
  wait $pid
  code=$?
  check "$signal: ended by the signal" test $code = $((128 + $(kill -l $signal)))
  check "$signal: no temporary file" test "$(find . -type f | wc -l)" = 1
  check "$signal: the previous output" grep -qx 'a previous output' out.h5
done

# Killed, two runs at once: the file of the one that lives stays.
begin 'to be killed'
killed=$pid
begin 'to live'
kill -s KILL $killed
wait $killed 2>/dev/null
check 'both left a file' test "$(find . -name '.out.h5.*' | wc -l)" = 2
make sample --network img --samples 10 -o other.h5
check 'of another output nothing is removed' test "$(find . -name '.out.h5.*' | wc -l)" = 2
touch .out.h5.a1B2c3  # as other programs name theirs
make sample --network img --samples 10 -o out.h5
check 'the dead one is removed' test "$(find . -name '.out.h5.orrery-*' | wc -l)" = 1
check 'and nothing of another program' test -e .out.h5.a1B2c3
kill -s KILL $pid
wait $pid 2>/dev/null
make sample --network img --samples 10 -o out.h5
check 'no temporary file' test "$(find . -name '.out.h5.orrery-*' | wc -l)" = 0
finish
