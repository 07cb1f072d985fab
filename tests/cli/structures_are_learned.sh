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
