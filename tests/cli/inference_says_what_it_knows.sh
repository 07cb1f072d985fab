#!/usr/bin/env bash
# infer: rows on the screen, columns by name, contradictions, what an exact sum would cost.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >clinic.json <<'END'
{"format": "orrery-network-1",
 "causes": [{"name": "flu", "prior": 0.04}, {"name": "cold", "prior": 0.2}, {"name": "measles", "prior": 0.001}],
 "observed": [{"name": "fever", "leak": 0.01}, {"name": "cough", "leak": 0.05},
              {"name": "ache", "leak": 0.02}, {"name": "rash", "leak": 0}],
 "edges": [[0, 0, 0.2], [0, 1, 0.3], [0, 2, 0.3], [1, 1, 0.4], [1, 2, 0.8], [2, 0, 0.1], [2, 3, 0.1]]}
END
# Columns in another order than the model's, one that it has not, one value missing.
printf 'rash,fever,weight,cough,ache\n0,1,1,1,?\n0,0,0,0,0\n1,1,0,1,1\n' >ward.csv
make import ward.csv -o ward.h5

# By hand: only flu and cold matter in row 0 (measles without rash: .001 * .1).
accepts 'row 0: fever, cough; 1 not known' '93.8 %  flu  (4 % in general)' '26.9 %  cold' \
  'explanation: flu (71.6 %)' 'explanation: flu and cold (22.2 %)' 'row 1: nothing present' \
  '100 %  measles' '3 rows: 3 exact' \
  'warning: ward.h5: columns that clinic.json does not have are not used: 1 (weight)' -- \
  infer clinic.json ward.h5 --top 2
accepts 'row 0, flu: 93.8 %, 4 % in general' '+4.376  odds x 79.5      fever present' -- \
  infer clinic.json ward.h5 --explain 0
accepts 'row 2, cold:' -- infer clinic.json ward.h5 --explain 2 --cause cold
check 'only that cause' test "$(grep -c '^row' "$outside/out")" = 1
accepts '2 sampled' '(+-' -- infer clinic.json ward.h5 --method sample
accepts 'written to p.h5' -- infer clinic.json ward.h5 -o p.h5
accepts 'posterior: 3 rows, 3 causes' -- info p.h5

# Columns.
printf 'fever,cough,pain\n1,1,0\n' >other.csv
make import other.csv -o other.h5
refuses 3 other.h5 'of the 4 variables of clinic.json' 'lack 2 (ache, rash)' 'others: 1 (pain)' \
  'matched by name' -- infer clinic.json other.h5

# A rash without measles cannot be; the other rows can.
sed 's/"measles", "prior": 0.001/"measles", "prior": 0/' clinic.json >never.json
accepts "warning: ward.h5: row 2: 'rash' is present, but nothing can cause it" 'row 2: ' \
  'impossible under this network' '3 rows: 2 exact, 1 impossible' -- infer never.json ward.h5
refuses 3 "row 2: 'rash' is present" -- infer never.json ward.h5 --explain 2
sed 's/"flu", "prior": 0.04/"flu", "prior": 1/; s/\[0, 0, 0.2\]/[0, 0, 0]/' clinic.json >always.json
accepts "row 1: 'fever' is absent, but 'flu' has prior 1 and never fails to cause it" -- \
  infer always.json ward.h5

# Sixty findings of two hundred causes.
awk 'BEGIN {
  printf "{\"format\": \"orrery-network-1\", \"causes\": ["
  for (c = 0; c < 200; ++c) printf "%s{\"name\": \"c%d\", \"prior\": 0.01}", c ? "," : "", c
  printf "], \"observed\": ["
  for (a = 0; a < 60; ++a) printf "%s{\"name\": \"x%d\", \"leak\": 0.05}", a ? "," : "", a
  printf "], \"edges\": ["
  for (c = 0; c < 200; ++c) for (a = c % 7; a < 60; a += 7 + c % 5)
    printf "%s[%d,%d,0.%d]", c + a ? "," : "", c, a, 1 + (c * 13 + a * 7) % 9
  print "]}"
}' >wide.json
awk 'BEGIN {
  for (a = 0; a < 60; ++a) printf "x%d%s", a, a < 59 ? "," : "\n"
  for (r = 0; r < 2; ++r) for (a = 0; a < 60; ++a) printf "%d%s", r || a < 4, a < 59 ? "," : "\n"
}' >wide.csv
make import wide.csv -o wide.h5
refuses 3 '--method exact: row 1 has 60 positive findings that 200 causes connect' operations \
  '--method auto' -- infer wide.json wide.h5 --method exact
accepts '2 rows: 1 exact, 1 sampled' -- infer wide.json wide.h5

# The command line.
make sample --network img --samples 100 -o img.h5
accepts 'row 9: ' '... and 90 more: add -o FILE' '10 rows: 10 exact' -- infer img img.h5
refuses 2 '--method guess' -- infer img img.h5 --method guess -o p.h5
refuses 2 '--top 101' -- infer img img.h5 --top 101 -o p.h5
refuses 2 '--samples 10' -- infer img img.h5 --samples 10 -o p.h5
refuses 2 '--min-posterior 2' -- infer img img.h5 --min-posterior 2 -o p.h5
refuses 2 '--explain 100' 'have 100 rows' -- infer img img.h5 --explain 100
refuses 2 '--cause' '--explain' -- infer img img.h5 --cause circle -o p.h5
refuses 2 'no such cause' -- infer img img.h5 --explain 1 --cause nobody
refuses 2 'leave out -o' -- infer img img.h5 --explain 1 -o p.h5
refuses 2 'reads this file' -- infer clinic.json ward.h5 -o ward.h5
refuses 2 'reads this file' -- infer clinic.json ward.h5 -o clinic.json
finish
