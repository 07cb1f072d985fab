# shellcheck shell=bash disable=SC2154  # `orrery` and `learn` are set by others
# What tests of stopped runs share: sourced after lib.sh. `learn` is the command that is stopped; it
# writes its checkpoint to c.h5.
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

# undisturbed FILE: what `learn` writes if nobody stops it, kept as expected_FILE; sets $seconds to the
# seconds of the processor that it takes.
undisturbed() {
  rm -f -- "$1"
  seconds=$(TIMEFORMAT=%U && { time "$orrery" "${learn[@]}" --threads 1 -q >/dev/null 2>log; } 2>&1)
  check "$1 is learned undisturbed" mv -- "$1" "expected_$1"
}

# goes_on NAME FILE: goes on, with more threads than before, to the same bytes; from the beginning if
# the last stop came before there was a checkpoint.
goes_on() {
  [[ -e $2 ]] || accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
  check "$1: the same bytes as undisturbed" same_data "$2" "expected_$2"
}

# processor_time PID: hundredths of a second that the process has had of the processors (proc(5), stat);
# nothing once it has ended.
processor_time() {
  local fields
  read -r fields 2>/dev/null <"/proc/$1/stat" || return
  # What follows the name of the program, which may hold blanks: state, then ten others, utime, stime.
  read -ra fields <<<"${fields##*) }"
  [[ ${fields[0]} == Z ]] || echo $((fields[11] + fields[12]))
}

# stop SIGNAL SECONDS: stops a run after so many seconds of the processor, which are the same amount of
# work however busy the machine is; sets $code.
stop() {
  env --default-signal=INT "$orrery" "${learn[@]}" --threads 1 --checkpoint c.h5 --every 1s --resume -q &
  local pid=$! used limit
  limit=$(awk -v s="$2" 'BEGIN { printf "%d", 100 * s }')
  while used=$(processor_time $pid) && [[ -n $used ]] && ((used < limit)); do sleep 0.02; done
  kill -s "$1" $pid 2>/dev/null
  wait $pid
  code=$?
}

# stop_again NAME SHARE...: stops it after each share of $seconds, as far as it gets; sets $stops.
stop_again() {
  local name=$1 share
  shift
  stops=0
  for share in "$@"; do
    stop USR1 "$(awk -v s="$seconds" -v p="$share" 'BEGIN { print s * p }')"
    check "$name: 75, or already done" test $code = 75 -o $code = 0
    ((code == 0)) && break
    stops=$((stops + 1))
  done
  check "$name: takes long enough to be stopped" test $stops -ge 1
}
