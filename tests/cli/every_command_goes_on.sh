#!/usr/bin/env bash
# --checkpoint and --resume of the commands that learn no structure: moments, params and infer.
# Stopped by a signal, a run goes on to the same bytes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# stops_and_goes_on NAME FILE: stopped after each quarter of its time, then with more threads to the
# end; `another` is a command that the checkpoint is not of.
stops_and_goes_on() {
  local name=$1 file=$2 seconds
  seconds=$(TIMEFORMAT=%U && { time "$orrery" "${learn[@]}" --threads 1 -q >/dev/null; } 2>&1)
  mv -- "$file" "expected_$file"
  stop_again "$name" .25 .25 .25
  if [[ -e c.h5 ]]; then
    refuses 3 'c.h5' 'another run' -- "${another[@]}" --checkpoint c.h5 --resume
  fi
  goes_on "$name" "$file"
  check "$name: the checkpoint is gone" test ! -e c.h5
}

export ORRERY_KERNEL=scalar
# Triples, in turns of some variables.
make sample --network con:10-30,causes=30,observed=240 --samples 40000 -o wide.h5
learn=(moments wide.h5 --order 3 -o moments.h5)
another=(moments wide.h5 -o moments.h5)
stops_and_goes_on moments moments.h5
refuses 2 '--resume' '--checkpoint' -- "${learn[@]}" --resume

# Parameters of a known structure.
network='con:30-60,causes=60,observed=600'
make sample --network "$network" --seed 3 --samples 40000 -o params_data.h5
learn=(params params_data.h5 --structure "$network" --seed 3 -o params.h5)
another=(params params_data.h5 --structure "$network" --seed 4 -o params.h5)
stops_and_goes_on params params.h5
unset ORRERY_KERNEL

# Rows: of causes that are sampled, and of signs on a tree.
network='con:20,causes=25,observed=80'
make sample --network "$network" --samples 600 -o rows.h5
learn=(infer "$network" rows.h5 --method sample --samples 500 -o posterior.h5)
another=(infer "$network" rows.h5 --method sample --samples 500 --top 2 -o posterior.h5)
stops_and_goes_on infer posterior.h5
refuses 2 '--explain' '--checkpoint' -- infer img rows.h5 --explain 0 --checkpoint c.h5
# A stopped run goes on in another format: a CSV is written from its beginning.
learn=(infer "$network" rows.h5 --method sample --samples 500 --min-posterior 0 -o rows_posterior.h5)
seconds=$(TIMEFORMAT=%U && { time "$orrery" "${learn[@]:0:7}" --threads 1 -q -o whole.csv >/dev/null; } 2>&1)
stop_again 'rows of a CSV' .5
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' 'another run' -- "${learn[@]:0:7}" -o rows.json --checkpoint c.h5 --resume
fi
accepts -- "${learn[@]:0:7}" -o rows.csv --threads 2 --checkpoint c.h5 --resume
check 'rows of a CSV: the same bytes as undisturbed' cmp rows.csv whole.csv
make sample --network tree:recursive:400 --correlations .3,.7 --crossover .1 --samples 20000 -o signs.h5
make learn tree signs.h5 --crossover .1 -o tree.h5
learn=(infer tree.h5 signs.h5 -o hidden.h5)
another=(infer tree.h5 signs.h5 --given 'x0,x1' -o hidden.h5)
stops_and_goes_on 'signs on a tree' hidden.h5
finish
