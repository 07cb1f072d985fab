#!/usr/bin/env bash
# A model and data are brought together by the names of the columns, in every command and family:
# another order of the columns changes no digit, a column that the model lacks is left out with a
# word, and data of other variables are refused.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# backwards TABLE: its columns from the last to the first.
backwards() {
  awk -F, -v OFS=, '{ for (c = NF; c > 0; --c) printf "%s%s", $c, (c > 1 ? OFS : "\n") }' "$1"
}
# tables NAME OPTION...: NAME.csv as it is (NAME.h5), with its columns backwards, with one more, and
# with names of which the model knows none.
tables() {
  local name=$1
  shift
  backwards "$name.csv" >backwards.csv
  sed -e '1s/$/,more/' -e '2~2s/$/,1/' -e '3~2s/$/,0/' "$name.csv" >more.csv
  sed '1s/[^,]*/other_&/g' "$name.csv" >other.csv
  make import "$name.csv" "$@" -o "$name.h5"
  make import backwards.csv "$@" -o "${name}_backwards.h5"
  make import more.csv "$@" -o "${name}_more.h5"
  make import other.csv "$@" -o "${name}_other.h5"
}
# judged MODEL NAME OPTION...: the model against NAME.h5 and the tables made of it. With --json every
# figure has all its digits.
judged() {
  local model=$1 name=$2
  shift 2
  accepts -- evaluate "$model" --data "$name.h5" --json "$@"
  cp "$outside/out" "$outside/expected"
  accepts -- evaluate "$model" --data "${name}_backwards.h5" --json "$@"
  check "$model, $name: the same digits with the columns backwards" \
    diff "$outside/expected" "$outside/out"
  accepts "${name}_more.h5: columns that" 'does not have are not used' more -- \
    evaluate "$model" --data "${name}_more.h5" --json "$@"
  check "$model, $name: said once" test "$(grep -c 'are not used' "$outside/err")" = 1
  check "$model, $name: the same digits with one more column" diff "$outside/expected" "$outside/out"
  refuses 3 "${name}_other.h5" 'matched by name' -- evaluate "$model" --data "${name}_other.h5" "$@"
}

# A noisy-OR network.
make_table 300 >bits.csv
tables bits
make_table 400 >train.csv
make import train.csv -o train.h5
make learn quartet train.h5 -o model.h5
judged model.h5 bits --triples 0
judged model.h5 bits --train bits_backwards.h5
refuses 3 bits_other.h5 'matched by name' -- evaluate model.h5 --data bits.h5 --train bits_other.h5
refuses 3 bits_other.h5 'matched by name' -- report model.h5 --data bits_other.h5 -o page.html
accepts -- report model.h5 --data bits.h5 -o page.html
accepts -- report model.h5 --data bits_backwards.h5 -o page_backwards.html
check 'the same page but for the order of names' \
  diff <(grep -oE 'nats[^<]*' page.html) <(grep -oE 'nats[^<]*' page_backwards.html)

# Known parts.
refuses 3 bits_other.h5 'matched by name' -- \
  learn quartet bits_other.h5 --structure model.h5 -o out.h5
refuses 3 bits_other.h5 'matched by name' -- learn quartet bits_other.h5 --start model.h5 -o out.h5
refuses 3 bits_other.h5 'matched by name' 'have no data out of model.h5' -- \
  params bits_other.h5 --structure model.h5 -o out.h5
check 'an empty column teaches nothing' bash -c "! grep -qE 'empty|missing' '$outside/err'"
refuses 3 bits_other.h5 'import needs a value in one row' -- infer model.h5 bits_other.h5 -o out.h5
accepts 'no known cause has edges' -- \
  learn quartet bits_more.h5 --start model.h5 --max-depth 0 -o started.h5

# Signs on a tree.
make learn tree train.h5 --crossover 0 --marginals free -o tree.h5
judged tree.h5 bits --train bits_backwards.h5

# Numbers.
awk -v OFS=, 'BEGIN {
  srand(3)
  print "pulse,pressure,weight,height"
  for (i = 0; i < 50; ++i) print rand(), rand(), rand(), rand()
}' >numbers.csv
tables numbers --numeric
cat >linear.json <<'END'
{"format": "orrery-linear-1", "law": "gaussian",
 "observed": [{"name": "weight", "mean": 0.5, "noise": 0.1}, {"name": "pulse", "mean": 0.4, "noise": 0.2},
              {"name": "pressure", "mean": 0.6, "noise": 0.3}, {"name": "height", "noise": 0.4}],
 "causes": [{"name": "age"}], "edges": [[0, 0, 0.3], [0, 1, -0.2], [0, 2, 0.1], [0, 3, 0.2]]}
END
judged linear.json numbers

# Anchored causes, and labels of them.
cat >ward.json <<'END'
{"format": "orrery-anchored-1", "causes": [{"name": "flu"}, {"name": "gout"}],
 "observed": [{"name": "eve", "leak": 0.1}, {"name": "ann", "leak": 0.1}, {"name": "bob", "leak": 0.2},
              {"name": "cat", "leak": 0.1}, {"name": "dan", "leak": 0.1}, {"name": "fay", "leak": 0.1},
              {"name": "gus", "leak": 0.3}, {"name": "hal", "leak": 0.1}],
 "edges": [[0, 1, 0.3], [0, 2, 0.4], [0, 3, 0.2], [0, 4, 0.3], [1, 0, 0.2], [1, 5, 0.3], [1, 6, 0.4],
           [1, 7, 0.3]],
 "cause_tables": [{"parents": [], "on": [0.4]}, {"parents": [0], "on": [0.2, 0.4]}],
 "anchors": [{"cause": 0, "observed": 1}, {"cause": 1, "observed": 0}]}
END
judged ward.json bits
awk -F, -v OFS=, 'NR == 1 { print "flu,gout" } NR > 1 { print $1, $5 }' bits.csv >labels.csv
tables labels
accepts -- evaluate ward.json --labels labels.h5 --json
cp "$outside/out" "$outside/expected"
accepts -- evaluate ward.json --labels labels_backwards.h5 --json
check 'labels: the same digits backwards' diff "$outside/expected" "$outside/out"
refuses 3 labels_other.h5 'matched by name' -- evaluate ward.json --labels labels_other.h5

# Categories.
awk -v OFS=, 'BEGIN {
  srand(5)
  split("low middle high", word, " ")
  print "mite,pollen,cat"
  for (i = 0; i < 60; ++i) print word[1 + int(3 * rand())], word[1 + int(3 * rand())], word[1 + int(3 * rand())]
}' >words.csv
tables words --categorical
cat >allergy.json <<'END'
{"format": "orrery-categorical-1", "causes": [{"name": "allergic", "prior": [0.7, 0.3]}],
 "observed": [
  {"name": "cat", "categories": ["low", "middle", "high"], "parents": [0], "table": [[0.6, 0.2, 0.2], [0.2, 0.3, 0.5]]},
  {"name": "mite", "categories": ["low", "middle", "high"], "parents": [0], "table": [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]},
  {"name": "pollen", "categories": ["low", "middle", "high"], "parents": [], "table": [[0.3, 0.3, 0.4]]}]}
END
judged allergy.json words
finish
