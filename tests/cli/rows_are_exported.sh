#!/usr/bin/env bash
# export of samples: rows of bits, numbers and categories as CSV and NPY, which import reads back to
# the same samples, and other programs as they are meant.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5dump >/dev/null || skip 'h5dump (hdf5-tools) compares the files'
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

# returns TABLE FORMAT OPTION...: imported, exported and imported again it is the same samples.
returns() {
  local table=$1 format=$2
  shift 2
  make import "$table" "$@" -o first.h5
  accepts 'rows of' "written to out.$format" -- export first.h5 --format "$format" -o "out.$format"
  make import "out.$format" "$@" -o second.h5
  check "$table as $format: the same samples" same_data first.h5 second.h5
}

# Bits: more than a block of rows, so that a word has every bit set somewhere.
awk 'BEGIN {
  srand(4)
  print "fever,\"a, b\",\"he said \"\"no\"\"\",été"
  for (i = 0; i < 70000; ++i) print (rand() < .5) "," (rand() < .1 ? "" : rand() < .3) "," (rand() < .9) "," (i % 64 == 63)
}' >bits.csv
returns bits.csv csv
check 'the same text' cmp bits.csv out.csv
grep -v ',,' bits.csv >whole.csv
returns whole.csv csv
sed -i '1s/.*/x0,x1,x2,x3/' whole.csv
returns whole.csv npy
sed -n '1!p' bits.csv | sed '1i x0,x1,x2,x3' >some.csv
returns some.csv npy --missing=-1
accepts 'a missing value is -1' '--missing=-1' -- export first.h5 --format npy -o some.npy
make import bits.csv -o bits.h5

# Numbers: every double comes back, in its shortest form.
cat >numbers.csv <<'END'
x0,x1
0.1,
-0,5e-324
100000,1.7976931348623157e+150
1e+22,-2.2250738585072014e-308
0.30000000000000004,123456789.125
END
returns numbers.csv csv --numeric
check 'the shortest form' cmp numbers.csv out.csv
returns numbers.csv npy --numeric --missing nan
printf '2001,2002\n1.5,2\n3,4.25\n' >years.csv
make import years.csv --numeric --header yes -o years.h5
accepts '--header yes' -- export years.h5 --format csv -o out.csv
check 'names that are numbers' cmp years.csv out.csv

# Categories, as before by --format rows too.
printf 'p,"q,r"\n"a ""b""","1, 2"\nc,-\na,\n' >odd.csv
returns odd.csv csv --categorical
check 'the same text' cmp odd.csv out.csv
accepts -- export first.h5 --format rows -o rows.csv
check 'rows is csv' cmp rows.csv out.csv
refuses 3 first.h5 categories '--format csv' -- export first.h5 --format npy -o no.npy
printf 'a,b\nx,NO\ny,NA\n' >words.csv
printf 'a,x,y\nb,NO,NONE\n' >lists.csv
make import words.csv --categorical --categories lists.csv -o words.h5
accepts -- export words.h5 --format csv -o out.csv
check 'no category is suspected' test ! -s "$outside/err"
cat >na.json <<'END'
{"format": "orrery-categorical-1", "causes": [{"name": "c", "prior": [0.5, 0.5]}],
 "observed": [{"name": "x", "categories": ["NA", "b"], "parents": [0], "table": [[0.6, 0.4], [0.2, 0.8]]},
              {"name": "y", "categories": ["a", "b"], "parents": [0], "table": [[0.6, 0.4], [0.2, 0.8]]}]}
END
make sample --network na.json --samples 20 -o na.h5
accepts "'NA' of column 'x'" -- export na.h5 --rows --format csv -o out.csv

# A file that holds its network too: CSV is the network, as ever, unless rows are asked for.
make sample --network independent:3 --samples 5 --seed 2 -o data.h5
accepts '--rows' 'edges written to' -- export data.h5 --format csv -o network.csv
check 'the network' grep -q '^cause,prior,' network.csv
accepts '5 rows of 3 variables written to rows.csv' -- export data.h5 --format csv --rows -o rows.csv
check 'a line of names and one per row' test "$(wc -l <rows.csv)" = 6
accepts -- export data.h5 --format npy -o rows.npy
"$orrery" export data.h5 --format csv --rows -o - >shown.csv
check 'standard output gets the same' cmp shown.csv rows.csv
# shellcheck disable=SC2317  # check calls it
to_full() {
  "$orrery" export data.h5 --format csv --rows -o - >/dev/full 2>"$outside/err"
  [[ $? == 4 ]] && grep -q 'error: standard output' "$outside/err"
}
check 'a full standard output' to_full
accepts 'memory per rank' rows -- export data.h5 --format csv --rows --dry-run
"$orrery" export data.h5 --format csv --rows --json -o rows.csv >"$outside/json"
check 'what --json says' grep -q '"n_samples": 5' "$outside/json"
make export data.h5 --format json -o network.json

# What cannot be written, or is not there.
refuses_to_write out.json 2 '--rows' 'csv or npy' -- export data.h5 --rows --format json -o out.json
refuses_to_write out.csv 3 network.json -- export network.json --rows --format csv -o out.csv
refuses_to_write out.csv 3 absent.h5 'no such file' -- export absent.h5 --rows --format csv -o out.csv
refuses 2 bits.h5 -- export bits.h5 --format csv -o bits.h5
make import whole.csv -o whole.h5
make moments whole.h5 -o moments.h5
refuses_to_write out.csv 3 moments.h5 'no samples' -- export moments.h5 --rows --format csv -o out.csv
cp bits.h5 damaged.h5
printf 'xxxxxxxx' | dd of=damaged.h5 bs=1 seek=$(($(stat -c %s bits.h5) / 2)) conv=notrunc status=none
refuses_to_write out.csv 3 damaged.h5 -- export damaged.h5 --format csv -o out.csv

# Names that only a network file can have: any reader of CSV finds them.
cat >names.json <<'END'
{"format": "orrery-network-1", "causes": [{"name": "c", "prior": 0.5}],
 "observed": [{"name": "two\nlines", "leak": 0.5}, {"name": " blank", "leak": 0.5}], "edges": [[0, 0, 0.5]]}
END
make sample --network names.json --samples 3 -o names.h5
make export names.h5 --rows --format csv -o names.csv
check 'a line end in quotes' grep -qx 'lines"," blank"' names.csv
make sample --network independent:1 --samples 3 --seed 1 -o one.h5
make export one.h5 --rows --format csv -o one.csv
check 'one column' test "$(wc -l <one.csv)" = 4

python=/usr/bin/python3
if $python -c 'import numpy' 2>/dev/null; then
  make import whole.csv -o whole.h5
  make export whole.h5 --format npy -o whole.npy
  make import numbers.csv --numeric -o numbers.h5
  make export numbers.h5 --format npy -o numbers.npy
  make export numbers.h5 --format csv -o numbers_again.csv
  check 'numpy and csv read the same' $python - <<'END'
import csv
import numpy as np
some = np.load("some.npy")
assert some.dtype == np.int8 and some.min() == -1
text = np.genfromtxt("some.csv", delimiter=",", skip_header=1)
assert np.array_equal(np.where(some < 0, np.nan, some), text, equal_nan=True)
bits = np.load("whole.npy")
assert bits.dtype == np.uint8 and np.array_equal(bits, np.loadtxt("whole.csv", delimiter=",", skiprows=1)), bits
numbers = np.load("numbers.npy")
assert numbers.dtype == np.float64
for name in "numbers.csv", "numbers_again.csv":
    text = np.genfromtxt(name, delimiter=",", skip_header=1)
    assert np.array_equal(numbers, text, equal_nan=True), name
assert next(csv.reader(open("names.csv", newline=""))) == ["two\nlines", " blank"]
assert next(csv.reader(open("bits.csv", newline="", encoding="utf-8"))) == ["fever", "a, b", 'he said "no"', "été"]
END
fi
finish
