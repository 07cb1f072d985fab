#!/usr/bin/env bash
# jobs/reproduce: experiments run small, claims are looked at, and one that does not hold is said, with exit
# code 1; what is there is not run again.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
quietly() { "$@" >out; }

check 'it runs' quietly "$jobs/reproduce" --quick --folder small figure3 quartet
check 'four claims hold' test "$(grep -c '| yes |$' small/claims.md)" = 4
check 'the table is printed' cmp out small/claims.md
check 'depths are those of a network like the one in the paper' grep -q '| 469 and\|causes at depth 0' out
check 'the tables of quartets are there' test -s small/quartet/known.md -a -s small/quartet/depth.md
check 'a sweep of one seed' grep -q '^| img | 2000 | vem | ' small/quartet/figure3.md

# As if figure 3 had found nothing.
sed -i 's/^  "recovered": .*/  "recovered": 0,/' small/figure3/img_10000_paper_3.json
"$jobs/reproduce" --quick --folder small figure3 >out 2>log
check 'a claim that fails is exit code 1' test $? = 1
check 'and is said' grep -q '^| figure3 | .* | 0 and 0 | \*\*no\*\* |$' out
check 'the others stay in the table' test "$(grep -c '^| quartet ' out)" = 3
refuses 1 '' -- "$jobs/reproduce" --folder small --table

refuses 2 'fourth is no experiment' -- "$jobs/reproduce" --folder other fourth
refuses 2 'unknown part' -- "$jobs/quartet/run" --folder other figure4
check 'a wrong call writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/reproduce" --folder other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/quartet/run" --folder other
refuses 3 'no experiment has been run' -- "$jobs/reproduce" --folder empty --table
finish
