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
accepts '% of the pairs of variables are more than 3 standard deviations' '6 groups of columns' \
  'q0a, q0b, q0c' 'import --categorical' 'a pair of columns says the opposite' 'yes, no' \
  -- learn quartet questions.h5 -o questions_model.h5
accepts 'exclude one another' -- info questions_model.h5

make sample --network independent:20 --samples 3000 -o nothing.h5
accepts 'no cause found' '190 pairs' 'more rows' -- learn quartet nothing.h5 -o nothing_model.h5

# A network that fits is given without a remark.
make sample --network img --samples 5000 -o img.h5
"$orrery" learn quartet img.h5 -o img_model.h5 >said.txt 2>&1
check 'no remark on a network that fits' test "$(grep -c 'standard deviations' said.txt)" = 0

finish
