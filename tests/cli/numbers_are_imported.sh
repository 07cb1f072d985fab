#!/usr/bin/env bash
# import --numeric: tables of numbers are stored as they are, told of, and refused with a remedy;
# files of bits and of numbers are told apart.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

printf 'id,height,weight,one,dose\np1,1.75,7e1,1,?\np2,1.625,-0.5,1,-999\np3,+2,80,1,4\np4,1.5,2,1,1\n' >t.csv
accepts 't.csv: 1 constant column(s), the first is one' \
  '4 rows of 4 numbers read as csv, 2 missing values; written to t.h5' \
  -- import t.csv --numeric --drop id --missing -999 -o t.h5
accepts 'dense: 4 rows of 4 numbers, 2 missing values' 'constant columns 1 (one)' -- info t.h5
# shellcheck disable=SC2317  # check calls it
row() { tr -s ' ' <"$outside/out" | grep -qx " $*"; }
check 'the table of columns' row variable mean sd min max missing
check 'a column' row height 1.7188 0.18488 1.5 2 0
check 'a column with values missing' row dose 2.5 1.5 1 4 2

# The same table in other forms is the same samples.
digest_of() { "$orrery" info "$1" | grep -o 'digest [0-9a-f]*'; }
tr , '\t' <t.csv | gzip >t.tsv.gz
make import t.tsv.gz --numeric --drop id --missing -999 -o tsv.h5
check 'TSV is the same' test "$(digest_of t.h5)" = "$(digest_of tsv.h5)"
make import t.csv --numeric --drop id --drop one --missing -999 -o less.h5
check 'one column fewer is not' test "$(digest_of t.h5)" != "$(digest_of less.h5)"

# Many columns: the first, or all.
seq -s, 1 60 >wide.csv
seq -s, 2 61 >>wide.csv
make import wide.csv --numeric -o wide.h5
accepts '... and 40 more: -v lists all' -- info wide.h5
check 'x19 is the last' bash -c "grep -q 'x19 ' '$outside/out' && ! grep -q 'x20 ' '$outside/out'"
accepts 'x59 ' -- info wide.h5 -v
accepts 'memory per rank: ' 'bytes to read' -- import wide.csv --numeric --dry-run
accepts 'memory per rank: ' -- info wide.h5 --dry-run

import_refuses() {  # FILE TEXT... : exit code 3, naming the file
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -- import "$file" --numeric -o out.h5
}
printf 'a,b\n1,2\n3,four\n' >word.csv
import_refuses word.csv 'row 2 (line 3)' "column 2 ('b')" "'four' is not a number" '--missing' '--drop'
printf 'a,b\n1,2\n3,inf\n' >infinite.csv
import_refuses infinite.csv 'row 2 (line 3)' 'infinite'
printf 'a,b\n1e200,2\n-1e200,3\n' >large.csv
refuses_to_write out.h5 3 "column 1 (a)" '1e+200' 'too large' 'scale' -- \
  import large.csv --numeric -o out.h5
printf 'a,b\n1,2\n3\n' >ragged.csv
import_refuses ragged.csv 'row 2 (line 3)' 'complete the row'
printf 'a,2000\n1,2\n' >year.csv
import_refuses year.csv "'a' is not a number" '--header yes'
printf '0101\n1110\n' >rows.txt
import_refuses rows.txt 'not recognised' 'csv|tsv|mtx|npy'
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 2\n' >t.mtx
accepts '2 rows of 3 numbers' 'mtx' -- import t.mtx --numeric -o entries.h5
refuses 2 '--format rows' 'csv, tsv, mtx and npy' -- import t.csv --numeric --format rows -o out.h5
refuses 2 '--numeric' 'edges' -- import t.csv --numeric --format edges -o out.h5
refuses_to_write out.h5 3 t.csv "'1.75' is not binary" '--numeric' -- import t.csv --drop id -o out.h5

# Bits where numbers are, and damage.
for command in 'learn quartet' moments 'params --structure bars:2' 'learn tree'; do
  # shellcheck disable=SC2086  # the words are the arguments
  refuses_to_write out.h5 3 t.h5 'holds numbers (/dense)' 'reads bits' '--numeric' -- \
    $command t.h5 -o out.h5
done
refuses 3 t.h5 'no /model' '/dense;' -- export t.h5 --format dot
size=$(stat -c %s wide.h5)
head -c $((size - 1)) wide.h5 >cut.h5
refuses 3 cut.h5 'truncated' -- info cut.h5
finish
