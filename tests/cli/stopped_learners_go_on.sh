#!/usr/bin/env bash
# --checkpoint and --resume of tree, linear, anchored and sep: stopped by a signal, a run goes on to
# the same bytes. quartet, vem: a_stopped_run_goes_on; sem: structural_em_is_judged.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# A tree, by blocks of pairs: slowly, so that it can be stopped.
make sample --network con:10-30,causes=150,observed=1500,prior=.002-.01,failure=.3-.7 --samples 60000 \
  -o many.h5
export ORRERY_KERNEL=scalar
learn=(learn tree many.h5 -o tree.h5 --marginals free --crossover .001 --memory 4GB)
undisturbed tree.h5
stop_again tree .3 .35 .4
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--crossover' -- learn tree many.h5 -o tree.h5 --marginals free --memory 4GB \
    --checkpoint c.h5 --resume
fi
goes_on tree tree.h5
unset ORRERY_KERNEL
# As little as is enough for slices; what the program itself takes differs a little from run to run.
least=$("$orrery" "${learn[@]:0:9}" --memory 1MB 2>&1 | sed -n 's/.* at least \([0-9]*\).*MB a rank.*/\1/p')
accepts -- "${learn[@]:0:9}" --memory $((least + 4))MB
check 'tree: the same bytes from slices' same_data tree.h5 expected_tree.h5

# A linear network: groups of rows, then programs.
make sample --network linear:bipartite:60,8,.3 --cause-correlation .5 --samples 300000 -o data.h5
learn=(learn linear data.h5 -o linear.h5)
undisturbed linear.h5
stop_again linear .3 .4 .5
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--causes' -- "${learn[@]}" --causes 8 --checkpoint c.h5 --resume
  refuses 3 'c.h5' '--seed' -- "${learn[@]}" --seed 2 --checkpoint c.h5 --resume
fi
goes_on linear linear.h5
refuses 2 '--memory 100.0 kB' 'at least' -- "${learn[@]}" --memory 100kB

# An anchored network: counts, then variables, then steps of EM. A checkpoint is of what the tables
# of anchors and labels say.
make sample --network anchored:tree:20,200 --samples 10000 --labels labels.h5 -o data.h5
make export data.h5 --format anchors -o anchors.csv
learn=(learn anchored data.h5 -o anchored.h5 --anchors anchors.csv --labels labels.h5 --em 15)
undisturbed anchored.h5
stop_again anchored .3 .35 .4
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--loadings' -- "${learn[@]}" --loadings tree --checkpoint c.h5 --resume
  refuses 3 'c.h5' '--structure-rows' -- "${learn[@]}" --structure-rows all --checkpoint c.h5 --resume
  refuses 3 'c.h5' '--mutually-irreducible' -- "${learn[@]}" --mutually-irreducible --checkpoint c.h5 --resume
  cp anchors.csv whole.csv
  cp labels.h5 whole.h5
  sed -i '$d' anchors.csv
  refuses 3 'c.h5' '--anchors' 'another run' -- "${learn[@]}" --checkpoint c.h5 --resume
  mv whole.csv anchors.csv
  make sample --network anchored:tree:20,200 --samples 10000 --labels labels.h5 --label-share .9 -o again.h5
  refuses 3 'c.h5' '--labels' 'another run' -- "${learn[@]}" --checkpoint c.h5 --resume
  mv whole.h5 labels.h5
fi
goes_on anchored anchored.h5

# A posterior of structures: starts, and parts of the rows held out.
make sample --network categorical:2,3,30 --samples 4000 -o data.h5
learn=(learn sep data.h5 -o sep.h5 --causes 2-3 --folds 2 --restarts 2 --agreements 0 --max-iterations 8)
undisturbed sep.h5
stop_again sep .2 .3 .4
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--prior' -- "${learn[@]}" --prior 2 --checkpoint c.h5 --resume
  refuses 3 'c.h5' '--start' -- "${learn[@]}" --start random --checkpoint c.h5 --resume
fi
goes_on sep sep.h5

# The same from random messages, of which the number of the best start is kept.
learn=(learn sep data.h5 -o plain.h5 --causes 3 --start random --restarts 5 --agreements 0 --max-iterations 8)
undisturbed plain.h5
stop_again plain .2 .3 .4
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--start' -- "${learn[@]:0:7}" "${learn[@]:9}" --checkpoint c.h5 --resume
fi
goes_on plain plain.h5
finish
