#!/usr/bin/env bash
# Columns of two values that are not 0 and 1: what is advised reads them right, and nothing that is
# advised makes a column of ones.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# The same 64 rows in several codes.
table() {  # ON OFF
  awk -v on="$1" -v off="$2" 'BEGIN {
    srand(2)
    print "sex,flu,rash"
    for (i = 0; i < 64; ++i) print (rand() < .5 ? on : off) "," (rand() < .3 ? on : off) "," (rand() < .2 ? on : off)
  }'
}
table 1 0 >plain.csv
make import plain.csv -o plain.h5
digest() { h5dump -a /samples/digest "$1" | grep '(0)'; }
command -v h5dump >/dev/null || skip 'h5dump (hdf5-tools) compares the files'
while read -r on off; do
  table "$on" "$off" >coded.csv
  refuses 3 coded.csv "two values" "'$on'" "'$off'" '--on' '--off' '--categorical' '--drop' -- \
    import coded.csv -o out.h5
  check "$on and $off: nothing is called missing" bash -c "! grep -q -- --missing '$outside/err'"
  accepts '3 variables' -- import coded.csv --on "$on" --off "$off" -o coded.h5
  check "--on $on --off $off: the same samples" test "$(digest plain.h5)" = "$(digest coded.h5)"
done <<'END'
2 1
male female
present absent
on off
+ -
0 9
END
accepts -- import coded.csv --categorical -o categories.h5

# One without the other leaves a built-in word its meaning: of 1 and 2 all would be on.
table 2 1 >coded.csv
refuses 2 '--on' '--off VALUE' 'means 0' -- import coded.csv --on 2 -o ones.h5
refuses 2 '--off' '--on VALUE' 'means 1' -- import coded.csv --off 1 -o zeros.h5

# How many rows have each value: a slip is not the code of a column.
printf 'a,b\n1,0\n1,1\no,1\n1,0\n' >slip.csv
refuses 3 slip.csv "'1' (3 rows)" "'o' (1 row)" 'correct it' -- import slip.csv -o out.h5

# Words that --on and --off took the meaning from, in another column.
awk -F, -v OFS=, 'NR > 1 { $3 = $3 == 2 ? "yes" : "no" } { print }' coded.csv >words.csv
refuses 3 words.csv "'1' round" 'yes, no and the like' \
  "--on '2' --on 'yes' --off '1' --off 'no'" -- import words.csv --on 2 --off 1 -o out.h5
accepts -- import words.csv --on 2 --on yes --off 1 --off no -o coded.h5
check 'as advised: the same samples' test "$(digest plain.h5)" = "$(digest coded.h5)"
awk -F, -v OFS=, 'NR > 1 { $3 = $3 == 2 ? 1 : 0 } { print }' coded.csv >digits.csv
refuses 3 digits.csv "'1' round" 'recode it' "--drop 'rash'" -- \
  import digits.csv --on 2 --off 1 -o out.h5

# 0 and 1 with one value more, and with two more.
printf 'a,b\n0,1\n1,0\n9,1\n0,0\n' >nine.csv
refuses 3 nine.csv "'9'" '--missing' -- import nine.csv -o out.h5
printf 'a,b\n0,1\n1,0\n9,1\n8,0\n' >more.csv
refuses 3 more.csv "'9'" '--numeric' '--categorical' '--drop' -- import more.csv -o out.h5
check 'more values: nothing is called missing' bash -c "! grep -q -- --missing '$outside/err'"

# One word for two things; words turned round; formats without words.
refuses 2 "'x'" 'cannot mean two' -- import coded.csv --on x --off x -o out.h5
refuses 2 "'x'" 'cannot mean two' -- import coded.csv --on x --off y --missing x -o out.h5
printf 'a,b\n1,1\n2,0\n' >mixed.csv
refuses 3 mixed.csv "'0' is not binary" -- import mixed.csv --on 2 --off 1 -o out.h5
accepts '2 variables' -- import mixed.csv --on 2 --off 1 --off 0 -o out.h5
printf '0101\n1010\n' >rows.txt
refuses 2 '--on' 'rows.txt was read as rows' -- import rows.txt --on 1 --off 0 -o other.h5
refuses 2 '--on' '--numeric' -- import plain.csv --numeric --on 1 -o other.h5

# Who names a value as missing all the same is told what became of the table.
table 1 2 >coded.csv
accepts 'most columns are constant (3 of 3)' '--missing' -- import coded.csv --missing 2 -o ones.h5
accepts -- import plain.csv -o plain.h5
! grep -q 'most columns' "$outside/err" || fail 'a sound table is suspected'
finish
