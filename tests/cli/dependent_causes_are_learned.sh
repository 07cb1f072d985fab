#!/usr/bin/env bash
# A table whose causes depend on one another: `learn quartet` grows the network, every command takes
# it, the bytes are the same on any threads and after a stop.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# Six causes of six variables each; of three pairs of causes the second comes with the first.
awk 'BEGIN {
  print "{\"format\": \"orrery-network-1\", \"causes\": ["
  for (c = 0; c < 6; c++) printf "{\"name\": \"u%d\", \"prior\": %s}%s", c, c % 2 ? .184 : .2, c < 5 ? ", " : "],\n"
  printf "\"cause_tables\": ["
  for (c = 0; c < 6; c++)
    printf "{\"parents\": [%s], \"on\": [%s]}%s", c % 2 ? c - 1 : "", c % 2 ? ".08, .6" : ".2", c < 5 ? ", " : "],\n"
  printf "\"observed\": ["
  for (a = 0; a < 30; a++) printf "{\"name\": \"x%d\", \"leak\": 0.02}%s", a, a < 29 ? ", " : "],\n"
  printf "\"edges\": ["
  for (c = 0; c < 6; c++) for (k = 0; k < 6; k++)
    printf "[%d, %d, %s]%s", c, (5 * c + k) % 30, .15 + .05 * k, c * k < 25 ? ", " : "]}\n"
}' | sed 's/\([ [,]\)\.\([0-9]\)/\10.\2/g' >truth.json

make sample --network truth.json --samples 6000 -o data.h5
make sample --network truth.json --samples 3000 --seed 2 -o test.h5
make learn quartet data.h5 -o model.h5
accepts '6 of 6 causes recovered, 0 extra' 'edges among causes 3 of 3 (0 extra)' \
  -- evaluate model.h5 --truth truth.json
accepts 'log-likelihood' 'Chow-Liu tree' 'mixture' -- evaluate model.h5 --data test.h5 --train data.h5
accepts '6 causes' '3 edges among causes' -- info model.h5
make infer model.h5 test.h5 -o posterior.h5
make report model.h5 --data test.h5 -o page.html
make sample --network model.h5 --samples 100 -o again.h5

# Through JSON and back: the same network for every command.
make export model.h5 --format json -o model.json
accepts '6 of 6 causes recovered, 0 extra' -- evaluate model.json --truth truth.json
make sample --network model.json --samples 100 -o from_json.h5
make export again.h5 --rows --format csv -o again.csv
make export from_json.h5 --rows --format csv -o from_json.csv
check 'the same rows from HDF5 and from JSON' cmp again.csv from_json.csv
for format in dot graphml csv bif; do
  make export model.h5 --format "$format" -o "model.$format"
done

# The marginals of independent causes are another network: the tables count.
sed -e 's/"parents": \[[0-9]*\], "on": \[[^]]*\]/"parents": [], "on": [0.19]/g' \
  -e 's/, "prior": [0-9.e-]*//g' truth.json >independent.json
"$orrery" evaluate truth.json --data test.h5 >dependent.txt 2>/dev/null
"$orrery" evaluate independent.json --data test.h5 >independent.txt 2>/dev/null
likelihood() { awk '/^  this model/ { print $3 }' "$1"; }
check 'dependence explains more' \
  awk -v a="$(likelihood dependent.txt)" -v b="$(likelihood independent.txt)" 'BEGIN { exit !(a > b + 0.1) }'
sed 's/\[{"parents": \[\], "on": \[0.2\]}, /[/' truth.json >short.json
refuses 3 'short.json' 'cause_tables' -- evaluate short.json --data test.h5
sed 's/"parents": \[\], "on": \[0.2\]/"parents": [1], "on": [0.2, 0.2]/' truth.json >cycle.json
refuses 3 'cycle.json' -- evaluate cycle.json --data test.h5
sed 's/"prior": 0.184/"prior": 0.3/' truth.json >prior.json
refuses 3 'prior.json' 'prior' '0.184' -- evaluate prior.json --data test.h5

# The truth's likelihood counts its dependence too, also where a cause depends on two others.
sed 's/"parents": \[2\], "on": \[0.08, 0.6\]/"parents": [0, 2], "on": [0.08, 0.08, 0.6, 0.6]/' \
  truth.json >two.json
for network in truth two; do
  "$orrery" evaluate model.h5 --truth "$network.json" --data test.h5 >both.txt 2>/dev/null
  check "$network.json is scored with its dependence" \
    grep -qE "true network +$(likelihood dependent.txt)" both.txt
done

# Any threads, any ranks, which remember states of rows each for itself, and after a stop.
make learn quartet data.h5 -o threads.h5 --threads 3
check 'the same bytes on three threads' same_data threads.h5 model.h5
if [[ -n ${ORRERY_MPIRUN:-} ]]; then
  "$ORRERY_MPIRUN" --oversubscribe -np 3 "$orrery" learn quartet data.h5 --threads 1 -q -o ranks.h5 \
    >/dev/null 2>&1
  check 'the same bytes on three ranks' same_data ranks.h5 model.h5
fi
learn=(learn quartet data.h5 -o model.h5)
undisturbed model.h5
stop_again growth .2 .25 .25
goes_on growth model.h5
# What was learned waits in the checkpoint while resamples are learned from, dependence and all.
learn=(learn quartet data.h5 --stability 2 -o model.h5)
undisturbed model.h5
stop_again stability .7 .2
goes_on stability model.h5

finish
