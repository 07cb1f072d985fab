#!/usr/bin/env bash
# Rows held out and put together again: none is lost, none is there twice, and the same seed holds
# out the same rows.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

rows() { "$orrery" export "$1" --rows --format csv -q -o -; }
sorted() { tail -n +2 | sort; }

make_table 300 >people.csv
awk -F, -v OFS=, 'NR == 1 { print "", $0; next } { $3 = NR % 7 ? $3 : ""; print "p" NR, $0 }' people.csv >named.csv
awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; ++i) $i += NR / 8 } { print }' people.csv >numbers.csv
awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; ++i) $i = $i ? "yes" : NR % 5 ? "no" : "perhaps" } { print }' people.csv >words.csv
make import named.csv -o bits.h5
make import numbers.csv --numeric -o numbers.h5
make import words.csv --categorical -o words.h5
for kind in bits numbers words; do
  accepts '200 rows written to train.h5' '100 rows held out in test.h5' -- \
    split $kind.h5 --test 1/3 --seed 4 -o train.h5 test.h5
  check "$kind: every row is in one of the files" \
    cmp <(rows $kind.h5 | sorted) <({ rows train.h5; rows test.h5 | tail -n +2; } | sorted)
  rows train.h5 >train.csv
  make split $kind.h5 --test 100 --seed 4 -o again.h5 test2.h5
  check "$kind: the same seed, the same rows" cmp train.csv <(rows again.h5)
  make split $kind.h5 --test 100 --seed 5 -o other.h5 test3.h5
  check "$kind: another seed, other rows" bash -c "! cmp -s train.csv <('$orrery' export other.h5 --rows --format csv -q -o -)"
  accepts '300 rows of 8 variables from 2 files' -- cat train.h5 test.h5 -o both.h5
  check "$kind: put together" cmp <({ rows train.h5; rows test.h5 | tail -n +2; }) <(rows both.h5)
done
if command -v h5dump >/dev/null; then
  make split bits.h5 --test 0.25 --seed 2 -o train.h5 test.h5
  names() { h5dump -d /samples/row_names "$1" | grep -o '"p[0-9]*"'; }
  check 'row names go with their rows' test \
    "$({ names train.h5; names test.h5; } | sort)" = "$(names bits.h5 | sort)"
fi

# Columns in another order, of blocks of several sizes.
make sample --network con:3 --samples 70000 --seed 2 -o large.h5
make split large.h5 --test 0.4 --seed 1 -o train.h5 test.h5
make cat test.h5 train.h5 -o both.h5
check 'blocks of a large file: no row is lost' \
  cmp <(rows large.h5 | sorted) <(rows both.h5 | sorted)
check 'the network that rows were drawn from goes with them' bash -c \
  "'$orrery' evaluate test.h5 --truth large.h5 >/dev/null"

refuses 2 '--test' "'0'" -- split bits.h5 --test 0 -o a.h5 b.h5
refuses 2 '--test' "'4/3'" -- split bits.h5 --test 4/3 -o a.h5 b.h5
refuses 2 '--test 300' -- split bits.h5 --test 300 -o a.h5 b.h5
refuses 2 '--test' -- split bits.h5 -o a.h5 b.h5
refuses 2 'TEST-FILE' -- split bits.h5 --test 0.5 -o a.h5
refuses 2 'a.h5' -- split bits.h5 --test 0.5 -o a.h5 a.h5
refuses 2 'bits.h5' -- split bits.h5 --test 0.5 -o bits.h5 b.h5
refuses 3 people.csv 'orrery import' -- split people.csv --test 0.5 -o a.h5 b.h5
refuses 3 numbers.h5 -- cat bits.h5 numbers.h5 -o out.h5
refuses 3 large.h5 'no column' -- cat bits.h5 large.h5 -o out.h5
refuses 2 'bits.h5' -- cat numbers.h5 bits.h5 -o bits.h5
finish
