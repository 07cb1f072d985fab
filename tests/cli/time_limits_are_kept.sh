#!/usr/bin/env bash
# --time-limit: every learner writes what it has when the time is over, says so, and the model can be
# used; with --checkpoint the run goes on to the bytes of a run without a limit.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

make sample --network con:14,causes=18,observed=80 --samples 8000 --seed 1 -o data.h5
make sample --network img --flip .1:4 --samples 2000 --seed 1 -o flipped.h5
make sample --network con:14,causes=18,observed=80 --samples 100 --seed 1 -o few.h5
make sample --network categorical:2,4,40 --samples 3000 --seed 1 -o categories.h5
make sample --network linear:bipartite:60,8,.3 --samples 20000 --seed 1 -o numbers.h5
refuses 2 '--time-limit soon' -- learn quartet data.h5 -o model.h5 --time-limit soon
refuses 2 '--time-limit 0' 'more than 0' -- learn quartet data.h5 -o model.h5 --time-limit 0

# cut DATA ARGUMENTS...: learned in a time that is not enough; the model says so, and is used.
cut_short='ended the search before it was done'
cut() {
  local data=$1
  shift
  accepts "warning: --time-limit" "$cut_short" -- learn "$@" -o model.h5
  accepts "$cut_short" -- info model.h5
  accepts 'likelihood per row' -- evaluate model.h5 --data "$data"
}
cut few.h5 quartet data.h5 --time-limit 0.01s        # in the scan
cut flipped.h5 quartet flipped.h5 --time-limit 0.5s  # in refinement, which takes several times as long
cut few.h5 quartet data.h5 --paper --time-limit 0.001s
cut few.h5 quartet data.h5 --refine none --time-limit 0.01s
cut few.h5 quartet data.h5 --search signatures --time-limit 0.01s
cut few.h5 vem data.h5 --causes 6 --time-limit 0.3s
cut few.h5 vem data.h5 --causes 6 --time-limit 0.001s
cut few.h5 tree data.h5 --time-limit 0.001s
cut categories.h5 sem categories.h5 --causes 4 --time-limit 0.2s
cut categories.h5 sep categories.h5 --causes 4 --time-limit 0.2s
cut categories.h5 sep categories.h5 --causes 2-4 --time-limit 0.5s
# What covariances are of has to be known first.
run learn linear numbers.h5 --time-limit 0.2s -o linear.h5
cat "$outside/out" "$outside/err" >"$outside/all"
check 'linear: cut short, or nothing written' test "$code" = 0 -o "$code" = 4 -a ! -e linear.h5
check 'linear: it says so' grep -q -e "$cut_short" -e 'before there was a model' "$outside/all"

make export model.h5 --format json -o model.json
check 'JSON keeps the remark' grep -q "$cut_short" model.json

# It goes on, and a limit that is longer than the run changes nothing.
make sample --network img --samples 500 -o img.h5
make learn quartet img.h5 -o model.h5
make learn quartet img.h5 -o expected.h5 --time-limit 1h
check 'a limit that is not reached changes nothing' same_data model.h5 expected.h5
learn=(learn quartet flipped.h5 -o model.h5)
make "${learn[@]}"
mv model.h5 expected.h5
accepts "$cut_short" 'goes on from the checkpoint' -- "${learn[@]}" --time-limit 0.5s --checkpoint c.h5
check 'the checkpoint is kept' test -e c.h5
accepts -- "${learn[@]}" --checkpoint c.h5 --resume
check 'with --resume: the same bytes as without a limit' same_data model.h5 expected.h5
check 'the checkpoint is gone' test ! -e c.h5
finish
