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

# changed WHAT FILE SED-PROGRAM COMPLAINT: in the copy FILE is changed; `noticed` looks for what it then
# has to complain of, of all changes at once.
copied() {
  rm -rf copy complaints
  mkdir copy
  (cd "$root" && cp --parents jobs/*/README.md "$families"/*/README.md "$families"/*/*/README.md \
    jobs/*/results.md jobs/*/cells.csv "$folder/copy")
}
changed() {
  cp "copy/$2" before
  sed -i -E "$3" "copy/$2"
  check "$1: something is changed" test "$(cmp -s "copy/$2" before && echo same)" = ''
  printf '%s\t%s\n' "$1" "$4" >>complaints
}
noticed() {
  local what complaint
  "$records" copy >said 2>&1
  check 'the changes are noticed' test $? = 1
  while IFS=$'\t' read -r what complaint; do
    check "$what is noticed: $(cat said)" grep -qF -e "$complaint" said
  done <complaints
}

copied
changed 'a record without a commit' jobs/linear/results.md '3s/commit [0-9a-f]+/some commit/' \
  'jobs/linear/results.md: line 3 is not'
changed 'a record without a day' jobs/benchmark/results.md '3s/[0-9]{4}-[0-9]{2}-[0-9]{2}/today/' \
  'jobs/benchmark/results.md: line 3 is not'
changed 'a record without a machine' jobs/sep/results.md '3s/, on [^;]*;/;/' \
  'jobs/sep/results.md: line 3 is not'
changed 'a second program' jobs/qmr/results.md '5s/^/With the program of commit 0123456: /' \
  'jobs/qmr/results.md: line 5: names a day or a commit'
changed 'the paper before the default' jobs/benchmark/README.md \
  's/^(\| (IMG|CON8) \| [0-9,]+ \|) ([0-9.]+)( \|.*\|) ([0-9.]+) \|$/\1 \5\4 \3 |/' \
  'jobs/benchmark: CON8, 500 rows: not in the order that is claimed'
changed 'a set that is harder than recorded' jobs/benchmark/README.md 's/^(\| PLNT \|) [0-9]+/\1 20/' \
  'README.md of PLNT, 500 rows'
changed 'sem before sep' "$families/categorical/README.md" 's/^\| 500 \| sep, one parent/| 500 | sem, same data/' \
  'README.md of jobs/sep: 500 rows, sem, same data, K = 3'
changed 'the simplex before the marginal polytope' "$noisy_or/anchored/README.md" \
  's/in the simplex(.*)in the marginal polytope/in the marginal\1in the simplex polytope/' \
  'README.md of jobs/anchored: violated, 5,000 rows, simplex'
changed 'the tree before imputation' "$noisy_or/anchored/README.md" 's/^\| tree by anchors/| tree by imputation/' \
  'README.md of last tags, tree by imputation, 1000 rows'
changed 'varimax before geomin' "$families/linear/README.md" \
  's/F1 of ([.0-9]+) with an oblique(.*) of ([.0-9]+) with varimax/F1 of \3 with an oblique\2 of \1 with varimax/' \
  'README.md of jobs/linear: F1 with geomin'
# shellcheck disable=SC2016  # of Markdown
changed 'factor analysis before orrery' jobs/linear/results.md 's/^(\| skewed .*\|) 1\.000 \(/\1 0.900 (/' \
  'jobs/linear: skewed `bipartite:60,8,.3`, 3000 rows: varimax, geomin, orrery: not in the order'
changed 'more causes found than recorded' "$noisy_or/quartet/README.md" 's/ to 56[0-9] from 100,000/ to 570 from 100,000/' \
  'quartet/README.md: networks like QMR-DT'
changed 'a tree that is never recovered' jobs/hidden_tree/results.md 's/100 %/99 %/g' \
  'jobs/hidden_tree: q = 0.1: samples with 100 %, samples that suffice: not in the order'
noticed

# In the same tables: another copy.
copied
# shellcheck disable=SC2016  # of Markdown
changed 'another heading' jobs/benchmark/README.md 's/`--paper` \| variational EM \| `--refine none` \| default/default | `--refine none` | `--paper`/' \
  'jobs/benchmark/README.md: no table | set | rows |'
changed 'a cell of sep too many' "$families/categorical/README.md" 's/in 15 of 16 cells/in 16 of 16 cells/' \
  'cells of one parent below sem: "16"'
noticed
finish
