#!/usr/bin/env bash
# Constant and repeated columns, and missing values, are said and lived with.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_table 200 | awk -F, -v OFS=, 'NR > 1 { $2 = 1; $5 = $1 } 1' >odd.csv
accepts 'warning: odd.csv: 1 constant column(s), the first is bob' -- import odd.csv -o odd.h5
accepts 'constant columns 1 (bob)' 'duplicate columns 1 (eve = ann)' -- info odd.h5
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
missing='300 of 24000 values (1.2 %) are missing, in 300 rows and 1 columns'
accepts 'time: ' -- learn quartet votes.h5 --dry-run
accepts "votes.h5: $missing" 'missing completely at random' 'from 3,000 samples' \
  -- learn quartet votes.h5 --test rank -o model.h5
accepts 'time: ' -- params votes.h5 --structure model.h5 --dry-run
accepts "votes.h5: $missing" 'from 3,000 samples' -- params votes.h5 --structure model.h5 -o params.h5

# Nearly what all values would have given, but not the same.
make_table 3000 >all.csv
make import all.csv -o all.h5
make learn quartet all.h5 --test rank -o of_all.h5
make params all.h5 --structure model.h5 -o params_of_all.h5
prior_of() { "$orrery" export "$1" --format csv -o - | awk -F, 'NR == 2 { print $2 }'; }
for pair in 'model of_all' 'params params_of_all'; do
  read -r some all <<<"$pair"
  check "$some: nearly the prior of all values" awk -v a="$(prior_of "$some.h5")" \
    -v b="$(prior_of "$all.h5")" 'BEGIN { exit !(a > .3 && a != b && (a - b) ^ 2 < 1e-4) }'
done

# Counts are of all rows or of none.
refuses_to_write out.h5 3 'votes.h5: has missing values' 'learn' -- moments votes.h5 -o out.h5
refuses 3 'votes.h5: has missing values' -- moments votes.h5 --dry-run
make moments all.h5 -o moments.h5
refuses_to_write out.h5 3 'votes.h5 has missing values' 'leave --moments out' \
  -- learn quartet votes.h5 --moments moments.h5 -o out.h5

# The likelihood sums over missing values: every row is scored.
accepts '3,000 rows' -- evaluate model.h5 --data votes.h5
finish
