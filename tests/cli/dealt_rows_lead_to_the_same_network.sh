#!/usr/bin/env bash
# Rows that are dealt to the ranks, as --memory leaves no room for all of them, lead to the network
# that rows in memory lead to: pair signatures of lists of each rank's rows, and without columns that
# repeat others.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'
[[ -n ${ORRERY_MPIRUN:-} ]] || skip 'several ranks are started by mpirun'

# Two variables more, which are on together: one is a copy.
make export qmr:30,200,1000 --format json -o plain.json
python3 - <<'END' || fail 'a network with a copy'
import json

network = json.load(open("plain.json"))
cause, first = len(network["causes"]), len(network["observed"])
network["causes"].append({"name": "pair", "prior": 0.02})
network["observed"] += [{"name": "one", "leak": 0}, {"name": "copy", "leak": 0}]
network["edges"] += [[cause, first, 0], [cause, first + 1, 0]]
json.dump(network, open("network.json", "w"))
END
make sample --network network.json --samples 150000 --seed 2 -o data.h5
learn=(learn quartet data.h5 --search signatures --threads 1)
accepts 'copy' -- "${learn[@]}" -o whole.h5

ranks() {  # ARGUMENTS...: of learn, on three
  OMPI_MCA_orte_execute_quiet=1 timeout -k 5 100 "$ORRERY_MPIRUN" --oversubscribe -np 3 \
    "$orrery" "${learn[@]}" "$@" 2>&1
}
# All rows are 4 MB, of which there is room for two in three.
least=$(ranks --memory 1MB -o none.h5 | sed -n 's/.* at least \([0-9]*\).*MB a rank.*/\1/p')
ranks --memory $((least + 2))MB -o dealt.h5 -v >log || fail 'three ranks learn'
check 'the rows were dealt' grep -q 'dealt to the ranks' log
# With little room beside all rows, what is counted ahead is worth more than the other ranks' rows.
ranks --memory $((least + 6))MB --refine none -o tight.h5 -v >tight_log || fail 'three ranks learn'
check 'the rows were dealt though all would have had room' grep -q 'dealt to the ranks' tight_log
# How well it predicts rows that are set aside is said only where all rows are in memory.
same=(h5diff -q --exclude-path /run --exclude-path /model/fit --exclude-path /model/remarks whole.h5)
check 'the same network' "${same[@]}" dealt.h5
check 'copies were set aside' grep -q "nearly another one's copy" log
make "${learn[@]}" --refine none -o other.h5
check 'the comparison can fail' bash -c '! "$@"' _ "${same[@]}" other.h5
finish
