#!/usr/bin/env bash
# Every call that writes a file fails in turn (libfiu): the first, the second, ... until a run no
# longer comes that far. A run that ends with 0 has written the right file; any other ends with 4 (3
# if the call was to read an input), says so in one line, and the previous file is all that is there;
# or the new one, whole, if its directory could not be synced.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
fail_call=${3:-}
stand_ins=${4:-}
[[ -n $fail_call ]] || skip 'libfiu (fiu-utils, libfiu-dev) is not here, or a sanitizer is in its way'

ln -s "$fail_call" "$outside/fail_call.so"  # LD_PRELOAD cannot name a path with a space
readonly EIO=5 ENOSPC=28
make sample --network img --samples 2000 -o data.h5
make params data.h5 --structure img -o model.h5
make_table 3000 >table.csv
make import table.csv -o small.h5  # learned in no time: hundreds of runs follow
export OMP_NUM_THREADS=1

# run_failing POINT CALL ERRNO HOW ARGUMENTS: like run; $outside/failed is there if the call failed.
run_failing() {
  local failure="$1 $2 $3 $4"
  shift 4
  rm -f "$outside/failed"
  timeout -k 5 60 env LD_PRELOAD="$stand_ins $outside/fail_call.so" ORRERY_FAIL="$failure" \
    ORRERY_FAILED="$outside/failed" "$orrery" "$@" >"$outside/out" 2>"$outside/err" </dev/null
  code=$?
}

same() {
  cmp -s "$1" "$2" || same_data "$1" "$2"  # files of text have no /run
}

judge() {  # SHOWN
  checks=$((checks + 1))
  [[ $(find out -mindepth 1) == out/out ]] || fail "$1: left $(find out -mindepth 1)"
  if ((code == 0)); then
    same out/out right || fail "$1: ended with 0, but the file is wrong"
    return
  fi
  local expected=4
  ! grep -qE '^orrery: error: (data.h5|small.h5|model.h5|table.csv): ' "$outside/err" || expected=3
  ((code == expected)) || fail "$1: ended with $code: $(cat "$outside/err")"
  [[ $(grep -c '^orrery: error: ' "$outside/err") == 1 && $(wc -l <"$outside/err") == 1 ]] ||
    fail "$1: not one line of error: $(cat "$outside/err")"
  if grep -q 'the new file is in place' "$outside/err"; then
    same out/out right || fail "$1: the new file is wrong"
  else
    grep -qsx 'a previous output' out/out || fail "$1: the previous file is lost"
  fi
}

# every POINT ERRNO HOW LEAST ARGUMENTS: at least LEAST calls can fail.
every() {
  local point=$1 error=$2 how=$3 least=$4 call=0
  shift 4
  while true; do
    rm -rf out
    mkdir out
    printf 'a previous output' >out/out
    run_failing "$point" $((++call)) "$error" "$how" "$@" -q -o out/out
    judge "$point $call $how: orrery $*"
    [[ -e $outside/failed ]] || break
    ((call < 2000)) || { fail "$point: no end of calls"; break; }
  done
  ((code == 0)) || fail "orrery $*: ended with $code, although nothing failed"
  ((call > least)) || fail "$point: only $((call - 1)) calls to fail in orrery $*"
  printf '%s, %s: %d calls failed in orrery %s\n' "$point" "$how" $((call - 1)) "$*"
}

each_once() {  # ARGUMENTS
  make "$@" -o right
  every "posix/io/rw/$write" $ENOSPC once "$n_writes" "$@"
  every posix/io/sync/fsync $EIO once 2 "$@"
  every posix/io/dir/rename $EIO once 1 "$@"
  every posix/io/oc/open $EIO once 3 "$@"
  every posix/io/oc/close $EIO once 1 "$@"
}

# A disk that stays full, and one that takes less than it was given: what follows the first failure is
# the same for whatever writes a file of that kind.
everything() {  # ARGUMENTS
  each_once "$@"
  every "posix/io/rw/$write" $ENOSPC on "$n_writes" "$@"
  every "posix/io/rw/$write/reduce" 0 on "$n_writes" "$@"
}

# Two files: both are new, or both are as they were.
pair=(sample --network anchored:tree:3,9 --samples 2000)
judge_pair() {  # SHOWN
  checks=$((checks + 1))
  [[ $(find out -mindepth 1 | sort | xargs) == 'out/labels out/out' ]] || fail "$1: left $(find out)"
  if ((code == 0)) || grep -q 'out/out: the new file is in place' "$outside/err"; then
    { same out/out right && same out/labels right_labels; } || fail "$1: a file is wrong"
  else
    [[ $(cat out/out out/labels) == 'before, labels before' ]] || fail "$1: a previous file is lost"
  fi
  ((code == 0)) && return
  ((code == 4)) || fail "$1: ended with $code: $(cat "$outside/err")"
  [[ $(grep -c '^orrery: error: ' "$outside/err") == 1 && $(wc -l <"$outside/err") == 1 ]] ||
    fail "$1: not one line of error: $(cat "$outside/err")"
}

every_of_pair() {  # POINT ERRNO HOW LEAST
  local call=0
  while true; do
    rm -rf out
    mkdir out
    printf 'before, ' >out/out
    printf 'labels before' >out/labels
    run_failing "$1" $((++call)) "$2" "$3" "${pair[@]}" -q -o out/out --labels out/labels
    judge_pair "$1 $call $3: orrery ${pair[*]}"
    [[ -e $outside/failed ]] || break
    ((call < 2000)) || { fail "$1: no end of calls"; break; }
  done
  ((code == 0)) || fail "two files: ended with $code, although nothing failed"
  ((call > $4)) || fail "$1: only $((call - 1)) calls to fail"
  printf '%s, %s: %d calls failed of two files\n' "$1" "$3" $((call - 1))
}

make "${pair[@]}" -o right --labels right_labels
every_of_pair posix/io/rw/pwrite $ENOSPC once 20
every_of_pair posix/io/rw/pwrite $ENOSPC on 20
every_of_pair posix/io/sync/fsync $EIO once 4
every_of_pair posix/io/dir/rename $EIO once 2
every_of_pair posix/io/oc/open $EIO once 6
rm -rf out
mkdir out
run_failing posix/io/dir/rename 2 $EIO once "${pair[@]}" -q -o out/out --labels out/labels
check 'no labels without their samples' test -z "$(ls -A out)"
check 'which is said' grep -q 'out/labels is as it was before' "$outside/err"

write=pwrite n_writes=10  # HDF5
everything sample --network img --samples 70000
each_once import table.csv
each_once moments small.h5 --order 3
everything learn quartet small.h5 --refine none
write=writev n_writes=1  # text
everything export model.h5 --format json
everything export data.h5 --rows --format csv
finish
