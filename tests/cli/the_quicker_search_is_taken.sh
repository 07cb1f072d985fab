#!/usr/bin/env bash
# The default search of `learn quartet` tries pair signatures first, and takes their causes where
# they explain the pairs of variables: the same causes as the exhaustive search, with standard
# errors. It goes on after stops to the same bytes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# learn_until PATTERN DATA: learns until the run says so, or for a minute; said.txt has what it said.
learn_until() {
  "$orrery" learn quartet "$2" -o until.h5 -v >said.txt 2>&1 &
  for _ in {1..600}; do
    grep -q "$1" said.txt && break
    sleep 0.1
  done
  kill $! && wait $!
}

make sample --network con:6,causes=20,observed=90 --samples 10000 -o data.h5
accepts 'pair signatures' 'the network fits' -- learn quartet data.h5 -o quick.h5 -v
make learn quartet data.h5 --search exhaustive -o exhaustive.h5
for model in quick exhaustive; do
  accepts '20 of 20 causes recovered, 0 extra' 'inside the 95 % intervals' \
    -- evaluate $model.h5 --truth data.h5
done
accepts '20 of 20 causes recovered, 0 extra' -- evaluate quick.h5 --truth exhaustive.h5

# Few rows say too little of pairs alone, and causes that depend on one another are no sums.
make sample --network con:6,causes=20,observed=90 --samples 2000 -o few.h5
"$orrery" learn quartet few.h5 -o few_model.h5 -v >said.txt 2>&1
check 'few rows: all quartets' test "$(grep -c 'signatures' said.txt)" = 0

# Where many causes are present in a row, signatures leave much unexplained: what many pairs show
# together finds the rest of the causes.
make sample --network con:20,causes=26,observed=90 --samples 10000 --seed 1 -o crowded.h5
"$orrery" learn quartet crowded.h5 -o crowded_model.h5 -v >said.txt 2>&1
check 'many causes present: no quartets' test "$(grep -c 'quartets, round' said.txt)" = 0
check 'many causes present: by many pairs' grep -q 'of many pairs together: 26 causes' said.txt
accepts '26 of 26 causes recovered, 0 extra' -- evaluate crowded_model.h5 --truth crowded.h5

# What that finds of fewer rows is in doubt if it does not explain the pairs.
make sample --network con:8-24,causes=20,failure=.7-.9,observed=100 --samples 12000 --seed 3 -o weak.h5
learn_until 'quartets, round 0' weak.h5
check 'weak causes: some are found' grep -q 'of many pairs together' said.txt
check 'weak causes: quartets are gone through' grep -q 'quartets, round 0' said.txt

# What signatures do not show, quartets may: no word of no cause before all have been tried.
make sample --network con:30-80,causes=16,observed=100,prior=.05-.3,failure=.2-.8 --samples 10000 \
  --seed 1 -o dense.h5
learn_until 'quartets, round 0' dense.h5
check 'quartets are gone through' grep -q 'quartets, round 0' said.txt
check 'no word of no cause' test "$(grep -c 'no cause found' said.txt)" = 0

# Causes of few rows: a few pairs stay unexplained, and the weak edges that no one of them is sure of
# are worth much together. Quartets match 42 of these causes in 200 times the time.
make sample --network qmr:100,800,3000 --samples 20000 --seed 1 -o rare.h5
"$orrery" learn quartet rare.h5 -o rare_model.h5 -v >said.txt 2>&1
check 'rare causes: no quartets' test "$(grep -c 'quartets, round' said.txt)" = 0
check 'rare causes: edges are kept' grep -q 'doubtful edges: .* lost' said.txt
matched=$("$orrery" evaluate rare_model.h5 --truth rare.h5 --min-prior 0 | awk '/causes matched/ { print $3 }')
check "rare causes: $matched of 100 are matched" test "$matched" -ge 85

# Of 5,000 rows signatures find 34 of 80 such causes, and leave dependence that more would explain.
make sample --network qmr:80,700,3000 --samples 5000 --seed 1 -o scarce.h5
learn_until 'quartets, round 0' scarce.h5
check 'quartets are gone through for what is left' grep -q 'quartets, round 0' said.txt

# Values are missing.
make export data.h5 --rows --format csv -o data.csv
awk 'BEGIN { srand(2); FS = OFS = "," } NR > 1 { for (i = 1; i <= NF; ++i) if (rand() < 0.02) $i = "" }
  { print }' data.csv >gaps.csv
make import gaps.csv -o gaps.h5
accepts 'pair signatures' 'the network fits' -- learn quartet gaps.h5 -o gaps_model.h5 -v
accepts '20 of 20 causes recovered, 0 extra' -- evaluate gaps_model.h5 --truth data.h5

# Where many causes are present in a row, edges that are judged before parameters have settled come and
# go, and causes are missed.
make sample --network con:4-30,causes=25,observed=150,prior=.01-.3,failure=.2-.9,leak=.01-.1 \
  --samples 14000 --seed 2 -o overlapping.h5
accepts 'signatures: 25 causes' -- learn quartet overlapping.h5 -o overlapping_model.h5 -v
accepts 'causes matched    25 of 25' 'extra causes      0 of 25' -- \
  evaluate overlapping_model.h5 --truth overlapping.h5 --min-prior 0

# Stopped again and again.
make sample --network con:8-20,causes=14,prior=.02-.2,leak=.001-.05,failure=.1-.7,observed=120 \
  --samples 49000 -o wide.h5
# Refinement tries a few of 184 edges more, too weak to be worth anything.
"$orrery" learn quartet wide.h5 -o wide_model.h5 -v >said.txt 2>&1
check 'these causes are settled' grep -q 'orrery: settle: ' said.txt
n_edges() { "$orrery" info "$1" | awk '/^model:/ { print $6 }'; }
check "weak edges are dropped ($(n_edges wide_model.h5) are left)" test "$(n_edges wide_model.h5)" -lt 188
learn=(learn quartet wide.h5 -o model.h5)
undisturbed model.h5
stop_again settling .2 .35 .5
goes_on settling model.h5
finish
