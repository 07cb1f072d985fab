#!/usr/bin/env bash
# Columns that repeat another one, or nearly: `learn quartet` makes no cause of its own of them, on
# any number of threads, with missing values, and after a stop.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

make sample --network con:8,observed=56 --samples 10000 -o plain.h5
make export plain.h5 --rows --format csv -o plain.csv
# x56 and x57 repeat x3 and x20; x58 and x59 repeat x30 and x41 but for every 300th row.
awk -F, -v OFS=, 'NR == 1 { print $0, "x56", "x57", "x58", "x59"; next }
  { flip = NR % 300 == 0; print $0, $4, $21, flip ? 1 - $31 : $31, flip ? 1 - $42 : $42 }' \
  plain.csv >copies.csv
make import copies.csv -o copies.h5
accepts 'x56 of x3, x57 of x20, x58 of x30, x59 of x41' -- learn quartet copies.h5 -o model.h5
make export plain.h5 --format json -o truth.json
make export model.h5 --format json -o model.json
check 'eight causes, as without the copies' test "$(grep -c '"prior"' model.json)" = 8
make learn quartet plain.h5 -o without.h5
make export without.h5 --format json -o without.json
causes() { grep -o '"prior": [0-9.e-]*' "$1"; }
check 'with the same priors' test "$(causes model.json)" = "$(causes without.json)"
accepts 'log-likelihood' -- evaluate model.h5 --data copies.h5

make learn quartet copies.h5 -o threads.h5 --threads 3
check 'the same bytes on three threads' same_data threads.h5 model.h5

# A remark says so, also after a stop while resamples are learned from.
learn=(learn quartet copies.h5 --stability 5 -o model.h5)
undisturbed model.h5
stop_again stability .3 .3
goes_on stability model.h5

# One value in fifty is missing.
awk -F, -v OFS=, 'NR > 1 { for (a = 1; a <= NF; a++) if ((NR * 7 + a * 13) % 50 == 0) $a = "?" } { print }' \
  copies.csv >gaps.csv
make import gaps.csv -o gaps.h5
accepts 'nearly another' -- learn quartet gaps.h5 -o gaps_model.h5
make export gaps_model.h5 --format json -o gaps.json
check 'eight causes with gaps' test "$(grep -c '"prior"' gaps.json)" = 8

# The paper's method takes the columns as they are.
"$orrery" learn quartet copies.h5 --paper -o paper.h5 >paper.txt 2>&1
check 'the paper looks at all columns' test "$(grep -c 'nearly another' paper.txt)" = 0

finish
