#!/usr/bin/env bash
# --log FILE: what a run was, said and took, line by line as it goes on; never over anything else.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z'
logged() {  # WHAT REGULAR-EXPRESSION: behind the time
  check "$1: $(cat run.log)" grep -qE "^$time $2" run.log
}
make sample --network img --samples 500 -o data.h5

accepts -- learn quartet data.h5 -o model.h5 --log run.log
logged 'the command line' 'start: orrery learn quartet data.h5 -o model.h5 --log run.log$'
logged 'the version' 'version: orrery [0-9.]+'
logged 'the host' "host: $(hostname), process [0-9]+ in $(pwd -P)\$"
logged 'ranks and threads' 'run: 1 rank\(s\) x [0-9]+ thread\(s\), seed 1, kernel '
logged 'stages' 'quartets_depth_0: '
logged 'the end' 'end: exit code 0 after [0-9.]+ s$'
check 'each line has a time' test "$(grep -cvE "^$time " run.log)" = 0
check 'verbose is for the log alone' test ! -s "$outside/err"
n_lines=$(wc -l <run.log)

# The next run is added, with its warnings and errors, however quiet the screen is.
printf 'a,b\n1,0\n1,1\n1,0\n' >constant.csv
accepts -- import constant.csv -o constant.h5 -q --log run.log
check 'quiet' test ! -s "$outside/all"
logged 'a warning' 'warning: constant.csv: 1 constant column'
check 'two runs' test "$(grep -c ' start: ' run.log)" = 2 -a "$(wc -l <run.log)" -gt "$n_lines"
run learn quartet absent.h5 -o out.h5 --log run.log
check "exit code 3, not $code" test "$code" = 3
logged 'an error' 'error: absent.h5: '
logged 'its exit code' 'end: exit code 3 after '

# Every command.
while read -r command; do
  rm -f run.log
  # shellcheck disable=SC2086  # the words are the arguments
  accepts -- $command --log run.log
  logged "$command" 'start: orrery '
  logged "$command" 'end: exit code 0 '
done <<'END'
import constant.csv -o constant.h5
sample --network img --samples 10 -o out.h5
moments data.h5 -o moments.h5
params data.h5 --structure img -o params.h5
depth img
evaluate model.h5 --truth img
plan tree --p 10 --alpha 0.2 --beta 1
infer model.h5 data.h5 -o posterior.h5
report model.h5 -o page.html
export model.h5 --format json -o model.json
info data.h5
learn quartet data.h5 --dry-run
END

# A signal is the last line.
rm -f run.log
"$orrery" sample --network img --samples 100000000000 -o out.h5 --log run.log >/dev/null 2>&1 &
pid=$!
for _ in {1..100}; do
  grep -q ' start: ' run.log 2>/dev/null && break
  sleep 0.1
done
sleep 0.2
kill "$pid"
wait "$pid" 2>/dev/null
check "ended by a signal: $(tail -1 run.log)" grep -qE "^$time end: by signal 15\$" <(tail -1 run.log)

# Nothing else is written over, or added to.
refuses 2 '--log data.h5' 'reads this file' -- learn quartet data.h5 -o out.h5 --log data.h5
refuses 2 'same file' -- learn quartet data.h5 -o out.h5 --log out.h5
refuses 2 '--log model.h5' 'is not a log' 'name another' -- learn quartet data.h5 -o out.h5 --log model.h5
refuses 2 '--log constant.csv' 'is not a log' -- info data.h5 --log constant.csv
refuses 2 '--log' 'no file name' -- info data.h5 --log ''
refuses 4 '--log absent/run.log' 'cannot be written' -- info data.h5 --log absent/run.log
: >empty.log
accepts -- info data.h5 --log empty.log
check 'an empty file becomes one' grep -q ' end: ' empty.log

# A full disk ends the log, not the run.
if small_disk 8k; then
  head -c 8000 /dev/zero >"$disk/rest"
  accepts 'cannot be written any more' 'No space left' -- learn quartet data.h5 -o out.h5 --log "$disk/run.log"
fi
finish
