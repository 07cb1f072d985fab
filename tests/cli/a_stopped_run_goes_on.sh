#!/usr/bin/env bash
# --checkpoint, --resume: a run that a signal stops ends with 75 and goes on to the same bytes; a
# checkpoint of another run, a damaged one, and one that would be overwritten are refused.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# little_memory: 2 MB more than `learn` takes at least, which is when it reads rows in slices.
little_memory() {
  local least
  least=$("$orrery" "${learn[@]}" --memory 1MB 2>&1 | sed -n 's/.* at least \([0-9]*\).*MB a rank.*/\1/p')
  echo $((least + 2))MB
}

make sample --network bars:16 --samples 100000 -o data.h5
make sample --network bars:16 --samples 100000 --seed 2 -o other.h5
learn=(learn quartet data.h5 -o model.h5 --test rank --tau-e 0.000001)
undisturbed model.h5

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
fi
goes_on rank model.h5
check 'the checkpoint is gone' test ! -e c.h5

# Among pair signatures.
make sample --network con:10-30,causes=150,observed=1500,prior=.002-.01,failure=.3-.7 --samples 60000 \
  -o many.h5
learn=(learn quartet many.h5 -o many_model.h5)
undisturbed many_model.h5
stop_again signatures .2 .3 .4
goes_on signatures many_model.h5

# In the middle of a bootstrap, twice.
make sample --network img --samples 20000 -o img.h5
learn=(learn quartet img.h5 -o stable.h5 --refine none --stability 30)
undisturbed stable.h5
stop_again bootstrap .3 .3
goes_on bootstrap stable.h5
learn=(learn quartet data.h5 -o model.h5 --test rank --tau-e 0.000001)
refuses 2 '--stability' 'exact moments' -- learn quartet --moments img -o x.h5 --stability 5

refuses 2 '--checkpoint' -- "${learn[@]}" --resume
refuses 2 '--every' -- "${learn[@]}" --checkpoint c.h5 --every soon
refuses 2 '--memory' -- "${learn[@]}" --memory much
refuses 2 '--memory 2.0 MB' 'at least' -- "${learn[@]}" --memory 2MB
accepts -- "${learn[@]}" --memory "$(little_memory)"
check 'the same bytes from slices' same_data model.h5 expected_model.h5

# Variational EM keeps restarts between its iterations, in the search for their number too.
make sample --network bars:4 --samples 1000 -o data.h5
learn=(learn vem data.h5 -o model.h5 --restarts 4 --max-iterations 8)
undisturbed model.h5
stop_again vem .2 .3 .4
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--seed' -- "${learn[@]}" --seed 2 --checkpoint c.h5 --resume
fi
goes_on vem model.h5
accepts -- "${learn[@]}" --memory "$(little_memory)"
check 'vem: the same bytes from slices' same_data model.h5 expected_model.h5
finish
