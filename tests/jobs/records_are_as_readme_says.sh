#!/usr/bin/env bash
# Every recorded result says where it comes from, and the README.md files claim of methods what is recorded; a
# claim or a record that is changed is noticed.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2154  # of lib.sh
root=${jobs%/*}
records=$root/tests/jobs/records
families=src/families
noisy_or=$families/noisy_or

check 'README says what is recorded' "$records" "$root"

# noticed WHAT FILE SED-PROGRAM: with FILE changed so it does not pass.
noticed() {
  rm -rf copy
  mkdir copy
  (cd "$root" && cp --parents jobs/*/README.md "$families"/*/README.md "$families"/*/*/README.md jobs/*/results.md jobs/*/cells.csv "$folder/copy")
  sed -i -E "$3" "copy/$2"
  check "$1: something is changed" test "$(cmp -s "copy/$2" "$root/$2" && echo same)" = ''
  "$records" copy >said 2>&1
  check "$1 is noticed" test $? = 1
}
noticed 'a record without a commit' jobs/linear/results.md '3s/commit [0-9a-f]+/some commit/'
noticed 'a record without a day' jobs/benchmark/results.md '3s/[0-9]{4}-[0-9]{2}-[0-9]{2}/today/'
noticed 'a record without a machine' jobs/sep/results.md '3s/, on [^;]*;/;/'
noticed 'a second program' jobs/qmr/results.md '5s/^/With the program of commit 0123456: /'
noticed 'the paper before the default' jobs/benchmark/README.md \
  's/^(\| (IMG|CON8) \| [0-9,]+ \|) ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|$/\1 \5 | \4 | \3 |/'
# shellcheck disable=SC2016  # of Markdown
noticed 'another heading' jobs/benchmark/README.md 's/`--paper` \| `--refine none` \| default/default | `--refine none` | `--paper`/'
noticed 'a set that is harder than recorded' jobs/benchmark/README.md 's/^(\| PLNT \|) [0-9]+/\1 20/'
noticed 'sem before sep' "$families/categorical/README.md" 's/^\| 500 \| sep, one parent/| 500 | sem, same data/'
noticed 'a cell of sep too many' "$families/categorical/README.md" 's/in 15 of 16 cells/in 16 of 16 cells/'
noticed 'the simplex before the marginal polytope' "$noisy_or/anchored/README.md" \
  's/in the simplex(.*)in the marginal polytope/in the marginal\1in the simplex polytope/'
noticed 'the tree before imputation' "$noisy_or/anchored/README.md" 's/^\| tree by anchors/| tree by imputation/'
noticed 'varimax before geomin' "$families/linear/README.md" \
  's/F1 of ([.0-9]+) with an oblique(.*) of ([.0-9]+) with varimax/F1 of \3 with an oblique\2 of \1 with varimax/'
noticed 'factor analysis before orrery' jobs/linear/results.md 's/^(\| skewed .*\|) 1\.000 \(/\1 0.900 (/'
noticed 'more causes found than recorded' "$noisy_or/quartet/README.md" 's/557 to 565 from 100,000/557 to 570 from 100,000/'
noticed 'a tree that is never recovered' jobs/hidden_tree/results.md 's/100 %/99 %/g'
finish
