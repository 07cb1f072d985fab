#!/usr/bin/env bash
# Models without refinement have leaks of half a row at least: no row that nobody saw is impossible.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make export con:8 --seed 1 --format json -o con8.json
make sample --network con8.json --seed 1 --samples 500 -o data.h5
make sample --network con8.json --seed 2 --samples 2000 -o held_out.h5
for options in '--paper' '--refine none' '--search signatures --refine none'; do
  # shellcheck disable=SC2086  # the words are options
  make learn quartet data.h5 $options -o model.h5
  accepts 'this model -' 'in nats, over 2,000 rows' -- \
    evaluate model.h5 --data held_out.h5 --triples 0
  ! grep -q inf "$outside/out" || fail "$options: $(cat "$outside/out")"
done
make params data.h5 --structure con8.json -o model.h5
accepts 'this model -6.' -- evaluate model.h5 --data held_out.h5 --triples 0

# Exact moments have leaks of 0 where the network has them.
cat >network.json <<'END'
{"format": "orrery-network-1", "causes": [{"name": "flu", "prior": 0.2}],
 "observed": [{"name": "fever", "leak": 0}, {"name": "cough", "leak": 0.1}, {"name": "ache", "leak": 0},
              {"name": "rash", "leak": 0.2}],
 "edges": [[0, 0, 0.2], [0, 1, 0.3], [0, 2, 0.4], [0, 3, 0.5]]}
END
make learn quartet --moments network.json -o exact.h5
make export exact.h5 --format json -o exact.json
check 'no half row where there are no rows' python3 -c '
import json
leaks = [o["leak"] for o in json.load(open("exact.json"))["observed"]]
assert all(abs(a - b) < 1e-9 for a, b in zip(leaks, [0, .1, 0, .2])), leaks'
finish
