#!/usr/bin/env bash
# orrery depth: what perfect tests could learn, what never, and why.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts '8 causes, 64 variables, 117 edges' 'four children of which no two share another cause' \
  '    0        6        92' '    1        2        25' 'never        0         0' -- depth img
check 'nothing is said of causes that are learned' bash -c "! grep -q 'never learned' '$outside/out'"
accepts 'three children' 'the structure is known' '    0        7       101' \
  '    1        1        16' -- depth img --test triplet

# Twins that differ by two children, and a cause that has too few.
cat >twins.json <<'END_OF_NETWORK'
{"format": "orrery-network-1",
 "causes": [{"name": "a", "prior": 0.1}, {"name": "b", "prior": 0.1}, {"name": "few", "prior": 0.1},
            {"name": "sure", "prior": 1}, {"name": "none", "prior": 0}],
 "observed": [{"name": "0", "leak": 0}, {"name": "1", "leak": 0}, {"name": "2", "leak": 0},
              {"name": "3", "leak": 0}, {"name": "4", "leak": 0}, {"name": "5", "leak": 0},
              {"name": "6", "leak": 0}],
 "edges": [[0, 0, 0.5], [0, 1, 0.5], [0, 2, 0.5], [0, 3, 0.5], [0, 4, 0.5],
           [1, 0, 0.5], [1, 1, 0.5], [1, 2, 0.5], [1, 5, 0.5], [1, 6, 0.5],
           [2, 3, 0.5], [3, 4, 0.5], [4, 4, 0.5]]}
END_OF_NETWORK
accepts 'never        5        13' 'a: no more than 3 of its 5 children will do; it shares 3 with b' \
  'b: no more than 3 of its 5 children will do; it shares 3 with a' 'few: 1 child, 4 are needed' \
  'sure: prior 1: it is always present' 'none: prior 0: it is never present' -- depth twins.json
accepts '    0        2        10' 'never        3         3' -- depth twins.json --test triplet

# A model that was learned is a network too.
make sample --network img --samples 500 -o data.h5
make params data.h5 --structure img -o model.h5
accepts '    1        2        25' -- depth model.h5
accepts '570 causes, 4,075 variables, 45,470 edges' -- depth qmr --seed 4
accepts 'memory a rank: ' 'work: ' 'time: ' -- depth qmr --dry-run

refuses 2 '--test pair' 'quartet, triplet or expansion' -- depth img --test pair
refuses 2 'qmr:causes,observed,edges' '"60"' -- depth qmr:60
refuses 2 '400 to 12000' '"399"' -- depth qmr:60,400,399
refuses 3 absent.json 'neither a file nor a built-in network' 'qmr' -- depth absent.json
echo '{"causes": [' >cut.json
refuses 3 cut.json JSON -- depth cut.json
finish
