#!/usr/bin/env bash
# Linear networks: numbers are drawn from them, with the truth beside them; and what each command
# says of the other families.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Without noise the second variable is twice the first, and the third 5 less: what is drawn shows it.
cat >line.json <<'JSON'
{"format": "orrery-linear-1", "observed": [{"name": "a", "noise": 0}, {"noise": 0}, {"mean": -5, "noise": 0}],
 "causes": [{}], "edges": [[0, 0, 1], [0, 1, 2], [0, 2, 1]]}
JSON
accepts '1,000 samples of 3 variables (a linear network of 1 hidden causes, 3 edges, gaussian law)' -- \
  sample --network line.json --samples 1000 -o line.h5
if command -v h5dump >/dev/null; then
  h5dump -w 0 -y -m '%.17g' -d /dense/values line.h5 | tr -d ' ,' |
    awk '/^-?[0-9.]+(e[-+][0-9]+)?$/ { x[n++ % 3] = $1; if (n % 3 == 0) { sum += x[0]
        if ((x[1] - 2 * x[0]) ^ 2 + (x[2] - x[0] + 5) ^ 2 > 1e-20) exit 1 } }
      END { exit !(n == 3000 && sum ^ 2 / 1000 < 25) }'
  check 'rows are those of the network' test "${PIPESTATUS[2]}" = 0
fi

# The truth beside the samples is what they were drawn from: once more from it, the same.
network=linear:bipartite:60,8,.3
make sample --network $network --cause-correlation .5 --cause-law skewed --samples 20000 -o d.h5
make sample --network d.h5 --samples 20000 -o again.h5
if command -v h5diff >/dev/null; then
  check 'the truth draws the same rows' same_data d.h5 again.h5
  make sample --network d.h5 --cause-law gaussian --samples 20000 -o other.h5
  check 'another law is seen' test "$(h5diff d.h5 other.h5 /dense >/dev/null; echo $?)" = 1
  check 'another law leaves the loadings' h5diff d.h5 other.h5 /linear/loadings
  make sample --network $network --samples 20000 -o other.h5
  check 'no correlation leaves the loadings' h5diff d.h5 other.h5 /linear/loadings
fi
accepts '"law": "skewed"' '"n_causes": 8' '"n_observed": 60' -- \
  sample --network d.h5 --samples 10 -o few.h5 --json
for spec in linear:ternary:3 linear:caterpillar:8,4; do
  accepts '10 samples' -- sample --network $spec --cause-law heavy-tailed --samples 10 -o few.h5
done
accepts 'memory per rank: ' 'work: 1,000,000 rows' 'time: ' -- \
  sample --network $network --samples 1000000 -o x.h5 --dry-run

# Options of other families, and of generators.
draw=(--samples 10 -o x.h5)
refuses 2 '--flip is of no use here' 'a linear network' -- sample --network $network --flip .1:2 "${draw[@]}"
refuses 2 '--crossover is of no use here' -- sample --network $network --crossover .1 "${draw[@]}"
refuses 2 '--correlations is of no use here' -- sample --network d.h5 --correlations .1,.2 "${draw[@]}"
refuses 2 '--cause-law is of no use here' 'a noisy-OR network' -- \
  sample --network img --cause-law skewed "${draw[@]}"
refuses 2 '--cause-correlation is of no use here' 'signs on a tree' -- \
  sample --network tree:chain:5 --cause-correlation .1 "${draw[@]}"
refuses 2 '--cause-correlation is of no use here' d.h5 -- \
  sample --network d.h5 --cause-correlation .1 "${draw[@]}"
refuses 2 'linear:ternary:3' 'linear:bipartite:N,K,THETA' -- \
  sample --network linear:ternary:3 --cause-correlation .1 "${draw[@]}"
refuses 2 '--cause-correlation is of no use here' -- \
  sample --network linear:caterpillar:3,3 --cause-correlation 0 "${draw[@]}"
refuses 2 '--cause-law normal: gaussian, skewed or heavy-tailed' -- \
  sample --network $network --cause-law normal "${draw[@]}"
refuses 2 'must be in (-0.142' -- sample --network $network --cause-correlation -.2 "${draw[@]}"
refuses 2 'must be in' -- sample --network $network --cause-correlation nan "${draw[@]}"
refuses 2 'linear:ring:5: no such linear network' -- sample --network linear:ring:5 "${draw[@]}"
refuses 2 'THETA needs 3 values' -- sample --network linear:bipartite:60,8 "${draw[@]}"
refuses 2 '2^40' 'of disk' -- sample --network $network --samples 1099511627777 -o x.h5
refuses 3 'neither a file nor a built-in network' linear:bipartite -- sample --network nowhere "${draw[@]}"
sed '1s/"noise": 0}, {"noise": 0/"noise": 0}, {"noise": -1/' line.json >negative.json
refuses_to_write x.h5 3 negative.json 'noise[1] = -1' -- sample --network negative.json "${draw[@]}"

# The other families.
said='a linear network, but a noisy-OR network is needed here'
make sample --network img --samples 100 -o bits.h5
refuses 3 d.h5 'a linear network, which `orrery infer` does not take' -- infer d.h5 bits.h5
refuses 3 d.h5 'a linear network, which `orrery params` does not take' -- \
  params bits.h5 --structure d.h5 -o x.h5
refuses 3 linear:ternary:3 'whose moments can be computed is needed here' -- learn quartet --moments linear:ternary:3 -o x.h5
refuses 3 d.h5 "$said" -- learn quartet bits.h5 --start d.h5 -o x.h5
make export img --format json -o img.json
refuses 3 d.h5 "$said" -- evaluate img.json --truth d.h5
refuses 3 d.h5 'a linear network, but signs on a tree are needed here' -- \
  evaluate tree:chain:4 --truth d.h5
refuses 2 'learn tree counts the pairs of samples' -- learn tree --moments linear:ternary:3 -o x.h5

# Numbers where bits are read.
said='holds numbers (/dense), but this command reads bits'
refuses 3 d.h5 "$said" -- learn quartet d.h5 -o x.h5
refuses 3 d.h5 "$said" -- learn tree d.h5 -o x.h5
refuses 3 d.h5 "$said" -- learn quartet d.h5 --checkpoint c.h5 -o x.h5
refuses 3 d.h5 "$said" -- moments d.h5 -o x.h5
refuses 3 d.h5 "$said" -- infer img.json d.h5
finish
