#!/usr/bin/env bash
# What a noisy-OR network cannot say of a table, `learn quartet` says itself: answers to one
# question, opposite columns, nothing to find.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Six questions of three answers each, of two kinds of rows; the last two columns are opposite.
awk 'BEGIN { srand(3); for (q = 0; q < 6; q++) printf "q%da,q%db,q%dc,", q, q, q; print "yes,no"
  for (r = 0; r < 4000; r++) { kind = rand() < 0.5
    for (q = 0; q < 6; q++) { u = rand(); answer = (u < 0.6) ? kind : (u < 0.8 ? 2 : 1 - kind)
      printf "%d,%d,%d,", answer == 0, answer == 1, answer == 2 }
    yes = rand() < 0.4; printf "%d,%d\n", yes, !yes } }' >questions.csv
make import questions.csv -o questions.h5
accepts 'rows that set no parameter' '% of the pairs of variables are on together' '6 groups of columns' \
  'q0a, q0b, q0c' 'import --categorical' 'a pair of columns says the opposite' 'yes, no' \
  -- learn quartet questions.h5 -o questions_model.h5
accepts 'exclude one another' -- info questions_model.h5

make sample --network independent:20 --samples 3000 -o nothing.h5
accepts 'no cause found' '190 pairs' 'more rows' -- learn quartet nothing.h5 -o nothing_model.h5

# A network that fits says so; rows are set aside only where it does not.
make sample --network img --samples 5000 -o img.h5
accepts 'the network fits' -- learn quartet img.h5 -o img_model.h5
refuses_text() { ! "$orrery" info "$1" | grep -q "$2"; }
check 'no row is set aside' refuses_text img_model.h5 'set no parameter'

# Neighbours in a chain: a tree over the variables explains more than hidden causes.
awk 'BEGIN { srand(4); for (i = 0; i < 20; i++) printf "x%d%s", i, i < 19 ? "," : "\n"
  for (r = 0; r < 4000; r++) { x = rand() < 0.5
    for (i = 0; i < 20; i++) { if (rand() < 0.1) x = !x; printf "%d%s", x, i < 19 ? "," : "\n" } } }' >chain.csv
make import chain.csv -o chain.h5
accepts 'rows that set no parameter' 'of a Chow-Liu tree' 'of independent variables' 'kinds of rows' \
  'predicts rows better than hidden causes do' 'this model is wrong for this table' \
  -- learn quartet chain.h5 -o chain_model.h5

finish
