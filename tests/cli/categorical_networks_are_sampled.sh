#!/usr/bin/env bash
# Categorical networks: drawn, sampled with the truth beside the table, exported, told of; and what
# commands that have no use for them say.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# A copy and an opposite of a cause that is on in every row: what is drawn shows it.
cat >sure.json <<'JSON'
{"format": "orrery-categorical-1", "causes": [{"name": "h", "prior": [0, 1]}],
 "observed": [{"name": "same", "categories": ["no", "yes"], "parents": [0], "table": [[1, 0], [0, 1]]},
              {"name": "other", "categories": ["no", "yes"], "parents": [0], "table": [[0, 1], [1, 0]]}]}
JSON
accepts '1,000 samples of 2 variables (a categorical network of 1 hidden causes, 2 edges)' -- \
  sample --network sure.json --samples 1000 -o sure.h5
accepts 'no 0, yes 1,000' 'no 1,000, yes 0' 'constant columns 2 (same, other)' \
  'categorical network: 1 cause of 2 variables, 2 edges' -- info sure.h5

# The truth beside the samples is what they were drawn from: once more from it, the same.
network=categorical:2,3,20
make sample --network $network --concentration 10 --missing-share .1 --samples 20000 -o d.h5
make sample --network d.h5 --missing-share .1 --samples 20000 -o again.h5
digest_of() { "$orrery" info "$1" | grep -o 'digest [0-9a-f]*'; }
check 'the truth draws the same rows' test "$(digest_of d.h5)" = "$(digest_of again.h5)"
make sample --network d.h5 --samples 20000 -o whole.h5
check 'missing values are seen' test "$(digest_of d.h5)" != "$(digest_of whole.h5)"
make sample --network d.h5 --missing-share .1 --samples 20000 --seed 2 -o other.h5
check 'another seed is seen' test "$(digest_of d.h5)" != "$(digest_of other.h5)"
accepts '"n_causes": 3' '"n_observed": 20' -- sample --network $network --samples 10 -o few.h5 --json
accepts 'memory per rank: ' 'work: 1,000,000 rows' 'time: ' -- \
  sample --network $network --samples 1000000 -o x.h5 --dry-run

# Formats of other tools; JSON keeps every number.
make export d.h5 --format json -o d.json
make sample --network d.json --missing-share .1 --samples 20000 -o again.h5
check 'JSON keeps every number' test "$(digest_of d.h5)" = "$(digest_of again.h5)"
accepts '"format": "orrery-categorical-1"' -- export categorical:1,3,50 --format json -o -
accepts 'observed,state of h,category,probability,count' 'same,0,no,1,' 'other,1,yes,0,' -- \
  export sure.json --format csv -o -
accepts 'c0 [label="h", states="2"]' 'c0 -> x1' -- export sure.json --format dot -o -
if command -v dot >/dev/null; then
  make export d.h5 --format dot -o d.dot
  check 'Graphviz reads it' dot -Tsvg d.dot -o "$outside/d.svg"
fi
refuses 2 "--format 'svg'" 'json, csv, dot, graphml, bif' -- export d.h5 --format svg -o out.svg

# Options of other families, and of generators; texts that are no network.
draw=(--samples 10 -o x.h5)
for option in '--flip .1:2' '--crossover .1' '--correlations .1,.2' '--cause-law skewed' \
  '--cause-correlation .1' '--anchor-rates .1,.9' '--violations .1' '--labels l.h5' '--label-share .5'; do
  # shellcheck disable=SC2086  # two words
  refuses 2 "${option%% *} is of no use here" 'a categorical network' -- \
    sample --network $network $option "${draw[@]}"
done
refuses 2 '--concentration is of no use here' d.h5 -- sample --network d.h5 --concentration 2 "${draw[@]}"
refuses 2 '--missing-share is of no use here' -- sample --network img --missing-share .1 "${draw[@]}"
refuses 2 '--concentration is of no use here' -- sample --network linear:ternary:3 --concentration 2 "${draw[@]}"
refuses 2 'concentration of 0.5' -- sample --network $network --concentration .5 "${draw[@]}"
refuses 2 '--missing-share 1' -- sample --network $network --missing-share 1 "${draw[@]}"
refuses 2 '--missing-share nan' -- sample --network $network --missing-share nan "${draw[@]}"
refuses 2 'PARENTS needs a whole number 1 to 3' -- sample --network categorical:4,3,20 "${draw[@]}"
refuses 2 'needs 3 values' -- sample --network categorical:1,3 "${draw[@]}"
refuses 2 'held in memory' -- sample --network $network --samples 10000000000 -o x.h5
sed 's/"prior": \[0, 1\]/"prior": [0.25, 1]/' sure.json >odd.json
refuses 3 odd.json 'sums to 1.25' -- sample --network odd.json "${draw[@]}"

# What has no use for them says so.
refuses 3 d.json 'whose moments can be computed is needed here' -- learn quartet --moments d.json -o x.h5
refuses 3 d.json 'which `orrery params` does not take' -- params few.h5 --structure d.json -o x.h5
finish
