#!/usr/bin/env bash
# Tables that cannot be used: what is wrong, in which file, row and column, and what to do.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

import_refuses() {  # FILE TEXT... : exit code 3, naming the file
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -- import "$file" -o out.h5
}

printf 'a,b,c,d\n1,0,1,0\n1,0,1\n' >ragged.csv
import_refuses ragged.csv 'row 2 (line 3)' 'has 3 columns' 'has 4' 'complete the row'

printf 'a,b,c,d\n1,0,1,0\n1,0x,1,0\n' >letter.csv
import_refuses letter.csv 'row 2 (line 3)' "column 2 ('b')" "'0x'" 'two values' '--off' '--drop'

printf 'a,b,c,d\n1,0,1,0\n1,2,1,0\n' >two.csv
import_refuses two.csv "'2'" "column 2 ('b')"

printf '0101\n01a1\n' >letter.txt
import_refuses letter.txt 'line 2' 'a'

printf '0101\n010\n' >ragged.txt
import_refuses ragged.txt 'line 2'

: >empty.csv
import_refuses empty.csv 'empty'

printf 'a,b,c,d\n' >header.csv
import_refuses header.csv 'no rows'

printf 'a\n1\n0\n' >one.csv
import_refuses one.csv 'one column' '--format'

printf 'a,b,c,d\n1,?,1,0\n0,?,1,1\n' >blank.csv
import_refuses blank.csv "column 'b'" 'no value' "--drop 'b'"

printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 9\n' >outside.mtx
import_refuses outside.mtx '9' '3'

printf '\x93NUMPY\x01\x00\x10\x00{' >cut.npy
import_refuses cut.npy

printf '1,0\n0,1\n' | gzip | head -c 20 >cut.csv.gz
import_refuses cut.csv.gz

mkdir folder.csv
import_refuses folder.csv 'is a directory'
import_refuses absent.csv 'no such file'

printf 'a,b,c,d\n1,0,1,0\n' >good.csv
refuses_to_write out.h5 3 'good.csv' 'nobody' -- import good.csv --drop nobody -o out.h5

# Too few rows are a matter of learning, not of importing.
make_table 40 >few.csv
make import few.csv -o few.h5
for command in 'learn quartet' moments 'params --structure bars:2'; do
  # shellcheck disable=SC2086  # the words are the arguments
  refuses_to_write out.h5 3 few.h5 '40 row(s)' 'at least 50' 'add rows' -- \
    $command few.h5 -o out.h5
done
cut -d, -f1-3 <(make_table 100) >narrow.csv
make import narrow.csv -o narrow.h5
refuses_to_write out.h5 3 narrow.h5 '3 column' 'at least 4' -- learn quartet narrow.h5 -o out.h5

# Nor is a column with too few values.
make_table 60 | sed '2,20s/^./?/' >gaps.csv
make import gaps.csv -o gaps.h5
refuses_to_write out.h5 3 gaps.h5 "column 'ann'" '41 of 60 rows' 'at least 50' '--drop' -- \
  learn quartet gaps.h5 -o out.h5
refuses 3 gaps.h5 "column 'ann'" -- learn quartet gaps.h5 --dry-run
finish
