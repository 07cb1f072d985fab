#!/usr/bin/env bash
# learn sep: structures of categorical data and what is sure of them; what it cannot be learned from.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network categorical:2,3,50 --samples 1000 -o data.h5
accepts '3 causes of 50 variables' 'log evidence' -- learn sep data.h5 --causes 3 --parents 2 --restarts 1 -o model.h5
accepts 'difference in structure 0 ' -- evaluate model.h5 --truth data.h5
accepts 'posterior of its structure' -- info model.h5
accepts 'starts' 'messages' -- learn sep data.h5 --causes 3 --dry-run -o dry.h5
check 'a dry run writes nothing' test ! -e dry.h5
make learn sep data.h5 --causes 3 --projection mean-variance --restarts 1 -o closed.h5
make export model.h5 --format json -o model.json
accepts 'difference in structure 0 ' -- evaluate model.json --truth data.h5

# A number of causes by the rows that it predicts.
make sample --network categorical:1,2,16 --samples 600 --seed 4 -o two.h5
make learn sep two.h5 --causes 1-3 --restarts 1 --folds 3 -o chosen.h5
accepts 'Numbers of causes that were tried' ' 1 -' ' 2 -' ' 3 -' -- info chosen.h5

# Variables that go their own way have no likely parents.
make sample --network categorical:1,2,12 --samples 40 --seed 2 -o few.h5
make learn sep few.h5 --causes 4 --independent-below 1 -o none.h5
accepts '0 edges' -- info none.h5

# Noise has no cause, and a network without causes is one for every command. Park and Miller's
# generator: random numbers of awk differ from one awk to the next.
noise() {  # ROWS COLUMNS [SEED]
  awk -v rows="$1" -v columns="$2" -v x="${3:-7}" 'BEGIN {
    for (c = 1; c <= columns; ++c) printf "v%d%s", c, c < columns ? "," : "\n"
    for (i = 1; i <= 20; ++i) x = x * 16807 % 2147483647
    for (r = 1; r <= rows; ++r) for (c = 1; c <= columns; ++c) {
      x = x * 16807 % 2147483647
      printf "%s%s", substr("abcd", 1 + int(x / 2147483647 * 4), 1), c < columns ? "," : "\n"
    }
  }'
}
noise 300 6 >noise.csv
make import noise.csv --categorical -o noise.h5
accepts '0 causes of 6 variables with 0 edges' 'no cause found: independent variables predict' \
  'standard error' -- learn sep noise.h5 -o lone.h5
accepts ' 0 -' ' 1 -' 'no cause found' -- info lone.h5
accepts '1 row' 'v1 = a' -- infer lone.h5 --given v1=a
accepts '300 rows' -- infer lone.h5 noise.h5 -o posteriors.h5
accepts 'independent variables' -- evaluate lone.h5 --data noise.h5
make sample --network lone.h5 --samples 20 -o drawn.h5
accepts 'differ in 0 edges' -- evaluate lone.h5 --truth drawn.h5
make report lone.h5 --data noise.h5 -o lone.html
check 'the page does not call it good' grep -q 'No variable has a cause' lone.html
for format in json csv dot graphml bif xmlbif uai; do
  make export lone.h5 --format "$format" -o "lone.$format"
done
accepts 'differ in 0 edges' -- evaluate lone.json --truth drawn.h5
make learn sep noise.h5 --checkpoint noise.ckpt -o again.h5
make learn sep noise.h5 --checkpoint noise.ckpt --resume -o resumed.h5
make export resumed.h5 --format json -o resumed.json
check 'a run that goes on finds no cause either' cmp lone.json resumed.json
accepts '1 cause of 6 variables with 6 edges' -- learn sep noise.h5 --causes 1 -o one.h5

# One variable that has nothing to do with the others' cause.
make sample --network categorical:1,1,12 --samples 300 --seed 6 -o real.h5
make export real.h5 --format rows -o real.csv
paste -d, real.csv <(noise 300 1 | sed '1s/.*/likes_tea/') >tea.csv
make import tea.csv --categorical -o tea.h5
accepts '1 cause of 13 variables with 12 edges' '1 cause predicts held-out rows best' \
  'likes_tea does not depend on any cause' -- learn sep tea.h5 -o attitude.h5
make report attitude.h5 -o attitude.html
check 'the page tells how well rows are predicted' \
  grep -q 'better than independent variables do, with' attitude.html
accepts '13 edges' 'likes_tea does not depend on any cause' 'auto leaves such edges out' -- \
  learn sep tea.h5 --causes 1 -o all.h5

# Plain expectation propagation from random messages: one start and nothing more, or the best of some.
make sample --network categorical:1,2,24 --samples 500 --seed 3 -o easy.h5
accepts '2 causes of 24 variables with 24 edges' -- learn sep easy.h5 --causes 2 --start random --restarts 1 -o plain.h5
plain=(learn sep few.h5 --causes 2 --start random --max-iterations 5)
refuses 2 '--start chance' 'clusters' 'random' -- learn sep few.h5 --start chance -o out.h5
refuses 2 '--extra-causes is of --start clusters' -- "${plain[@]}" --extra-causes 2 -o out.h5

# The marginal likelihood of new rows, given the structure alone: least lost by the right one.
make sample --network easy.h5 --samples 300 --seed 9 -o new.h5
make learn sep easy.h5 --causes 2 -o right.h5
marginal() { "$orrery" evaluate "$1" --data new.h5 --truth easy.h5 --marginal-likelihood --json --threads "$2"; }
marginal right.h5 1 >right.json
accepts 'this structure' 'true structure' -- evaluate right.h5 --data new.h5 --truth easy.h5 --marginal-likelihood
check 'the right structure has that of the truth' test \
  "$(sed -n 's/.*"log_marginal_likelihood": \(.*\..\{4\}\).*/\1/p' right.json)" = \
  "$(sed -n 's/.*"true_log_marginal_likelihood": \(.*\..\{4\}\).*/\1/p' right.json)"
marginal right.h5 2 >two.json
check 'on two threads too' cmp right.json two.json
refuses 2 '--marginal-likelihood' '--data' -- evaluate right.h5 --marginal-likelihood
refuses 2 '--marginal-likelihood' -- evaluate img --marginal-likelihood

refuses 2 '--causes 0' -- learn sep data.h5 --causes 0 -o out.h5
refuses 2 '--causes 4-2' '2-4' -- learn sep data.h5 --causes 4-2 -o out.h5
refuses 2 '--causes two' -- learn sep data.h5 --causes two -o out.h5
refuses 2 '--parents 3' 'from 1 to 2' -- learn sep data.h5 --parents 3 -o out.h5
refuses 2 '--damping 0' -- learn sep data.h5 --damping 0 -o out.h5
refuses 2 '--projection best' 'mean-log' -- learn sep data.h5 --projection best -o out.h5
refuses 3 'data.h5' '--causes 51 of 50 columns' -- learn sep data.h5 --causes 51 -o out.h5
make sample --network img --samples 100 -o bits.h5
refuses 3 'bits.h5' '--categorical' -- learn sep bits.h5 -o out.h5

table() {  # NAME LINE...: as a file of categories
  local name=$1
  shift
  printf '%s\n' "$@" >table.csv
  make import table.csv --categorical --categories no,yes -o "$name"
}
table constant.h5 a,b,c no,yes,no no,no,yes no,yes,yes
refuses 3 'constant.h5' "column 'a' has the same value in all rows" 'leave it out' -- \
  learn sep constant.h5 --causes 1 -o out.h5
table short.h5 a,b no,yes
refuses 3 'short.h5' '1 row;' -- learn sep short.h5 --causes 1 -o out.h5
finish
