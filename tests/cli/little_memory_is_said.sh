#!/usr/bin/env bash
# An address space that is too small (ulimit -v) ends a run with exit code 4 and the amount, leaving
# nothing behind: no library may wait for ever, nor end the program in its own way.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# A sanitizer maps terabytes: under a limit of 4 GiB its program does not start.
(ulimit -v $((4 << 20)) && "$orrery" --version >/dev/null 2>&1) ||
  skip 'the program takes more than 4 GiB of addresses as it is'

make sample --network img --samples 2000 -o data.h5
make learn quartet data.h5 -o model.h5
make sample --network linear:bipartite:30,4,.3 --samples 3000 -o numbers.h5
least=50
while ! (ulimit -v $((least << 10)) && "$orrery" --version >/dev/null 2>&1); do least=$((least + 10)); done

# under MEBIBYTES ARGUMENTS: done, or refused for want of memory; sets $code. Four threads with stacks
# of 8 MiB do not fit into the least.
under() {
  local mebibytes=$1 shown="$1 MiB: orrery ${*:2}" before
  shift
  checks=$((checks + 1))
  rm -f -- out.h5
  before=$(snapshot)
  (ulimit -s 8192; ulimit -v $((mebibytes << 10)) && exec timeout -k 5 60 "$orrery" "$@" -o out.h5 --threads 4) \
    >"$outside/out" 2>"$outside/err" </dev/null
  code=$?
  ((code == 0)) && return
  ((code == 4)) || fail "$shown: ended with $code: $(cat "$outside/err")"
  expect_texts "$outside/err" 'orrery: error: ' 'ulimit -v' "limited to $(awk -v m="$mebibytes" \
    'BEGIN { printf "%.1f MB", m * 1048576 / 1e6 }')"
  changed_nothing "$shown" "$before"
}

while read -r command; do
  refused=0
  for mebibytes in $least $((least + 20)) $((least + 50)) 200 300 400 500 700; do
    # shellcheck disable=SC2086  # the words are the arguments
    under "$mebibytes" $command
    ((code == 0)) || refused=$((refused + 1))
  done
  # shellcheck disable=SC2086
  under 4000 $command
  check "4,000 MiB are enough: orrery $command: $(cat "$outside/err")" test $code = 0
  check "refused at least once: orrery $command" test $refused -ge 1
done <<'END'
learn quartet data.h5
learn linear numbers.h5 --causes 4
learn vem data.h5 --causes 8 --restarts 1 --max-iterations 4
infer model.h5 data.h5
params data.h5 --structure img
END

# The opening of a file: HDF5 1.10 uses its cache of metadata without asking whether there was room.
# The digest of a model: its JSON was once ended by a destructor, which may not run out of memory.
# Learning: what is left may be too little for the message that says so.
for ((mebibytes = least; mebibytes < least + 25; ++mebibytes)); do
  under "$mebibytes" learn quartet data.h5
  under "$mebibytes" infer model.h5 data.h5
  under "$mebibytes" params data.h5 --structure img
done
finish
