#!/usr/bin/env bash
# Constant and repeated columns, and missing values, are said and lived with.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_table 200 | awk -F, -v OFS=, 'NR > 1 { $2 = 1; $5 = $1 } 1' >odd.csv
accepts 'warning: odd.csv: 1 constant column(s), the first is bob' -- import odd.csv -o odd.h5
accepts 'constant columns (1): bob' 'duplicate columns (1): eve = ann' -- info odd.h5
accepts 'odd.h5: 1 constant column(s) (bob)' 'odd.h5: 1 column(s) repeat an earlier one (eve)' \
  -- learn quartet odd.h5 -o model.h5
accepts -- info model.h5
accepts 'constant' -- moments odd.h5 -o moments.h5
rm model.h5
accepts -- learn quartet odd.h5 -o model.h5 -q
check 'quiet: no warning' test ! -s "$outside/all"

# Like the votes of 1984: a name, a party, y, n and ?.
make_table 3000 | awk -F, -v OFS=, '
  NR == 1 { print "party," $0; next }
  { for (c = 1; c <= NF; ++c) $c = $c ? "y" : "n"
    if (NR % 10 == 0) $3 = "?"
    print NR % 2 ? "democrat" : "republican", $0 }' >votes.csv
accepts '300 missing values' -- import votes.csv --drop party -o votes.h5
accepts '300 of 3000 rows hold missing values and are left out' 'from 2,700 samples' \
  -- learn quartet votes.h5 -o model.h5

# The same as learning from the complete rows alone.
grep -v '?' votes.csv >complete.csv
make import complete.csv --drop party -o complete.h5
make learn quartet complete.h5 -o of_complete.h5
network_of() { "$orrery" export "$1" --format json -o - | grep -v data_digest; }
check 'incomplete rows leave no trace' cmp <(network_of model.h5) <(network_of of_complete.h5)
check 'a network is compared' grep -q prior <(network_of model.h5)

# The likelihood sums over missing values: every row is scored.
accepts '3,000 rows' -- evaluate model.h5 --data votes.h5
finish
