#!/usr/bin/env bash
# learn sem, evaluate and infer of categorical networks: what they find, what they refuse and name;
# the same bytes for any split and after a stop.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network categorical:1,2,20 --samples 1000 --seed 4 -o data.h5
make sample --network data.h5 --samples 400 --seed 5 -o new.h5

# --- learn
accepts '2 causes of 20 variables' '20 edges' 'cheeseman-stutz' -- learn sem data.h5 --causes 2 -o model.h5
accepts 'differ in 0 edges' '20 of 20 variables' 'true network -' 'independent variables -' -- \
  evaluate model.h5 --truth data.h5 --data new.h5
accepts 'that the model was learned from' -- evaluate model.h5 --data data.h5
accepts '20 edges' '(bic)' -- learn sem data.h5 --causes 2 --score bic -o bic.h5
# A cause that nothing needs loses all its variables, and that is said.
accepts 'no variable depends on' -- learn sem data.h5 --causes 3 --score bic -o three.h5
accepts 'still rising after 1 passes' '--iterations' -- learn sem data.h5 --causes 2 --iterations 1 -o short.h5

refuses 2 '--causes K is missing' -- learn sem data.h5 -o none.h5
refuses 2 '--causes 0' -- learn sem data.h5 --causes 0 -o none.h5
refuses 3 'data.h5' '--causes 21 of 20 columns' -- learn sem data.h5 --causes 21 -o none.h5
refuses 3 'data.h5' '131072 joint states' '65536' 'learn sep' -- learn sem data.h5 --causes 17 -o none.h5
refuses 2 '--score aic' 'bic' -- learn sem data.h5 --causes 2 --score aic -o none.h5
refuses 2 '--alpha 0' -- learn sem data.h5 --causes 2 --alpha 0 -o none.h5
refuses 2 '--cardinality 1' -- learn sem data.h5 --causes 2 --cardinality 1 -o none.h5
refuses 2 '--restarts 0' -- learn sem data.h5 --causes 2 --restarts 0 -o none.h5
refuses 2 '--start full' -- learn sem data.h5 --causes 2 --start full -o none.h5
refuses 2 '--tolerance -1' -- learn sem data.h5 --causes 2 --tolerance=-1 -o none.h5
refuses 2 '--memory' 'joint states' -- learn sem data.h5 --causes 15 --memory 50MB -o none.h5
make sample --network bars:4 --samples 100 -o bits.h5
refuses 3 'bits.h5' 'categor' -- learn sem bits.h5 --causes 2 -o none.h5

printf 'a,b,c\nyes,low,x\nno,high,x\nno,low,x\n' >constant.csv
printf 'a,yes,no\nb,low,high\nc,x,y\n' >lists.csv
make import constant.csv --categorical --categories lists.csv -o constant.h5
refuses 3 'constant.h5' "'c'" 'same value' -- learn sem constant.h5 --causes 1 -o none.h5
printf 'a,b\nyes,low\nno,high\n,\nno,low\n' >gap.csv
if "$orrery" import gap.csv --categorical -o gap.h5 -q >/dev/null 2>&1; then
  refuses 3 'gap.h5' 'row 2' 'no value' -- learn sem gap.h5 --causes 1 -o none.h5
fi

# --- infer
"$orrery" infer model.h5 new.h5 --min-posterior 0 -o posterior.h5 -q
accepts '400 rows' '4 causes' -- info posterior.h5
accepts 'row 9: ' '... and 390 more: add -o FILE' '10 rows: 10 exact' -- infer model.h5 new.h5
refuses 2 '--method' 'a categorical network' -- infer model.h5 new.h5 --method sample -o x.h5
accepts 'row 399, ' 'log odds' -- infer model.h5 new.h5 --explain 399
refuses 2 '--explain 400' 'have 400 rows' -- infer model.h5 new.h5 --explain 400
refuses 2 '--top 1001' -- infer model.h5 new.h5 --top 1001 -o x.h5
refuses 2 '--min-posterior 2' -- infer model.h5 new.h5 --min-posterior 2 -o x.h5

# By hand: P(u = 0) = .25; P(yes | u) = .1, .8. Of yes, P(u = 0) = .025 / (.025 + .6) = 4 %, and
# half of such rows have y = a: one in 3.2.
cat >hand.json <<'JSON'
{"format": "orrery-categorical-1",
 "causes": [{"name": "u", "prior": [0.25, 0.75]}],
 "observed": [{"name": "x", "categories": ["no", "yes"], "parents": [0],
               "table": [[0.9, 0.1], [0.2, 0.8]]},
              {"name": "y", "categories": ["a", "b"], "parents": [], "table": [[0.5, 0.5]]}]}
JSON
printf 'y,x\na,yes\nb,no\n' >hand.csv
make import hand.csv --categorical -o hand.h5
accepts 'row 0: x = yes, y = a' 'one such row in 3.2' '96 %  u = 1' '4 %  u = 0' \
  'row 1: x = no, y = b' '60 %  u = 0' -- infer hand.json hand.h5
printf 'x,y\nyes,a\nno,b\nmaybe,a\n' >unseen.csv
make import unseen.csv --categorical -o unseen.h5
for command in 'infer hand.json unseen.h5' 'evaluate hand.json --data unseen.h5'; do
  # shellcheck disable=SC2086  # words
  refuses 3 'unseen.h5' 'row 2' '"x"' '"maybe"' 'declare it missing' -- $command
done
printf 'z,y\nyes,a\nno,b\n' >renamed.csv
make import renamed.csv --categorical -o renamed.h5
refuses 3 'renamed.h5' 'no column is named "x"' -- infer hand.json renamed.h5
printf 'x,y,z\nyes,a,1\nno,b,2\n' >wider.csv
make import wider.csv --categorical -o wider.h5
accepts 'wider.h5: columns that the model does not have are not used: "z"' -- infer hand.json wider.h5
refuses 3 'hand.json' "learned network lacks 'x'" -- evaluate model.h5 --truth hand.json
refuses 2 '--triples' -- evaluate model.h5 --data new.h5 --triples 5

# --- any split, and a stop in the middle
command -v h5diff >/dev/null || { echo 'without h5diff (hdf5-tools): bytes are not compared'; finish; }
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"
learn=(learn sem data.h5 --causes 3 --cardinality 3 --restarts 20 --iterations 40)
make "${learn[@]}" --threads 1 -o expected.h5
make "${learn[@]}" --threads 2 -o split.h5
check 'threads: the same bytes' same_data split.h5 expected.h5
for ranks in 2 3; do
  [[ -n ${ORRERY_MPIRUN:-} ]] || break
  "$ORRERY_MPIRUN" --oversubscribe -np $ranks "$orrery" "${learn[@]}" --threads 1 -q -o split.h5 \
    >"$outside/all" 2>&1 || fail "$ranks ranks: $(cat "$outside/all")"
  check "$ranks ranks: the same bytes" same_data split.h5 expected.h5
done
make learn sem data.h5 --causes 3 --cardinality 3 --restarts 1 --iterations 40 --seed 9 -o other.h5
check 'another seed is seen' test "$(same_data other.h5 expected.h5; echo $?)" != 0

learn+=(-o stopped.h5)
stops=0
for seconds in .2 .3 .4; do
  stop TERM $seconds
  check 'a stopped run ends with 75, or is done' test $code = 75 -o $code = 0
  ((code == 0)) && break
  stops=$((stops + 1))
  check 'no model yet' test ! -e stopped.h5
done
check 'the run is long enough to be stopped' test $stops -ge 1
if [[ -e c.h5 ]]; then
  refuses 3 'c.h5' '--alpha' -- "${learn[@]}" --alpha 2 --checkpoint c.h5 --resume
  accepts -- "${learn[@]}" --threads 2 --checkpoint c.h5 --resume
fi
check 'after stops: the same bytes' same_data stopped.h5 expected.h5
finish
