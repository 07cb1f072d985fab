#!/usr/bin/env bash
# Ctrl-C and a job manager's end: no half-written file stays, a previous one does.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

for signal in INT TERM HUP USR1; do
  rm -f out.h5
  printf 'a previous output' >out.h5
  # setsid and env: a shell starts background jobs with SIGINT ignored.
  env --default-signal=INT "$orrery" sample --network img --samples 100000000000 -o out.h5 \
    >/dev/null 2>&1 &
  pid=$!
  for _ in {1..100}; do
    compgen -G '.out.h5.*' >/dev/null && break
    sleep 0.05
  done
  check "$signal: the run began" compgen -G '.out.h5.*' >/dev/null
  kill -s $signal $pid
  wait $pid
  code=$?
  check "$signal: ended by the signal" test $code = $((128 + $(kill -l $signal)))
  check "$signal: no temporary file" test "$(find . -type f | wc -l)" = 1
  check "$signal: the previous output" grep -qx 'a previous output' out.h5
done
finish
