#!/usr/bin/env bash
# What a learner knows of its own certainty reaches the user: evaluate, info, report, export.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >sure.json <<'END'
{"format": "orrery-network-1", "learner": "quartet", "n_samples": 1000, "resamples": 50,
 "causes": [{"name": "flu", "prior": 0.25, "prior_error": 0.01, "depth": 0,
             "quartet": [0, 1, 2, 3], "statistic": 0.001, "support": 7, "stability": 0.9}],
 "observed": [{"name": "fever", "leak": 0.1}, {"name": "cough", "leak": 0.1},
              {"name": "ache", "leak": 0.1}, {"name": "sneeze", "leak": 0.1}],
 "edges": [[0, 0, 0.5], [0, 1, 0.25], [0, 2, 0.25], [0, 3, 0.75]],
 "failure_errors": [0.1, 0.1, null, 0.05], "edge_stability": [1, 0.5, 1, 0.75]}
END

# Alone: no truth and no data is needed.
accepts '1 cause of 4 variables, with 95 % intervals, stability from 50 bootstrap resamples' \
  'cause prior 95 % interval children depth support stability learned from' \
  'flu 0.25 0.23 to 0.27 4 0 7 0.90 fever, cough, ache, sneeze' \
  'flu ache 0.25 1.00' -- evaluate sure.json
check 'the weakest edge comes first' bash -c "grep -A2 '^Weakest edges' '$outside/out' |
  tail -1 | grep -qE '^  flu +cough +0.25 +0.054 to 0.446 +0.50$'"
accepts 'priors covered 1 of 1' 'failures covered 3 of 3' -- evaluate sure.json --truth sure.json

# A model without any of it says nothing of it beside a truth, and its causes alone.
accepts '8 causes of 64 variables' 'Weakest edges' -- evaluate img
accepts '8 of 8 causes recovered' -- evaluate img --truth img
check 'nothing is said of what is not known' \
  test "$(grep -ciE 'weakest|interval|stability|support' "$outside/all")" = 0

# Data: likelihoods and surprises.
make sample --network sure.json --samples 5000 -o train.h5
make sample --network sure.json --samples 5000 --seed 2 -o test.h5
accepts 'over 5,000 rows' 'Chow-Liu tree -' 'independent variables -' \
  'fitted to 5,000 training rows' '0.0 % of 6 pairs are beyond 3' '0.0 % of 4 triples are beyond 3' \
  'fever cough' -- evaluate sure.json --data test.h5 --train train.h5
sed 's/"prior": 0.25,/"prior": 0,/' sure.json >wrong.json
accepts '100.0 % of 6 pairs are beyond 3' -- evaluate wrong.json --data test.h5

# Learned from these very rows, or from others than --train.
make params train.h5 --structure sure.json -o model.h5
accepts 'that the model was learned from' 'warning: the model was learned from these data' -- \
  evaluate model.h5 --data train.h5
accepts 'warning: --train has the digest' -- evaluate model.h5 --data train.h5 --train test.h5
accepts 'over 5,000 rows' -- evaluate model.h5 --data test.h5 --train train.h5
check 'no warning where nothing is amiss' test ! -s "$outside/err"

# Other outputs.
accepts 'support,stability' ',7,0.9,0.5' -- export sure.json --format csv -o -
accepts '"failure_errors"' -- export sure.json --format json -o -
accepts -- report sure.json --data test.h5 --train train.h5 -o report.html
check 'the page has the weakest edges' grep -q 'Weakest edges' report.html
check 'the page has the likelihoods' grep -q 'Chow-Liu' report.html
check 'the page has the worst triples' grep -q 'Worst triples' report.html
make report sure.json --data test.h5 --train train.h5 --threads 1 -o again.html
check 'the same page from any number of threads' cmp report.html again.html
finish
