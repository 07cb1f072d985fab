#!/usr/bin/env bash
# infer --given: one row on the command line, of every family that infers; and --explain: which
# findings speak for a cause.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# answers FILE ROW: the row of `infer --json` without its number, in one line.
answers() { python3 -c '
import json, sys
row = json.load(open(sys.argv[1]))["results"][int(sys.argv[2])]
del row["row"]
print(json.dumps(row, sort_keys=True))' "$1" "$2"; }
# same WHAT MODEL DATA ROW GIVEN...: the given row is answered as that of the file.
same() {
  local what=$1 model=$2 data=$3 row=$4
  shift 4
  "$orrery" infer "$model" "$data" --json -q --explain >"$outside/file.json" 2>/dev/null
  "$orrery" infer "$model" "$@" --json -q --explain >"$outside/given.json" 2>"$outside/err" ||
    fail "$what: $(cat "$outside/err")"
  check "$what" test "$(answers "$outside/file.json" "$row")" = "$(answers "$outside/given.json" 0)"
  check "$what: is something" test -n "$(answers "$outside/given.json" 0)"
}

# --- noisy-OR. Row 0 as in inference_says_what_it_knows.sh.
cat >clinic.json <<'END'
{"format": "orrery-network-1",
 "causes": [{"name": "flu", "prior": 0.04}, {"name": "cold", "prior": 0.2}, {"name": "measles", "prior": 0.001}],
 "observed": [{"name": "fever", "leak": 0.01}, {"name": "cough", "leak": 0.05},
              {"name": "ache, of all limbs", "leak": 0.02}, {"name": "rash", "leak": 0}],
 "edges": [[0, 0, 0.2], [0, 1, 0.3], [0, 2, 0.3], [1, 1, 0.4], [1, 2, 0.8], [2, 0, 0.1], [2, 3, 0.1]]}
END
# Rows that have names are called by them.
printf ',fever,cough,"ache, of all limbs",rash\nann,1,1,?,0\nbob,0,0,1,?\n' >named.csv
make import named.csv -o named.h5
accepts 'row 0 (ann): fever, cough' 'row 1 (bob): ache' -- infer clinic.json named.h5
accepts 'row 1 (bob), flu' -- infer clinic.json named.csv --explain 1
accepts '"row_name": "bob"' -- infer clinic.json named.h5 --explain 1 --json
make sample --network con:8 --samples 500 --seed 1 -o con.h5
make learn quartet con.h5 --refine none -o con_model.h5
accepts 'cause0' -- infer con_model.h5 con.h5 --explain 1 --cause 'cause 0'
refuses 2 'no such cause; did you mean' -- infer con_model.h5 con.h5 --explain 1 --cause cuase0
printf 'fever,cough,"ache, of all limbs",rash\n1,1,?,0\n0,0,1,?\n?,?,0,1\n' >ward.csv
make import ward.csv -o ward.h5
accepts 'row 0: fever, cough; 1 not known' '93.8 % flu (4 % in general)' '26.9 % cold' \
  'explanation: flu (71.6 %)' '1 row: 1 exact' -- infer clinic.json --given fever=1,cough=1,rash=0
same 'noisy-OR, digits' clinic.json ward.h5 0 --given fever=1,cough=1,rash=0
same 'noisy-OR, words and blanks' clinic.json ward.h5 0 --given 'cough = Yes, rash=false' --given fever=T
same 'noisy-OR, a name with a comma' clinic.json ward.h5 1 --given '"ache, of all limbs"=1' \
  --given fever=0,cough=0
same 'noisy-OR, the whole field quoted' clinic.json ward.h5 2 --given '"ache, of all limbs=0",rash=1'
printf 'fever=1,cough=1\r\n\r\nrash=0\n' >patient.txt
same 'noisy-OR, a file of values' clinic.json ward.h5 0 --given @patient.txt
accepts '1 row: 0 exact, 1 sampled' -- infer clinic.json --given fever=1,cough=1 --method sample

# By hand: of fever and cough without rash P(flu) = 93.8 %. Without the fever it is
# .04 (1 - .3 .95 q) / (.04 (1 - .3 .95 q) + .96 (1 - .95 q)), q = .8 + .2 .4 = .88: 16.1 %, so the
# fever multiplies the odds by 79.5; without the cough by 4.42 fewer.
accepts 'flu is 93.8 % likely (4 % in general): fever present (odds x 79.5) and cough present' \
  'speak for it; none against it.' 'odds x N: ' -- \
  infer clinic.json --given fever=1,cough=1,rash=0 --explain
accepts 'cold is 26.9 % likely (20 % in general): ' -- \
  infer clinic.json --given fever=1,cough=1,rash=0 --explain --cause cold
check 'only that cause' test "$(grep -c likely "$outside/out")" = 1
accepts 'row 0, flu: 93.8 %' '+4.376 odds x 79.5 fever present' -- \
  infer clinic.json --given fever=1,cough=1,rash=0 --explain 0
accepts 'row 0: fever' 'row 2: rash' 'measles is 100 % likely' 'rash present (odds x' -- \
  infer clinic.json ward.h5 --explain
accepts 'row 0: fever' 'flu is 75.4 % likely' -- infer clinic.json --explain --given fever=1
sed 's/"prior": 0.001/"prior": 0/' clinic.json >never.json
accepts 'warning: --given: row 0: ' 'impossible under this network' '1 row: 0 exact, 1 impossible' -- \
  infer never.json --given rash=1

refuses 2 "no variable 'fevre'" "did you mean 'fever'?" -- infer clinic.json --given fevre=1
refuses 2 "no variable 'zzz'" "it has 'fever', 'cough', 'ache, of all limbs', 'rash'" -- \
  infer clinic.json --given zzz=1
refuses 2 'a value is missing' 'NAME=VALUE' -- infer clinic.json --given fever
refuses 2 'a value is missing' -- infer clinic.json --given fever=,cough=1
refuses 2 "'fever'='maybe'" 'must be 1 or 0' -- infer clinic.json --given fever=maybe
refuses 2 "'fever' stands there twice" -- infer clinic.json --given fever=1 --given fever=0
refuses 2 'a quote does not end' -- infer clinic.json --given '"ache, of all limbs=1'
refuses 2 '--given' 'ward.h5 holds rows too' -- infer clinic.json ward.h5 --given fever=1
refuses 2 'DATA is missing' -- infer clinic.json
refuses 2 '--given' '--checkpoint' -- infer clinic.json --given fever=1 --checkpoint c.h5 -o p.h5
refuses 2 '--explain 1' 'have 1 row;' -- infer clinic.json --given fever=1 --explain 1
refuses 2 "--explain 'x'" -- infer clinic.json ward.h5 --explain=x
refuses 3 none.txt -- infer clinic.json --given @none.txt
refuses 2 'reads this file' -- infer clinic.json --given fever=1 --given @patient.txt -o patient.txt

# --- an anchored network: a union of columns is given by its name, or by theirs.
cat >hiv.json <<'JSON'
{"format": "orrery-anchored-1",
 "causes": [{"name": "hiv"}, {"name": "infection"}],
 "observed": [{"name": "azt;hiv_word", "leak": 0.01}, {"name": "fever", "leak": 0.05},
              {"name": "rash", "leak": 0}],
 "edges": [[0, 0, 0.2], [1, 1, 0.3], [0, 1, 0.8], [1, 2, 0.5]],
 "cause_tables": [{"parents": [], "on": [0.1]}, {"parents": [0], "on": [0.2, 0.6]}],
 "anchors": [{"cause": 0, "observed": 0, "columns": ["azt", "hiv_word"]}]}
JSON
printf 'rash,azt,hiv_word,fever\n0,?,1,1\n0,?,0,?\n1,0,0,0\n' >hiv.csv
make import hiv.csv -o hiv.h5
same 'anchored, by columns' hiv.json hiv.h5 0 --given hiv_word=1,rash=0,fever=1
same 'anchored, by the union' hiv.json hiv.h5 0 --given 'azt;hiv_word=1,rash=0,fever=1'
same 'anchored, one column absent' hiv.json hiv.h5 1 --given hiv_word=0,rash=0
same 'anchored, both absent' hiv.json hiv.h5 2 --given hiv_word=0,azt=0,rash=1,fever=0
accepts 'infection is 70.5 % likely (24 % in general): fever present' -- \
  infer hiv.json --given azt=1,fever=1,rash=0 --explain --cause infection
refuses 2 "'azt;hiv_word' is the union of 'azt', 'hiv_word'" -- \
  infer hiv.json --given 'azt;hiv_word=1,azt=1'

# --- a categorical network. By hand: P(u = 0) = .25; P(yes | u) = .1, .8.
cat >hand.json <<'JSON'
{"format": "orrery-categorical-1",
 "causes": [{"name": "u", "prior": [0.25, 0.75]}],
 "observed": [{"name": "x", "categories": ["no", "yes"], "parents": [0],
               "table": [[0.9, 0.1], [0.2, 0.8]]},
              {"name": "y", "categories": ["a", "b"], "parents": [], "table": [[0.5, 0.5]]}]}
JSON
printf 'y,x\na,yes\nb,no\n,no\n' >hand.csv
make import hand.csv --categorical -o hand.h5
same 'categorical' hand.json hand.h5 0 --given x=yes,y=a
same 'categorical, one missing' hand.json hand.h5 2 --given x=no
accepts 'row 0: x = yes; 1 not known' '96 % u = 1' 'u = 1 is 96 % likely (75 % in general): ' \
  'x = yes (odds x 8) speaks for it; none against it.' -- infer hand.json --given x=yes --explain
accepts 'u = 0 is 4 % likely' 'x = yes (odds x 0.125) speaks against it.' -- \
  infer hand.json hand.h5 --explain 0 --cause u --json
accepts 'row 1, u = 0: 60 %' 'x = no' -- infer hand.json hand.h5 --explain 1
refuses 2 "'x'='yess'" "did you mean 'yes'?" -- infer hand.json --given x=yess
refuses 2 "no variable 'z'" "it has 'x', 'y'" -- infer hand.json --given z=yes
refuses 2 '--cause v' -- infer hand.json --given x=yes --explain --cause v

# --- signs on a tree. By hand: P(x_b = + | y_a = +) = (1 + .8 .6) / 2 = .74.
cat >pair.json <<'JSON'
{"format": "orrery-tree-1", "crossover": 0.1, "variables": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
 "edges": [[0, 1, 0.6], [1, 2, -0.5]], "edge_errors": [0.01, 0.02]}
JSON
printf 'c,b,a\n?,1,1\n0,1,0\n?,?,1\n' >rows.csv
make import rows.csv -o rows.h5
same 'tree' pair.json rows.h5 0 --given a=1,b=1
same 'tree, two not known' pair.json rows.h5 2 --given a=1
accepts 'b on with 74 %, not known' 'b on is 74 % likely (50 % in general): ' \
  'a on (odds x 2.85) speaks for it; none against it.' 'c off is 62 % likely' -- \
  infer pair.json --given a=1 --explain
accepts 'b on with 69.2 %' -- infer pair.json --given a=1 --predict b
refuses 2 "no variable 'd'" -- infer pair.json --given d=1
refuses 2 'must be 1 or 0' -- infer pair.json --given a=+
refuses 3 "there is no sign to explain" -- infer pair.json --given a=1,b=1,c=0 --explain 0
finish
