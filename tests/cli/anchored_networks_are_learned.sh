#!/usr/bin/env bash
# learn anchored: from anchors, their rates given or found; what it refuses, and names.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network anchored:tree:4,24 --samples 20000 --labels labels.h5 -o data.h5
make export data.h5 --format anchors -o anchors.csv
cut -d, -f1,2 anchors.csv >names.csv

# Exact moments give the truth back.
accepts '4 causes of 24' -- learn anchored --moments data.h5 --anchors anchors.csv -o exact.h5
"$orrery" evaluate exact.h5 --truth data.h5 --json -q >exact.json
check 'from exact moments the graph is found' grep -Eq '"f1": ?1(\.0)?[,}]' exact.json

accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv -o model.h5
accepts '4 anchors, learned by anchored' -- info model.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors names.csv --labels labels.h5 -o by_labels.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --structure indegree:2 --loadings blanket -o graph.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --structure independent -o alone.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --structure degree:1 --polytope marginal --integer-program cbc -o degree.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --polytope local+cycles -o cycles.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --labels labels.h5 --method oracle-likelihood -o likelihood.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --labels labels.h5 --method oracle-moments -o oracle.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors anchors.csv --method imputation -o imputed.h5
accepts '4 causes of 24' '2 steps of EM' -- learn anchored data.h5 --anchors anchors.csv --em 2 -o em.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors names.csv --positive-only -o positive.h5
accepts '4 causes of 24' -- learn anchored data.h5 --anchors names.csv --mutually-irreducible -o irreducible.h5
accepts 'mutually irreducible' -- info irreducible.h5 --json

# Where every anchor is a sure sign, moments of one distribution are no further from the truth than
# tables of pairs; with a gap of 0.005 nats for any number of rows they were eleven times as far.
make sample --network anchored:tree:6,12 --seed 3 --samples 5000 -o sure.h5
make export sure.h5 --format anchors -o sure.csv
for polytope in simplex marginal; do
  make learn anchored sure.h5 --anchors sure.csv --polytope "$polytope" --integer-program cbc -o "$polytope.h5"
  "$orrery" evaluate "$polytope.h5" --truth sure.h5 --json -q >"$polytope.json"
done
check 'the marginal polytope is as near to the truth as the simplex' \
  awk -F'[:,]' '/"kl_from_truth"/ { kl[FILENAME] = $2 } END { exit !(kl["marginal.json"] < 1.2 * kl["simplex.json"]) }' \
  simplex.json marginal.json

# A union takes the place of its columns, and a second anchor tells the noise of the first.
{ echo 'cause,column,off,on' && echo 'y0,x0;x1,.1,.9' && tail -n +3 anchors.csv; } >union.csv
"$orrery" learn anchored data.h5 --anchors union.csv -q -o union.h5
make export union.h5 --format csv -o union_edges.csv
check 'a union is one variable' test "$(grep -c 'x0;x1' union_edges.csv)" -ge 1

# Two anchors of each cause tell the noise of both; one alone tells none.
cat >pairs.json <<'NETWORK'
{"format": "orrery-anchored-1",
 "causes": [{"name": "u", "prior": 0.3}, {"name": "v", "prior": 0.32}],
 "observed": [{"name": "a", "leak": 0.05}, {"name": "b", "leak": 0.1}, {"name": "c", "leak": 0.02},
              {"name": "d", "leak": 0.1}, {"name": "e", "leak": 0.05}],
 "cause_tables": [{"parents": [], "on": [0.3]}, {"parents": [0], "on": [0.2, 0.6]}],
 "anchors": [{"cause": 0, "observed": 0}, {"cause": 1, "observed": 2}],
 "edges": [[0, 0, 0.3], [0, 1, 0.5], [1, 2, 0.4], [0, 3, 0.7], [1, 3, 0.6], [1, 4, 0.5]]}
NETWORK
printf '%s\n' cause,column u,a u,b v,c v,e >pairs.csv
accepts '2 causes of 5' -- learn anchored --moments pairs.json --anchors pairs.csv -o pairs.h5
check 'exact third views agree' test "$(grep -c 'third views disagree' "$outside/all")" = 0
make export pairs.h5 --format anchors -o pair_rates.csv
check 'rates of pairs are found' awk -F, 'NR == 1 { next }
  { split($2 == "a" ? ".05 .715" : $2 == "b" ? ".1 .55" : $2 == "c" ? ".02 .608" : ".05 .525", t, " ")
    if (($3 - t[1]) ^ 2 > 1e-12 || ($4 - t[2]) ^ 2 > 1e-12) exit 1; ++n }
  END { exit n != 4 }' pair_rates.csv
make sample --network pairs.json --samples 40000 -o pairs_data.h5
accepts '2 causes of 5' -- learn anchored pairs_data.h5 --anchors pairs.csv -o pairs_model.h5
printf '%s\n' cause,column u,a u,b v,c >lone.csv
refuses 3 "anchor 'c' of 'v'" 'a second anchor' -- learn anchored pairs_data.h5 --anchors lone.csv -o no.h5

# What is wrong with anchors: file, line, column, and what to do.
bad() {  # NAME LINE...: a table of anchors
  printf '%s\n' "${@:2}" >"$1.csv"
}
given=$(tail -n +3 anchors.csv)
bad missing 'cause,column,off,on' 'y0,nothing,.1,.9' "$given"
refuses 3 'missing.csv: line 2' "no column 'nothing'" -- learn anchored data.h5 --anchors missing.csv -o no.h5
bad twice 'cause,column,off,on' 'y0,a1,.1,.9' "$given"
refuses 3 'twice.csv: line 3' "column 'a1' is used in line 2" -- learn anchored data.h5 --anchors twice.csv -o no.h5
bad equal 'cause,column,off,on' 'y0,a0,.5,.5' "$given"
refuses 3 'equal.csv: line 2' 'both 0.5' -- learn anchored data.h5 --anchors equal.csv -o no.h5
bad range 'cause,column,off,on' 'y0,a0,.1,1.5' "$given"
refuses 3 'range.csv: line 2' "on is '1.5'" -- learn anchored data.h5 --anchors range.csv -o no.h5
bad reversed 'cause,column,off,on' 'y0,a0,.9,.1' "$given"
refuses 3 'reversed.csv: line 2' 'complement the column' -- learn anchored data.h5 --anchors reversed.csv -o no.h5
bad unlikely 'cause,column,off,on' 'y0,a0,.97,.99' "$given"
refuses 3 "anchor 'a0' of 'y0'" 'correct the rates' -- learn anchored data.h5 --anchors unlikely.csv -o no.h5
bad width 'y0,a0,.1'
refuses 3 'width.csv: line 1' '3 columns' -- learn anchored data.h5 --anchors width.csv -o no.h5
bad nobody 'cause,column'
refuses 3 'nobody.csv' 'a header and no row' -- learn anchored data.h5 --anchors nobody.csv -o no.h5
refuses 3 'noise of anchor' 'is not known' '--positive-only' -- learn anchored data.h5 --anchors names.csv -o no.h5
refuses 3 'absent.csv' -- learn anchored data.h5 --anchors absent.csv -o no.h5

# What the command reads is not written over; counts of pairs are of no use to it.
refuses 2 '-o anchors.csv' 'reads this file' -- learn anchored data.h5 --anchors anchors.csv -o anchors.csv
refuses 2 '-o labels.h5' 'reads this file' -- learn anchored data.h5 --anchors names.csv --labels labels.h5 -o labels.h5
make moments data.h5 -o counts.h5
refuses 2 '--moments' 'leave it out' -- learn anchored data.h5 --moments counts.h5 --anchors anchors.csv -o no.h5

# Columns that tell nothing.
awk 'BEGIN { srand(5); print "a,b,c,d"
  for (i = 0; i < 2000; ++i) { h = rand() < .3; print (h ? rand() < .8 : rand() < .1) "," (h ? rand() < .7 : rand() < .1) "," 1 "," (rand() < .5) } }' >odd.csv
make import odd.csv -o odd.h5
bad constant 'y,c,.1,.9'
refuses 3 "anchor 'c' of 'y'" 'on in every row' -- learn anchored odd.h5 --anchors constant.csv -o no.h5
bad alone 'y,d,.1,.9'
refuses 3 "anchor 'd' of 'y'" 'independent of every other column' -- learn anchored odd.h5 --anchors alone.csv -o no.h5
awk -F, -v OFS=, 'NR == 3 { $2 = "NA" } { print }' odd.csv >gap.csv
make import gap.csv -o gap.h5
bad fine 'y,a,.1,.8'
refuses 3 'gap.h5: row 2' "column 'b'" 'is missing' '--drop' -- learn anchored gap.h5 --anchors fine.csv -o no.h5

# Labels.
bad few 'cause,column,off,on' "$(sed -n 2p anchors.csv)"
make sample --network anchored:tree:4,24 --samples 500 --labels few_labels.h5 -o few.h5
refuses 3 'few_labels.h5: 500 rows of labels' '20000' -- learn anchored data.h5 --anchors names.csv --labels few_labels.h5 -o no.h5
sed 's/^y0,/z0,/' names.csv >other.csv
refuses 3 'labels.h5' "no column 'z0'" -- learn anchored data.h5 --anchors other.csv --labels labels.h5 -o no.h5
sed -E 's/^(y0,a0),.*/\1,.3,.4/' anchors.csv >wrong.csv
refuses 3 'labels.h5' "anchor 'a0' of 'y0'" 'the table of anchors has' -- learn anchored data.h5 --anchors wrong.csv --labels labels.h5 -o no.h5
make sample --network anchored:tree:4,24 --samples 20000 --labels half.h5 --label-share .5 -o again.h5
refuses 3 'half.h5: row' 'not labelled' -- learn anchored again.h5 --anchors anchors.csv --labels half.h5 --method oracle-moments -o no.h5
accepts '4 causes of 24' -- learn anchored again.h5 --anchors names.csv --labels half.h5 -o by_half.h5

# Files that end too soon.
half() { head -c "$(($(stat -c %s "$1") / 2))" "$1"; }
half data.h5 >cut.h5
refuses 3 'cut.h5' -- learn anchored cut.h5 --anchors anchors.csv -o no.h5
half labels.h5 >cut_labels.h5
refuses 3 'cut_labels.h5' -- learn anchored data.h5 --anchors names.csv --labels cut_labels.h5 -o no.h5
: >empty.h5
refuses 3 'empty.h5' -- learn anchored empty.h5 --anchors anchors.csv -o no.h5
refuses 3 'empty.h5' -- learn anchored data.h5 --anchors names.csv --labels empty.h5 -o no.h5
# At every 1/16 of its length, in the middle of whatever is there.
for part in {1..15}; do
  head -c "$(($(stat -c %s labels.h5) * part / 16))" labels.h5 >part.h5
  refuses 3 'part.h5' -- learn anchored data.h5 --anchors names.csv --labels part.h5 -o no.h5
done

# Two causes that are one.
awk 'BEGIN { srand(9); print "a,b,c,d,e"
  for (i = 0; i < 20000; ++i) { h = rand() < .3; print h "," h "," (h ? rand() < .7 : rand() < .1) "," (h ? rand() < .6 : rand() < .2) "," (rand() < .5) } }' >same.csv
make import same.csv -o same.h5
bad one 'u,a,0,1' 'v,b,0,1'
refuses 3 "causes 'u' and 'v'" 'without exception' 'make them one cause' -- learn anchored same.h5 --anchors one.csv -o no.h5

# Options.
refuses 2 '--anchors FILE is needed' -- learn anchored data.h5 -o no.h5
refuses 2 '--structure indegree:9' -- learn anchored data.h5 --anchors anchors.csv --structure indegree:9 -o no.h5
refuses 2 '--structure-rows some' -- learn anchored data.h5 --anchors anchors.csv --structure-rows some -o no.h5
refuses 2 '--polytope ball' -- learn anchored data.h5 --anchors anchors.csv --polytope ball -o no.h5
refuses 2 '--loadings tree' -- learn anchored data.h5 --anchors anchors.csv --loadings tree --structure indegree:2 -o no.h5
refuses 2 '--method oracle-moments' '--labels' -- learn anchored data.h5 --anchors anchors.csv --method oracle-moments -o no.h5
refuses 2 'exact moments have no rows' -- learn anchored --moments data.h5 --anchors anchors.csv --em 3 -o no.h5
refuses 2 'exact moments have no rows' -- learn anchored --moments data.h5 --anchors anchors.csv --mutually-irreducible -o no.h5
refuses 2 'give one of them' -- learn anchored data.h5 --anchors names.csv --positive-only --mutually-irreducible -o no.h5
refuses 3 'model of another family' -- learn anchored --moments tree:chain:4 --anchors anchors.csv -o no.h5
finish
