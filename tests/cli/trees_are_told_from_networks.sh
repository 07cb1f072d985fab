#!/usr/bin/env bash
# Signs on a tree: what each command does with them, and what it says of the other family.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >pair.json <<'JSON'
{"format": "orrery-tree-1", "crossover": 0.1, "variables": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
 "edges": [[0, 1, 0.6], [1, 2, -0.5]], "edge_errors": [0.01, 0.02]}
JSON
printf 'c,b,a\n?,1,1\n0,1,0\n' >rows.csv
make import rows.csv -o rows.h5

# By hand, row 0 (c not known): P(y_a = y_b = +) = (1 + .64 .6) / 4 = .346; and
# P(x_a = + | y) = (.8 .9 .9 + .2 .9 .1) / 2 / (2 .346) = .666 / .692.
accepts 'row 0: log evidence -1.0613 nats' '3 hidden signs are most probably' 'row 1' '2 rows' -- \
  infer pair.json rows.h5
accepts '"name": "a"' '"on": 0.962427745' -- infer pair.json rows.h5 --json
# P(x_b = + | y_a = +) = (1 + .8 .6) / 2 = .74, so observed as on with .1 + .8 .74 = 69.2 %.
accepts 'b                    on with 69.2 %, observed on' -- infer pair.json rows.h5 --given a --predict b
accepts '4 predicted values' -- infer pair.json rows.h5 --predict a,b
printf 'a\r\nb\n' >names.txt
accepts '4 predicted values' -- infer pair.json rows.h5 --predict @names.txt
refuses 2 "no variable 'd'" -- infer pair.json rows.h5 --predict d
refuses 2 "'a' stands there twice" -- infer pair.json rows.h5 --predict a,a
refuses 2 "'a' stands in --given and in --predict" -- infer pair.json rows.h5 --given a --predict a,b
refuses 2 'nothing is left to predict' -- infer pair.json rows.h5 --given a,b,c
refuses 2 '--top is of no use here' 'signs on a tree' -- infer pair.json rows.h5 --top 2
refuses 3 no.txt -- infer pair.json rows.h5 --predict @no.txt
accepts 'written to p.h5' -- infer pair.json rows.h5 -o p.h5
accepts 'prediction: 2 rows, 3 variables given 3, crossover 0.1' -- info p.h5

# With no noise a contradiction is one.
sed 's/0.6/1/; s/"crossover": 0.1/"crossover": 0/' pair.json >sure.json
accepts 'warning: rows.h5: row 1 contradicts the model' 'row 1: impossible' '1 impossible' -- \
  infer sure.json rows.h5

# The data hold the truth; an own crossover replaces the file's.
make sample --network tree:recursive:30 --correlations .4,.8,signed --crossover .2 --samples 5000 -o d.h5
accepts 'tree: 30 variables, 29 edges, crossover 0.2, uniform means' -- info d.h5
accepts '29 of 29 edges found, 0 wrong: the structure is exact' 'ssTV of pairs 0 ' \
  'log-likelihood per row' 'true tree -' -- evaluate d.h5 --truth d.h5 --data d.h5
make export d.h5 --format json -o d.json
make sample --network d.json --crossover 0 --samples 100 -o clean.h5
accepts 'crossover 0,' -- info clean.h5
accepts 'of the hidden signs 0.600000' 'of the observed signs 0.384000' 'off by at most 0.02' -- evaluate pair.json --moment a,b
accepts 'of the true tree -0.300000' 'off by at most 0 (|V| ssTV)' -- evaluate pair.json --truth pair.json --moment c,a
for format in json csv dot graphml bif; do
  accepts -- export d.h5 --format "$format" -o "d.$format.out"
done
accepts 'time' -- infer d.h5 d.h5 -o q.h5 --dry-run
accepts 'memory per rank' -- evaluate d.h5 --truth d.h5 --data d.h5 --dry-run

# The other family.
make export img --format json -o img.json
refuses 3 d.h5 'signs on a tree, but a noisy-OR network is needed' -- depth d.h5
refuses 3 pair.json 'signs on a tree, but a noisy-OR network is needed' -- \
  evaluate img.json --truth pair.json
refuses 3 img.json 'a noisy-OR network, but signs on a tree are needed' -- \
  evaluate pair.json --truth img.json
refuses 2 '--predict is of no use here' 'a noisy-OR network' -- infer img.json d.h5 --predict x1
refuses 2 '--moment is of no use here' -- evaluate img.json --moment x1,x2
refuses 2 '--correlations is of no use here' -- \
  sample --network img --correlations .1,.2 --samples 10 -o x.h5
refuses 2 '--correlations is of no use here' -- \
  sample --network pair.json --correlations .1,.2 --samples 10 -o x.h5
refuses 2 '--crossover 0.5' -- sample --network tree:chain:5 --crossover .5 --samples 10 -o x.h5
refuses 2 '--correlations needs LO,HI' -- \
  sample --network tree:chain:5 --correlations .5 --samples 10 -o x.h5
refuses 2 'tree:ring:5: no such tree' -- sample --network tree:ring:5 --samples 10 -o x.h5
refuses 3 pair.json '3 variables' 30 -- evaluate d.h5 --truth pair.json
finish
