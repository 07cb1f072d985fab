#!/usr/bin/env bash
# A run has as many threads as --threads says: no library that it links starts threads of its own.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
[[ -r /proc/self/task ]] || skip 'threads are counted in /proc (Linux)'
! ldd "$orrery" | grep -qi blas || skip 'a shared BLAS starts its threads before the program can say otherwise'
unset OPENBLAS_NUM_THREADS

make sample --network img-unif --samples 500 -o data.h5

# most_threads ARGUMENTS: the most that a run has had at once, as seen every few milliseconds.
most_threads() {
  local pid n
  local -a tasks
  most=0
  "$orrery" "$@" -q &
  pid=$!
  while tasks=(/proc/$pid/task/*) && [[ -e ${tasks[0]} ]]; do
    n=${#tasks[@]}
    ((n <= most)) || most=$n
    sleep 0.005
  done
  wait $pid || fail "orrery $*: exit code $?"
}

for threads in 1 2 3; do
  most_threads learn quartet data.h5 --threads $threads -o model.h5
  check "$threads threads, of which $most are seen" test "$most" = $threads
done

finish
