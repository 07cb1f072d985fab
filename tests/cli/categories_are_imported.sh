#!/usr/bin/env bash
# import --categorical: tables of categories are stored as they are, told of, and refused with a
# remedy; files of bits, numbers and categories are told apart.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

printf 'id,level,grade,pain\np1,10,b,no\np2,9,a,-7\np3,100,b,?\np4,9,a,yes\n' >t.csv
accepts '4 rows of 3 variables with 2 to 3 categories read as csv, 2 missing values; written to t.h5' \
  -- import t.csv --categorical --drop id --missing -7 -o t.h5
accepts 'categorical: 4 rows of 3 variables, 2 missing values' 'run: orrery import t.csv' -- info t.h5
# shellcheck disable=SC2317  # check calls it
row() { tr -s ' ' <"$outside/out" | grep -qx " $1 $2 $3"; }
check 'numbers are in their order' row level 0 '9 2, 10 1, 100 1'
check 'words are in theirs' row grade 0 'a 2, b 2'
check 'missing values are counted' row pain 2 'no 1, yes 1'
accepts '"n_missing": 2' '"counts": [' -- info t.h5 --json

# The same table in other forms is the same samples; another order of categories is not.
digest_of() { "$orrery" info "$1" | grep -o 'digest [0-9a-f]*'; }
tr , '\t' <t.csv | gzip >t.tsv.gz
make import t.tsv.gz --categorical --drop id --missing -7 -o tsv.h5
check 'TSV is the same' test "$(digest_of t.h5)" = "$(digest_of tsv.h5)"
printf 'grade,b,a,worst\n' >order.csv
accepts '2 to 3 categories' -- import t.csv --categorical --categories order.csv --drop id --missing -7 -o given.h5
accepts 'b 2, a 2, worst 0' -- info given.h5
check 'another order is another table' test "$(digest_of t.h5)" != "$(digest_of given.h5)"
printf 'a,b\nlow,low\nhigh,low\n' >two.csv
accepts 'two.csv: 1 constant column(s), the first is b' 'with 3 categories' -- \
  import two.csv --categorical --categories low,mid,high -o two.h5
accepts 'constant columns 1 (b)' 'low 2, mid 0, high 0' -- info two.h5
accepts 'memory per rank: ' -- import t.csv --categorical --dry-run
accepts 'memory per rank: ' -- info t.h5 --dry-run

import_refuses() {  # FILE TEXT... : exit code 3, naming the file
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -- import "$file" --categorical -o out.h5
}
printf 'a,b\n1,x\n2,x\n' >one.csv
import_refuses one.csv "column 'b' has one category, 'x'" "--drop 'b'" '--categories'
{ echo a,b; seq 100 | awk '{ print $1 "," $1 % 2 }'; } >many.csv
import_refuses many.csv 'row 65 (line 66)' "column 1 ('a')" "'65'" 'beyond the 64' '--numeric'
printf 'a,b\n1,\n2,NA\n' >empty.csv
import_refuses empty.csv "column 'b' has no value" "--drop 'b'"
printf 'a,b\n1,1\n?,?\n2,2\n' >gap.csv
import_refuses gap.csv 'row 2 (line 3) has no value' 'take the row out'
printf 'a,b\n1,1\n2\n' >ragged.csv
import_refuses ragged.csv 'row 2 (line 3)' 'complete the row'
printf 'a,b\n1,1\n1.0,2\n' >twice.csv
import_refuses twice.csv "'1' and '1.0', which are one number"
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 2\n' >t.mtx
import_refuses t.mtx 'mtx' '--categorical'
: >nothing.csv
import_refuses nothing.csv 'empty'
refuses_to_write out.h5 3 "row 2 (line 3), column 1 ('a')" "'high' is not among" "'low', 'mid'" -- \
  import two.csv --categorical --categories low,mid -o out.h5
printf 'c,low,high\n' >other.csv
refuses_to_write out.h5 3 other.csv "column 'c' is not among those imported" -- \
  import two.csv --categorical --categories other.csv -o out.h5
refuses_to_write out.h5 2 '--categories word' 'neither a file nor a list' -- \
  import two.csv --categorical --categories word -o out.h5
refuses 2 '--categories' 'add it' -- import two.csv --categories low,high -o out.h5
refuses 2 '--numeric and --categorical' -- import two.csv --numeric --categorical -o out.h5
refuses 2 '--categorical' 'edges' -- import two.csv --categorical --format edges -o out.h5
refuses 3 no.csv -- import no.csv --categorical -o out.h5

# Each kind of samples where another is needed, and damage.
refuses 3 t.h5 'holds categories (/categorical)' 'reads bits' -- learn quartet t.h5 -o out.h5
refuses 3 t.h5 'holds categories (/categorical)' 'reads numbers' -- learn linear t.h5 -o out.h5
make sample --network categorical:1,2,50 --samples 20000 -o large.h5  # most of it is codes
offset=$(($(stat -c %s large.h5) / 2))
{ head -c $offset large.h5; printf 'damaged!'; tail -c +$((offset + 9)) large.h5; } >damaged.h5
refuses 3 damaged.h5 '/categorical/codes' 'digest' -- info damaged.h5
finish
