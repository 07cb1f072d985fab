#!/usr/bin/env bash
# Known networks against rows, small: where causes depend on one another, estimators that know it are
# nearer to the truth than Eq. (7); more rows find more edges; rates come back where rows leave no doubt.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

for mode in loadings graphs noise; do
  check "$mode run" "$jobs/anchored/recovery" "$mode" --quick --seeds 1 small
done
# Two numbers of rows; loadings: 4 + 6 + 4 learners, each with two sets of edges; graphs: 7 of each of the three.
check 'every run of loadings has a line' test "$(wc -l <small/loadings.csv)" = $((1 + 2 * 2 * 14))
check 'every run of graphs has a line' test "$(wc -l <small/graphs.csv)" = $((1 + 2 * 3 * 7))
check 'every run of noise has a line' test "$(wc -l <small/noise.csv)" = $((1 + 2 * 3 * 4))
check 'every line has all its columns' awk -F, 'NF != 19 { exit 1 }' small/loadings.csv small/graphs.csv \
  small/noise.csv
for mode in loadings graphs noise; do
  check "the table of $mode has all columns" awk -F'|' 'NR == 1 { n = NF } NF != n { exit 1 }' "small/$mode.md"
done

# value MODE NETWORK ROWS VARIANT COLUMN: of significant edges.
value() {
  awk -F, -v key="$2,$3,$4" -v column="$5" \
    '$1 "," $2 "," $4 == key && $5 == "significant" { print $column }' "small/$1.csv"
}
# below A B: a number that is less than another.
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'; }
tree='anchored:tree:6;36'
for estimator in tree matched; do
  check "of a tree, $estimator is nearer than direct" below "$(value loadings "$tree" 10000 "tree/$estimator" 6)" \
    "$(value loadings "$tree" 10000 tree/direct 6)"
done
check 'more rows are nearer' below "$(value loadings "$tree" 10000 tree/tree 6)" \
  "$(value loadings "$tree" 1000 tree/tree 6)"
check 'of independent causes, direct and matched are one' test \
  "$(value loadings 'anchored:independent:6;36' 10000 independent/direct 6)" = \
  "$(value loadings 'anchored:independent:6;36' 10000 independent/matched 6)"
graph='anchored:indegree:2;12;36'
check 'more rows find more edges' below "$(value graphs "$graph" 1000 indegree:2 12)" \
  "$(value graphs "$graph" 10000 indegree:2 12)"
check 'rows behind noisy anchors, counted as rows of causes, find edges that are none' below \
  "$(value graphs "$graph" 1000 indegree:2-all 13)" "$(value graphs "$graph" 1000 indegree:2 13)"
check 'rates that are found are nearer than a wrong assumption' below \
  "$(value noise 'anchored:tree:10;60' 10000 mutually-irreducible 18)" "$(value noise 'anchored:tree:10;60' 10000 positive-only 18)"

cp small/graphs.csv kept.csv
sed -i 's/^anchored/planted/' small/recovery/graphs_*_1000_1.csv
rm small/recovery/graphs_*_10000_1.csv
check 'it goes on' "$jobs/anchored/recovery" graphs --quick --seeds 1 small
check 'with what is there' test "$(grep -c ^planted small/graphs.csv)" = 21
# But for the seconds, the 16th.
check 'a run again gives the same' cmp <(grep ',10000,' kept.csv | cut -d, -f1-15) \
  <(grep ',10000,' small/graphs.csv | cut -d, -f1-15)
refuses 2 usage -- "$jobs/anchored/recovery" everything other
refuses 2 usage -- "$jobs/anchored/recovery" graphs --huge other
check 'a wrong option writes nothing' test ! -e other
refuses 4 'nowhere is not there' -- env ORRERY=nowhere "$jobs/anchored/recovery" graphs other
refuses 4 'is not there' -- env REAL_DATA="$PWD/none" "$jobs/anchored/words" --held-out other
refuses 2 'jobs/anchored/words [--held-out]' -- "$jobs/anchored/words" --huge other
finish
