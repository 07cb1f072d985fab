#!/usr/bin/env bash
# --checkpoint, --resume: a run that a signal stops ends with 75 and goes on to the same bytes; a
# checkpoint of another run, a damaged one, and one that would be overwritten are refused.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

make sample --network bars:16 --samples 100000 -o data.h5
make sample --network bars:16 --samples 100000 --seed 2 -o other.h5
learn=(learn quartet data.h5 -o model.h5 --test rank --tau-e 0.000001)
make "${learn[@]}"
mv model.h5 expected.h5

# stop SIGNAL SECONDS: stops a run so long after its checkpoint could be written; sets $code.
stop() {
  env --default-signal=INT "$orrery" "${learn[@]}" --threads 1 --checkpoint c.h5 --every 1s --resume -q &
  local pid=$!
  sleep "$2"
  kill -s "$1" $pid
  wait $pid
  code=$?
}

# stop_again NAME SECONDS...: stops it after each, as far as it gets; sets $stops.
stop_again() {
  local name=$1 seconds
  shift
  stops=0
  for seconds in "$@"; do
    stop USR1 "$seconds"
    check "$name: 75, or already done" test $code = 75 -o $code = 0
    ((code == 0)) && break
    stops=$((stops + 1))
  done
  check "$name: takes long enough to be stopped" test $stops -ge 1
}

stops=0
for signal in USR1 TERM INT HUP; do
  stop $signal 0.3
  check "$signal: 75, or already done" test $code = 75 -o $code = 0
  ((code == 0)) && break
  stops=$((stops + 1))
  check "$signal: the checkpoint is whole" "$orrery" info c.h5 >/dev/null
  check "$signal: no model yet" test ! -e model.h5
done
check 'the run is long enough to be stopped' test $stops -ge 1

if [[ -e c.h5 ]]; then
  refuses 2 'c.h5' '--resume' -- "${learn[@]}" --checkpoint c.h5
  refuses 3 'c.h5' '--tau-q 0.005' '--tau-q 0.004' -- "${learn[@]}" --tau-q 0.004 --checkpoint c.h5 --resume
  refuses 3 'c.h5' 'digest' -- learn quartet other.h5 -o model.h5 --test rank --tau-e 0.000001 --checkpoint c.h5 --resume
  refuses 3 'c.h5' 'absent' '--structure' -- "${learn[@]}" --structure bars:16 --checkpoint c.h5 --resume
  cp c.h5 damaged.h5
  printf 'x' | dd of=damaged.h5 bs=1 seek=$(($(stat -c %s damaged.h5) / 2)) conv=notrunc status=none
  truncate -s -100 damaged.h5
  refuses 3 'damaged.h5' -- "${learn[@]}" --checkpoint damaged.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'the same bytes as undisturbed' same_data model.h5 expected.h5
check 'the checkpoint is gone' test ! -e c.h5

# Among pair signatures.
make sample --network con:10-30,causes=150,observed=1500,prior=.002-.01,failure=.3-.7 --samples 200000 \
  -o many.h5
learn=(learn quartet many.h5 -o many_model.h5)
make "${learn[@]}"
mv many_model.h5 expected_many.h5
stop_again signatures 0.8 1.2 1.6
if [[ -e c.h5 ]]; then accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume; fi
check 'signatures: the same bytes as undisturbed' same_data many_model.h5 expected_many.h5

# In the middle of a bootstrap, twice.
make sample --network img --samples 20000 -o img.h5
learn=(learn quartet img.h5 -o stable.h5 --refine none --stability 60)
make "${learn[@]}"
mv stable.h5 expected_stable.h5
stop_again bootstrap 1 1
[[ ! -e c.h5 ]] || accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
check 'the same bytes as an undisturbed bootstrap' same_data stable.h5 expected_stable.h5
learn=(learn quartet data.h5 -o model.h5 --test rank --tau-e 0.000001)
refuses 2 '--stability' 'exact moments' -- learn quartet --moments img -o x.h5 --stability 5

refuses 2 '--checkpoint' -- "${learn[@]}" --resume
refuses 2 '--every' -- "${learn[@]}" --checkpoint c.h5 --every soon
refuses 2 '--memory' -- "${learn[@]}" --memory much
refuses 2 '--memory 2.0 MB' 'at least' -- "${learn[@]}" --memory 2MB
accepts -- "${learn[@]}" --memory 60MB
check 'the same bytes from slices' same_data model.h5 expected.h5

# Variational EM keeps restarts between its iterations, in the search for their number too.
make sample --network bars:4 --samples 2000 -o data.h5
learn=(learn vem data.h5 -o model.h5 --restarts 4 --max-iterations 8)
rm -f model.h5
make "${learn[@]}"
mv model.h5 expected.h5
stop_again vem 0.3 0.6 1
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--seed' -- "${learn[@]}" --seed 2 --checkpoint c.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'vem: the same bytes as undisturbed' same_data model.h5 expected.h5
accepts -- "${learn[@]}" --memory 60MB
check 'vem: the same bytes from slices' same_data model.h5 expected.h5

# A tree, by blocks of pairs: slowly, so that it can be stopped.
export ORRERY_KERNEL=scalar
learn=(learn tree many.h5 -o tree.h5 --marginals free --crossover .001 --memory 4GB)
make "${learn[@]}"
mv tree.h5 expected_tree.h5
stop_again tree 1.2 1.5 1.8
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--crossover' -- learn tree many.h5 -o tree.h5 --marginals free --memory 4GB \
    --checkpoint c.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
same() { cmp -s "$1" "$2" || same_data "$1" "$2"; }
check 'tree: the same bytes as undisturbed' same tree.h5 expected_tree.h5
unset ORRERY_KERNEL
accepts -- "${learn[@]:0:9}" --memory 100MB
check 'tree: the same bytes from slices' same tree.h5 expected_tree.h5

# A linear network: groups of rows, then programs.
make sample --network linear:bipartite:60,8,.3 --cause-correlation .5 --samples 300000 -o data.h5
learn=(learn linear data.h5 -o linear.h5)
make "${learn[@]}"
mv linear.h5 expected_linear.h5
stop_again linear 0.5 0.8 1.2
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--causes' -- "${learn[@]}" --causes 8 --checkpoint c.h5 --resume
  refuses 3 'c.h5' '--seed' -- "${learn[@]}" --seed 2 --checkpoint c.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'linear: the same bytes as undisturbed' same linear.h5 expected_linear.h5
refuses 2 '--memory 100.0 kB' 'at least' -- "${learn[@]}" --memory 100kB

# An anchored network: counts, then variables, then steps of EM. A checkpoint is of what the tables
# of anchors and labels say.
make sample --network anchored:tree:20,200 --samples 10000 --labels labels.h5 -o data.h5
make export data.h5 --format anchors -o anchors.csv
learn=(learn anchored data.h5 -o anchored.h5 --anchors anchors.csv --labels labels.h5 --em 40)
make "${learn[@]}"
mv anchored.h5 expected_anchored.h5
stop_again anchored 0.2 0.8 1.2
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--loadings' -- "${learn[@]}" --loadings tree --checkpoint c.h5 --resume
  cp anchors.csv whole.csv
  cp labels.h5 whole.h5
  sed -i '$d' anchors.csv
  refuses 3 'c.h5' '--anchors' 'another run' -- "${learn[@]}" --checkpoint c.h5 --resume
  mv whole.csv anchors.csv
  make sample --network anchored:tree:20,200 --samples 10000 --labels labels.h5 --label-share .9 -o again.h5
  refuses 3 'c.h5' '--labels' 'another run' -- "${learn[@]}" --checkpoint c.h5 --resume
  mv whole.h5 labels.h5
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'anchored: the same bytes as undisturbed' same anchored.h5 expected_anchored.h5

# A posterior of structures: starts, and parts of the rows held out.
make sample --network categorical:2,3,30 --samples 1500 -o data.h5
learn=(learn sep data.h5 -o sep.h5 --causes 2-3 --folds 2 --restarts 3 --agreements 0 --max-iterations 20)
make "${learn[@]}"
mv sep.h5 expected_sep.h5
stop_again sep 1 2 3
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--prior' -- "${learn[@]}" --prior 2 --checkpoint c.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'sep: the same bytes as undisturbed' same sep.h5 expected_sep.h5
finish
