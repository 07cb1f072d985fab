#!/usr/bin/env bash
# infer with an anchored network: causes that depend on one another, anchors of several columns.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >ward.json <<'JSON'
{"format": "orrery-anchored-1",
 "causes": [{"name": "hiv"}, {"name": "infection"}],
 "observed": [{"name": "azt;hiv_word", "leak": 0.01}, {"name": "fever", "leak": 0.05},
              {"name": "rash", "leak": 0}],
 "edges": [[0, 0, 0.2], [1, 1, 0.3], [0, 1, 0.8], [1, 2, 0.5]],
 "cause_tables": [{"parents": [], "on": [0.1]}, {"parents": [0], "on": [0.2, 0.6]}],
 "anchors": [{"cause": 0, "observed": 0, "columns": ["azt", "hiv_word"]}]}
JSON
# Columns in another order, one that the model has not. In row 0 one of the anchor's columns is
# there; in row 1 one is absent and the other not known: so is the anchor.
printf 'rash,azt,weight,hiv_word,fever\n0,?,1,1,1\n0,?,0,0,?\n1,0,0,0,0\n' >ward.csv
make import ward.csv -o ward.h5

# By hand, row 0: neither .72 * .01 * .05, infection .18 * .01 * .715 * .5, hiv .04 * .802 * .24,
# both .06 * .802 * .772 * .5; together .02727702. Row 1: .72, .18 / 2, .04, .06 / 2, of .88.
# Row 2: infection .0253935, both .00135432.
accepts 'row 0: azt;hiv_word, fever' 'one such row in 36.7' '96.3 %  hiv  (10 % in general)' \
  '70.5 %  infection  (24 % in general)' 'explanation: hiv and infection (68.1 %)' \
  'explanation: hiv (28.2 %)' 'row 1: nothing present; 2 not known' '7.95 %  hiv' \
  '13.6 %  infection' 'explanation: no cause (81.8 %)' 'row 2: rash' '100 %  infection' '5.06 %  hiv' \
  '3 rows: 3 exact' 'warning: ward.h5: columns that ward.json does not have are not used: 1 (weight)' -- \
  infer ward.json ward.h5 --top 2
# What the anchor says of hiv, it says of infections too.
accepts 'row 0, infection: 70.5 %, 24 % in general' 'fever present' 'azt;hiv_word present' \
  'rash absent' -- infer ward.json ward.h5 --explain 0 --cause infection
accepts '3 sampled (posteriors within' '(+-' 'log evidence' -- \
  infer ward.json ward.h5 --method sample
accepts '3 rows: 3 exact' -- infer ward.json ward.h5 --method exact
accepts 'written to p.h5' -- infer ward.json ward.h5 -o p.h5
accepts 'posterior: 3 rows, 2 causes' -- info p.h5
accepts '"posterior":' '"method": "exact"' -- infer ward.json ward.h5 --json

# Rows drawn from it have the union as a column of its own.
make sample --network ward.json --samples 5 -o drawn.h5
accepts '5 rows: 5 exact' -- infer ward.json drawn.h5

# More samples, a smaller error: as 1 / sqrt(N).
error_of() { "$orrery" infer ward.json ward.h5 --method sample --samples "$1" --json 2>/dev/null |
  sed -n 's/.*"largest_error": \([0-9.e-]*\).*/\1/p'; }
check 'errors fall with --samples' awk -v a="$(error_of 1000)" -v b="$(error_of 100000)" \
  'BEGIN { exit !(a > 3 * b && b > 0) }'

# Rows that cannot be.
sed 's/\[0.2, 0.6\]/[0, 0]/' ward.json >never.json
accepts 'warning: ward.h5: row 2: no state of the causes that their network allows' \
  'impossible under this network' '3 rows: 2 exact, 1 impossible' -- infer never.json ward.h5
refuses 3 'row 2: no state of the causes' -- infer never.json ward.h5 --explain 2
sed 's/\[1, 2, 0.5\]/[0, 2, 0.5]/; s/\[0, 0, 0.2\]/[0, 0, 0]/' ward.json >ruled.json
accepts "row 2: 'rash' is present, but nothing can cause it" '2 exact, 1 impossible' -- \
  infer ruled.json ward.h5
sed 's/"fever", "leak": 0.05/"fever", "leak": 1/' ward.json >leaking.json
accepts "row 2: 'fever' is absent, but its leak is 1" -- infer leaking.json ward.h5

# Columns, other families' options, too much to sum.
printf 'rash,azt,fever\n0,1,1\n' >lacks.csv
make import lacks.csv -o lacks.h5
refuses 3 lacks.h5 hiv_word -- infer ward.json lacks.h5
printf 'p,q,r\n0,1,1\n' >others.csv
make import others.csv -o others.h5
refuses 3 others.h5 'none named azt' -- infer ward.json others.h5
# As many columns as variables, all of other names: not taken by position.
sed 's/, "columns": \["azt", "hiv_word"\]//' ward.json >plain.json
refuses 3 others.h5 'matched by name' 'azt;hiv_word' -- infer plain.json others.h5
refuses 2 '--given' 'ward.h5 holds rows too' -- infer ward.json ward.h5 --given rash
refuses 2 '--predict' 'anchored network' -- infer ward.json ward.h5 --predict rash
refuses 2 'no such cause' -- infer ward.json ward.h5 --explain 0 --cause nobody
refuses 2 '--explain 3' 'have 3 rows' -- infer ward.json ward.h5 --explain 3
awk 'BEGIN {
  printf "{\"format\": \"orrery-anchored-1\", \"causes\": ["
  for (c = 0; c < 60; ++c) printf "%s{\"name\": \"c%d\"}", c ? "," : "", c
  printf "], \"observed\": ["
  for (a = 0; a < 60; ++a) printf "%s{\"name\": \"x%d\", \"leak\": 0.05}", a ? "," : "", a
  printf "], \"edges\": ["
  for (c = 0; c < 60; ++c) for (a = 0; a < 60; ++a)
    if ((c * 13 + a * 7) % 3) printf "%s[%d,%d,0.%d]", n++ ? "," : "", c, a, 3 + (c + a) % 7
  printf "], \"cause_tables\": ["
  for (c = 0; c < 60; ++c)
    if (c) printf ",{\"parents\": [%d], \"on\": [0.05, 0.3]}", c - 1; else printf "{\"parents\": [], \"on\": [0.1]}"
  print "], \"anchors\": []}"
}' >wide.json
awk 'BEGIN {
  for (a = 0; a < 60; ++a) printf "x%d%s", a, a < 59 ? "," : "\n"
  for (r = 0; r < 2; ++r) for (a = 0; a < 60; ++a) printf "%d%s", r ? a % 2 : a < 2, a < 59 ? "," : "\n"
}' >wide.csv
make import wide.csv -o wide.h5
refuses 3 '--method exact: row 1 has 30 positive findings that tie 60 causes together' \
  '--method auto' -- infer wide.json wide.h5 --method exact
accepts '2 rows: 1 exact, 1 sampled' -- infer wide.json wide.h5
# The same for any number of threads.
make infer wide.json wide.h5 --threads 1 -o one.h5
make infer wide.json wide.h5 --threads 3 -o three.h5
if command -v h5diff >/dev/null; then
  check 'threads change nothing' h5diff one.h5 three.h5 /posterior
fi
finish
