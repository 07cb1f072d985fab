#!/usr/bin/env bash
# A signal that comes before a run is told what to do: with --checkpoint it asks for a stop, which
# the run comes to; without, it ends the run at once.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 500 -o data.h5
mkfifo options.ini

# signalled SIGNAL LINE ARGUMENTS: the run reads its options from a pipe, which gives LINE only after
# the signal has come; sets $code.
signalled() {
  local signal=$1 line=$2
  shift 2
  "$orrery" "$@" --config options.ini >"$outside/out" 2>"$outside/err" </dev/null &
  local pid=$!
  exec 9>options.ini # opened as soon as the run opens it
  kill -s "$signal" $pid
  echo "$line" >&9
  exec 9>&-
  wait $pid
  code=$?
}

for signal in USR1 TERM HUP; do
  number=$((128 + $(kill -l $signal)))
  signalled $signal 'every = 1h' learn quartet data.h5 -o out.h5 --checkpoint c.h5
  check "$signal with --checkpoint: 75, not $code: $(cat "$outside/err")" test "$code" = 75
  check "$signal: no model" test ! -e out.h5
  accepts -- learn quartet data.h5 -o out.h5 --checkpoint c.h5 --resume
  rm -f out.h5 c.h5
  signalled $signal 'checkpoint = c.h5' learn quartet data.h5 -o out.h5
  check "$signal with a checkpoint in the file of options: 75, not $code" test "$code" = 75
  rm -f c.h5
  signalled $signal 'seed = 2' learn quartet data.h5 -o out.h5
  check "$signal without: $number, not $code" test "$code" = $number
  check "$signal without: nothing is written" test ! -e out.h5
done
finish
