#!/usr/bin/env bash
# orrery depth: what perfect tests could learn, what never, and why.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts '8 causes, 64 variables, 117 edges' 'four children of which no two share another cause' \
  ' 0 6 92' ' 1 2 25' 'never 0 0' -- depth img
check 'nothing is said of causes that are learned' bash -c "! grep -q 'never learned' '$outside/out'"
accepts 'three children' 'the structure is known' ' 0 7 101' ' 1 1 16' -- depth img --test triplet

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
accepts 'never 5 13' ' a no more than 3 of its 5 children will do; it shares 3 with b' \
  ' b no more than 3 of its 5 children will do; it shares 3 with a' ' few 1 child, 4 are needed' \
  ' sure prior 1: it is always present' ' none prior 0: it is never present' -- depth twins.json
accepts ' 0 2 10' 'never 3 3' -- depth twins.json --test triplet

# A model that was learned is a network too.
make sample --network img --samples 500 -o data.h5
make params data.h5 --structure img -o model.h5
accepts ' 1 2 25' -- depth model.h5

# What is said of a learned model is the depth of its network, not the round of the search.
make sample --network img --samples 10000 --seed 1 -o img.h5
accepts '(6 at depth 0, 2 at depth 1)' -- learn quartet img.h5 -o learned.h5
accepts ' 0 6 ' ' 1 2 ' -- depth learned.h5
accepts 'learned causes 6 at depth 0, 2 at depth 1' -- evaluate learned.h5 --truth img
accepts '"structural_depth": 1' -- evaluate learned.h5 --truth img --json
values() { grep -o "\"$1\": [0-9a-z]*" "$2" | sort | uniq -c | sed 's/^ *//'; }  # MEMBER FILE
for format in json graphml; do make export learned.h5 --format $format -o learned.$format; done
check "depths in JSON: $(values structural_depth learned.json)" \
  test "$(values structural_depth learned.json)" = '6 "structural_depth": 0
2 "structural_depth": 1'
check 'depths in GraphML' \
  test "$(grep -c '<data key="node_structural_depth">1</data>' learned.graphml)" = 2
make report learned.h5 --truth img --grid 8x8 -o page.html
sed -n '/<h2>d = 1 /,/<\/section>/p' page.html >deeper.html
check "two causes on the page at depth 1: $(grep -c '<article' deeper.html)" \
  test "$(grep -c '<article' deeper.html)" = 2
check 'they are circle and block' \
  test "$(grep -o 'true: [a-z0-9]*' deeper.html | sort | tr '\n' ' ')" = 'true: block true: circle '
check 'the round is called a round' grep -q 'found in</th><td>round 0<' deeper.html

# Three children are too few for quartets: triplets of a known structure find the cause.
cat >triplets.json <<'END_OF_NETWORK'
{"format": "orrery-network-1",
 "causes": [{"name": "a", "prior": 0.3}, {"name": "b", "prior": 0.3}],
 "observed": [{"name": "0", "leak": 0.1}, {"name": "1", "leak": 0.1}, {"name": "2", "leak": 0.1},
              {"name": "3", "leak": 0.1}, {"name": "4", "leak": 0.1}, {"name": "5", "leak": 0.1},
              {"name": "6", "leak": 0.1}],
 "edges": [[0, 0, 0.2], [0, 1, 0.2], [0, 2, 0.2],
           [1, 3, 0.2], [1, 4, 0.2], [1, 5, 0.2], [1, 6, 0.2]]}
END_OF_NETWORK
make sample --network triplets.json --samples 2000 -o triplets.h5
accepts '(1 at depth 0, 1 never by quartets)' ' 3 never 0, 1, 2' \
  -- params triplets.h5 --structure triplets.json -o few.h5
accepts '"depth": 0' '"structural_depth": null' -- evaluate few.h5 --json
make report few.h5 -o few.html
check 'nor is it an error on the page' \
  grep -q 'never by quartets.*1 cause' few.html
check 'the page says what found it' grep -q 'by triplets of the given structure' few.html
make export few.h5 --format json -o few.json
make evaluate few.json

# A learner that tests no quartets has no depths to tell.
accepts 'causes of 64 variables' -- learn vem data.h5 --causes 4 --restarts 1 -o vem.h5
check 'no depth of vem' bash -c "! grep -q 'depth\|quartet' '$outside/out'"

accepts '570 causes, 4,075 variables, 45,470 edges' -- depth qmr --seed 4
accepts 'memory per rank: ' 'work: ' -- depth qmr --dry-run

refuses 2 '--test pair' 'one of quartet, triplet, expansion' -- depth img --test pair
refuses 2 'qmr:causes,observed,edges' '"60"' -- depth qmr:60
refuses 2 '400 to 12000' '"399"' -- depth qmr:60,400,399
refuses 3 absent.json 'neither a file nor a built-in network' 'qmr' -- depth absent.json
echo '{"causes": [' >cut.json
refuses 3 cut.json JSON -- depth cut.json
finish
