#!/usr/bin/env bash
# Anchored networks: what evaluate says of them, by numbers worked out by hand.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# a -> b, c apart: P(a) = .5, P(b) = .2 or .6, P(c) = .2. Anchors A B C; X is of a and c.
cat >true.json <<'JSON'
{"format": "orrery-anchored-1",
 "causes": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
 "observed": [{"name": "A", "leak": 0.1}, {"name": "B", "leak": 0.1}, {"name": "C", "leak": 0.1},
              {"name": "X", "leak": 0.05}],
 "edges": [[0, 0, 0.2], [0, 3, 0.5], [1, 1, 0.2], [2, 2, 0.2], [2, 3, 0.25]],
 "cause_tables": [{"parents": [], "on": [0.5]}, {"parents": [0], "on": [0.2, 0.6]},
                  {"parents": [], "on": [0.2]}],
 "anchors": [{"cause": 0, "observed": 0}, {"cause": 1, "observed": 1},
             {"cause": 2, "observed": 2}]}
JSON
# The same causes as c a b: a - b the other way round, b - c is wrong; a priors' error of .025; the
# edge from c to X is not there, one from b is extra.
cat >learned.json <<'JSON'
{"format": "orrery-anchored-1",
 "causes": [{"name": "c"}, {"name": "a"}, {"name": "b"}],
 "observed": [{"name": "X", "leak": 0.07}, {"name": "C", "leak": 0.1}, {"name": "B", "leak": 0.1},
              {"name": "A", "leak": 0.1}],
 "edges": [[1, 3, 0.25], [2, 2, 0.2], [0, 1, 0.2], [1, 0, 0.4], [2, 0, 0.875]],
 "cause_tables": [{"parents": [2], "on": [0.1, 0.3]}, {"parents": [2], "on": [0.375, 0.75]},
                  {"parents": [], "on": [0.4]}],
 "anchors": [{"cause": 0, "observed": 1}, {"cause": 1, "observed": 3},
             {"cause": 2, "observed": 2}]}
JSON

accepts 'anchored network: 3 causes, 4 variables, 5 edges, 1 edge among causes' -- evaluate true.json
accepts '3 of 3 causes matched; 1 of 1 edges among causes found, 1 wrong' \
  'edges among causes F1 0.667 (precision 0.500, recall 1.000' 'matched by name' \
  'wrong edges c - b' 'error of a failure 0.050 (median of 5 true loadings; mean 0.180, largest 0.750)' \
  'loadings that are not true 1 (mean strength 1 - failure 0.125)' \
  'divergence of the causes 0.039 nats' 'error of a leak 0.0050 (mean; largest 0.020)' \
  'error of a prior 0.015 (mean; largest 0.025)' \
  -- evaluate learned.json --truth true.json
accepts '"f1": 0.66666' '"matched_by": "name"' '"extra_loadings": 1' '"kl_from_truth": 0.03919' \
  -- evaluate learned.json --truth true.json --json
accepts 'F1 1.000' 'divergence of the causes 0 nats' 'largest 0)' 'loadings that are not true 0' \
  -- evaluate true.json --truth true.json
sed 's/"name": "a"/"name": "u"/; s/"name": "b"/"name": "v"/; s/"name": "c"/"name": "w"/' learned.json >other.json
accepts '3 of 3 causes matched' 'matched by their loadings' 'F1 0.667' -- evaluate other.json --truth true.json

# Labels: P = .5 .6 .8, .5 .8 .8 and .5 .4 .2; mean log -1.928475. The last row has none.
printf 'b,c,a\n1,0,1\n0,0,0\n0,1,1\n?,?,?\n' >labels.csv
make import labels.csv -o labels.h5
accepts 'log-likelihood of the true causes per row in nats, over 3 rows' 'this model -1.9285' -- \
  evaluate true.json --labels labels.h5
accepts 'true network -1.9285' -- evaluate learned.json --labels labels.h5 --truth true.json
accepts '"log_likelihood": -1.92847' '"rows": 3' '"impossible": 0' -- \
  evaluate true.json --labels labels.h5 --json
# b never without a: the model rules nothing out that is here; b never with a: it does.
sed 's/0.2, 0.6/0.2, 0.0/' true.json >never.json
accepts 'this model -infinity (the model rules out 1 row)' 'none nearer than 1e-06' -- \
  evaluate never.json --labels labels.h5
accepts '"log_likelihood": null' '"impossible": 1' -- evaluate never.json --labels labels.h5 --json

# Rows, variables by name. log P of nothing, of A and B, of C alone: -1.38553 -2.47719 -3.18142, by
# sums over all states.
printf 'X,B,A,C\n0,0,0,0\n0,1,1,0\n0,0,0,1\n0,0,0,0\n' >rows.csv
make import rows.csv -o rows.h5
accepts 'over 4 rows' 'this model -2.1074' -- evaluate true.json --data rows.h5
accepts 'true network -2.1074' -- evaluate learned.json --data rows.h5 --truth true.json

# An anchor of two columns is on where one of them is: the row of A and B alone.
sed 's/"name": "A"/"name": "A1;A2"/; s/"observed": 0}/"observed": 0, "columns": ["A1", "A2"]}/' \
  true.json >union.json
printf 'A1,A2,B,C,X\n0,1,1,0,0\n' >parts.csv
make import parts.csv -o parts.h5
accepts 'over 1 row' 'this model -2.4772' -- evaluate union.json --data parts.h5
refuses 3 rows.h5 'none named A1, A2' -- evaluate union.json --data rows.h5

# The last tag: rows 1 and 3 have two true causes, one of which is told; two are left to guess from.
accepts 'Last tag: 2 rows ask' 'this model' 'guessing 0.5000' -- \
  evaluate true.json --data rows.h5 --labels labels.h5 --last-tag
# Only the sign of c is there: given a, P(b) = .23 and P(c) = .34; given b, P(a) = .23. With the signs
# of a and b those are .92, and P(c) = .01.
printf 'a,b,c\n1,1,0\n' >two.csv
printf 'A,B,C,X\n0,0,1,0\n' >wrong.csv
printf 'A,B,C,X\n1,1,0,0\n' >right.csv
for name in two wrong right; do make import "$name.csv" -o "$name.h5"; done
accepts '"accuracy": 0.0' '"right": 0' '"rows": 1' -- \
  evaluate true.json --data wrong.h5 --labels two.h5 --last-tag --json
accepts '"accuracy": 1.0' '"right": 1' '"sampled_rows": 0' -- \
  evaluate true.json --data right.h5 --labels two.h5 --last-tag --json

# Generated data: the truth is in the file, and beats classifiers.
make sample --network anchored:tree:6,40 --samples 2000 --seed 3 --labels l.h5 -o d.h5
make sample --network d.h5 --samples 1000 --seed 4 --labels tl.h5 -o t.h5
accepts 'true network' 'classifiers of anchors' 'anchors that are on, else classifiers' 'anchors alone' \
  -- evaluate d.h5 --truth d.h5 --data t.h5 --labels tl.h5 --last-tag --train d.h5
for threads in 1 3; do
  "$orrery" evaluate d.h5 --truth d.h5 --data t.h5 --labels tl.h5 --last-tag --train d.h5 --json -q \
    --threads "$threads" >"said.$threads"
done
check 'threads change nothing' cmp said.1 said.3
# shellcheck disable=SC2016  # awk's
check 'the true network is right more often than classifiers, and those more often than guessing' awk '
  /"chance"/ { chance = $2 + 0 }
  /"best"/ { best = $2 + 0 }
  /^    "model"/ { model = 1 }
  model && /"posterior"/ { inside = 1 }
  inside && /"accuracy"/ { accuracy = $2 + 0; inside = model = 0 }
  END { exit !(chance > 0 && best > chance + .1 && accuracy > best) }' said.1
accepts 'memory per rank' -- evaluate d.h5 --data t.h5 --labels tl.h5 --last-tag --train d.h5 --dry-run

refuses 2 '--last-tag says nothing without --data' -- evaluate true.json --labels two.h5 --last-tag
refuses 2 '--last-tag says nothing without --labels' -- evaluate true.json --data right.h5 --last-tag
refuses 2 '--train says nothing without --last-tag' -- evaluate true.json --data right.h5 --train right.h5
refuses 2 '--labels is of no use here' -- evaluate img --labels two.h5
refuses 2 '--last-tag is of no use here' 'signs on a tree' -- evaluate tree:chain:4 --last-tag
refuses 2 '--triples is of no use here' 'an anchored network' -- evaluate true.json --data right.h5 --triples 7
refuses 2 '--moment is of no use here' -- evaluate true.json --moment A,B
refuses 2 '--min-prior is of no use here' -- evaluate true.json --truth true.json --min-prior .1
printf 'a,c\n1,1\n' >few.csv
printf 'A,B,C,Y\n1,1,0,0\n' >lacks.csv
printf 'A,B,C,X\n1,?,0,0\n0,1,0,0\n' >missing.csv
printf 'a,b,c\n1,0,0\n' >one.csv
for name in few lacks missing one; do make import "$name.csv" -o "$name.h5"; done
refuses 3 few.h5 'none named b' '3 causes' -- evaluate true.json --labels few.h5
refuses 3 lacks.h5 'none named X' '4 observed variables' -- evaluate true.json --data lacks.h5
refuses 3 missing.h5 '1 value is missing' -- evaluate true.json --data missing.h5
refuses 3 one.h5 'no row with all labels has two true causes' -- \
  evaluate true.json --data right.h5 --labels one.h5 --last-tag
refuses 3 labels.h5 '4 rows, but right.h5 has 1' -- \
  evaluate true.json --data right.h5 --labels labels.h5 --last-tag
refuses 3 img 'no name is in both' -- evaluate true.json --truth img
refuses 3 d.h5 'no name is in both' -- evaluate true.json --truth d.h5
finish
