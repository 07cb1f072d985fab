#!/usr/bin/env bash
# Linear networks: what evaluate, report, export and info say of them, by numbers worked out by hand.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# One cause: x = .6 h + e, y = .8 h + e', variances .64 and .36: both of variance 1, correlation .48.
cat >one.json <<'JSON'
{"format": "orrery-linear-1",
 "observed": [{"name": "x", "noise": 0.64}, {"name": "y", "noise": 0.36}],
 "causes": [{"name": "h"}], "edges": [[0, 0, 0.6], [0, 1, 0.8]],
 "estimates": [[0.6], [0.8]], "loading_errors": [[0.05], [0.01]], "remarks": ["it is a try"],
 "rank_test": [{"rank": 1, "statistic": 2, "expected": 1.5, "error": 0.5}], "learner": "linear"}
JSON
# The truth: the other sign and order, another loading of x, no edge to y, a second cause.
cat >true.json <<'JSON'
{"format": "orrery-linear-1",
 "observed": [{"name": "y", "noise": 0.46}, {"name": "x", "noise": 0.64}],
 "causes": [{"name": "f"}, {"name": "g"}], "edges": [[0, 0, 0.9], [1, 0, -0.79]]}
JSON
sed 's/0.9\]/0.1]/; s/\[1, 0, /[1, 0, -0.8], [1, 1, /' true.json >near.json

accepts 'linear network: 1 cause of 2 variables, 2 edges, learned by linear, with standard errors' \
  'h 2 y 0.8 (+- 0.01), x 0.6 (+- 0.05)' 'rank statistic expected' ' 1 2 1.5 (+- 0.5)' \
  'it is a try' -- evaluate one.json
accepts '"n_edges": 2' '"loading": 0.8' '"statistic": 2.0' '"it is a try"' -- evaluate one.json --json

# near.json: f has y .1; g has y -.8 and x -.79, nearest to h by its cosine.
accepts '1 of 2 causes matched; 2 of 3 edges found, 0 wrong' 'precision 1.000, recall 0.667, F1 0.800' \
  'largest 0.190' 'error of a noise variance 0.100' 'inside their intervals 1 of 2' -- evaluate one.json --truth near.json
accepts '"learned": "h"' '"sign": -1.0' '"true": "f"' '"learned": null' '"true_edges": 3' '"f1": 0.8' \
  -- evaluate one.json --truth near.json --json
accepts 'the structure is exact' 'error of the loadings 0 ' -- evaluate one.json --truth one.json

# log N((1, 1)) = -log 2 pi - 1/2 log(1 - .48^2) - (2 - .96) / (2 (1 - .48^2)); of (1, ?) alone
# -1/2 log 2 pi - 1/2. Variables are found by name.
printf 'y,x\n1,1\n?,1\n' >rows.csv
make import rows.csv --numeric -o rows.h5
accepts 'log-likelihood per row in nats, all variables taken as normal, over 2 rows (1 value missing)' \
  'this model -1.9008' 'independent variables -2.1284' -- evaluate one.json --data rows.h5
accepts '"log_likelihood": -1.90077' '"independent_log_likelihood": -2.12840' '"missing_values": 1' \
  '"rows": 2' -- evaluate one.json --data rows.h5 --json
accepts 'true network -' -- evaluate one.json --truth near.json --data rows.h5

# The data hold the truth; every command tells the families apart.
make sample --network linear:caterpillar:4,3 --samples 500 --seed 3 -o d.h5
accepts 'linear network: 4 causes of 12 variables, 12 edges, causes coupled' -- info d.h5
accepts '"coupled": true' '"n_causes": 4' -- info d.h5 --json
accepts 'couplings found 3 of 3 (0 wrong; largest error 0)' -- evaluate d.h5 --truth d.h5
accepts 'Couplings:' 'h0 h1 ' -- evaluate d.h5
accepts 'level 1 above the causes 0 (largest error of a loading)' -- \
  evaluate linear:ternary:4 --truth linear:ternary:4
accepts 'Level 2 above the causes:' 'g2_0 3 ' -- evaluate linear:ternary:4
for format in json csv dot graphml; do
  accepts '4 causes and 12 edges written' -- export d.h5 --format "$format" -o "d.$format"
done
accepts 'the structure is exact' -- evaluate d.json --truth d.h5
accepts '4 causes and 12 edges drawn' -- report d.h5 --truth d.json -o d.html
check 'the page compares' grep -q '12 of 12 edges right' d.html
check 'the page stands alone' sh -c '! grep -qE "(src|href)=|@import|url\(" d.html'
accepts 'memory per rank' -- report d.h5 --truth d.h5 -o other.html --dry-run
accepts 'memory per rank' -- evaluate d.h5 --truth d.h5 --data d.h5 --dry-run
check 'dry runs write nothing' test ! -e other.html

refuses 2 '--train is of no use here' 'a linear network' -- evaluate one.json --data rows.h5 --train rows.h5
refuses 2 '--moment is of no use here' -- evaluate one.json --moment x,y
refuses 2 '--min-prior is of no use here' -- evaluate one.json --truth near.json --min-prior .1
refuses 2 '--triples is of no use here' -- evaluate one.json --data rows.h5 --triples 7
refuses_to_write o.html 2 '--grid is of no use here' -- report one.json --grid 1x2 -o o.html
refuses_to_write o.html 2 '--data is of no use here' -- report one.json --data rows.h5 -o o.html
refuses_to_write o.bif 2 "--format 'bif'" 'json, csv, dot, graphml' -- export one.json --format bif -o o.bif
refuses 3 d.h5 '12 variables, but the model has 2' -- evaluate one.json --truth d.h5
refuses 3 d.h5 'of the 2 variables of one.json, the data lack 2 (x, y)' -- evaluate one.json --data d.h5
refuses 3 img 'a noisy-OR network, but a linear network is needed' -- evaluate one.json --truth img
refuses 3 one.json 'a linear network, but a noisy-OR network is needed' -- evaluate img --truth one.json
refuses 3 one.json 'a linear network, but signs on a tree are needed' -- \
  evaluate tree:chain:4 --truth one.json
printf '1,0\n0,1\n' >bits.csv
make import bits.csv -o bits.h5
refuses 3 bits.h5 'bits' -- evaluate one.json --data bits.h5
sed 's/0.64/0/; s/0.36/0/' one.json >sure.json
refuses 3 "the model has no density: 2 variables have no noise of their own" -- \
  evaluate sure.json --data rows.h5
finish
