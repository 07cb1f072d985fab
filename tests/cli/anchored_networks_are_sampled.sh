#!/usr/bin/env bash
# Anchored networks: rows and the causes behind them are drawn, exported, drawn again; and what each
# command says of the other families.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Without noise the rows are the causes: b is what a is, c is never, and either is on for the union.
cat >clear.json <<'JSON'
{"format": "orrery-anchored-1", "causes": [{"name": "h"}, {"name": "g"}, {"name": "never"}],
 "observed": [{"name": "a", "leak": 0}, {"name": "b", "leak": 0}, {"name": "c;d", "leak": 0}, {"name": "x", "leak": 0}],
 "edges": [[0, 0, 0], [1, 1, 0], [2, 2, 0], [0, 3, 0], [2, 3, 0]],
 "cause_tables": [{"parents": [], "on": [0.5]}, {"parents": [0], "on": [0, 1]}, {"parents": [], "on": [0]}],
 "anchors": [{"cause": 0, "observed": 0}, {"cause": 1, "observed": 1}, {"cause": 2, "observed": 2, "columns": ["c", "d"]}]}
JSON
accepts '3,000 samples of 4 variables' '3 hidden causes, 1 edges among them, 3 anchors' \
  'the causes behind them to labels.h5' -- \
  sample --network clear.json --samples 3000 -o clear.h5 --labels labels.h5
if command -v h5dump >/dev/null; then
  words() {
    h5dump -y -d /samples/bits "$1" | sed -n '/DATA {/,/}/p' | tr ', ' '\n' | grep -E '^[0-9]+$'
  }
  words clear.h5 >bits
  words labels.h5 >causes
  n=$((3000 / 64 + 1))  # words per variable
  check 'all words are there' test "$(wc -l <bits) $(wc -l <causes)" = "$((4 * n)) $((3 * n))"
  check 'a and b are h and g' cmp -s <(head -n $((2 * n)) bits) <(head -n $((2 * n)) causes)
  check 'x is h' cmp -s <(tail -n "$n" bits) <(head -n "$n" causes)
  check 'what never is, is not' test "$(tail -n "$n" causes | sort -u)" = 0
  check 'h is sometimes' test "$(head -n "$n" causes | sort -u | wc -l)" -gt 10
fi
accepts 'samples: 3,000 rows of 3 variables, 0 missing values' 'constant columns 1 (never)' -- info labels.h5
accepts 'anchored network: 3 causes, 4 variables, 5 edges, 1 edge among causes, 3 anchors' -- info clear.h5

# The truth beside the samples is what they were drawn from: once more from it, the same.
network=anchored:indegree:2,12,40
make sample --network $network --violations .25 --samples 70000 -o d.h5 --labels l.h5
make sample --network d.h5 --samples 70000 -o again.h5 --labels l2.h5
make sample --network d.h5 --samples 70000 -o alone.h5
make export d.h5 --format json -o d.json
make sample --network d.json --samples 70000 -o third.h5
if command -v h5diff >/dev/null; then
  check 'the truth draws the same rows' same_data d.h5 again.h5
  check 'and the same causes' same_data l.h5 l2.h5
  check 'labels change no row' h5diff -q d.h5 alone.h5 /samples
  check 'nor does JSON' h5diff -q d.h5 third.h5 /samples
  check 'nor the network' h5diff -q d.h5 third.h5 /model
  make sample --network $network --violations 0 --samples 70000 -o kept.h5
  check 'violations add edges, and leave the causes' h5diff -q d.h5 kept.h5 /model/cause_tables
  check 'violations are seen' test "$(h5diff d.h5 kept.h5 /samples >/dev/null; echo $?)" = 1
fi

# Some labels are missing: about the share, the rest as they were. 12 * 70,000 draws of .3: 252,000
# on average, with a standard deviation of 420.
make sample --network d.h5 --samples 70000 -o again.h5 --labels some.h5 --label-share .3
run info some.h5 --json
missing=$(sed -n 's/.*"n_missing": \([0-9]*\).*/\1/p' "$outside/out")
check "70 % of the labels are missing, not $missing" test "$missing" -gt 585900 -a "$missing" -lt 590100
make sample --network d.h5 --samples 100 -o again.h5 --labels none.h5 --label-share 0
accepts '100 rows of 12 variables, 1,200 missing values' -- info none.h5
accepts '"n_missing": 0' -- info l.h5 --json

# Both files, or neither.
mkdir closed
refuses 4 nowhere/l.h5 'no directory' -- sample --network $network --samples 10 -o x.h5 --labels nowhere/l.h5
refuses 4 closed 'is a directory' -- sample --network $network --samples 10 -o x.h5 --labels closed
refuses 4 closed 'is a directory' -- sample --network $network --samples 10 -o closed --labels x.h5

accepts '"n_anchors": 12' '"n_cause_edges": ' '"labels": "few-l.h5"' -- \
  sample --network d.h5 --samples 10 -o few.h5 --labels few-l.h5 --json
accepts 'memory per rank: ' 'work: 1,000,000 rows' 'time: ' -- \
  sample --network $network --samples 1000000 -o x.h5 --labels y.h5 --dry-run
check 'a dry run writes nothing' test ! -e x.h5 -a ! -e y.h5
accepts '10 samples' -- sample --network anchored:tree:5,20 --anchor-rates .05,.7 --flip .1:2 --samples 10 -o few.h5
check 'rates are as said' test "$("$orrery" export few.h5 --format anchors -o - | cut -d, -f3,4 | sort -u | wc -l)" -le 3

# Exports of every kind, and pages.
for format in json csv dot graphml bif; do
  accepts "12 causes and" -- export d.h5 --format $format -o "d.$format"
  check "$format is not empty" test -s "d.$format"
done
accepts 'cause,column,off,on' -- export d.h5 --format anchors -o -
check 'a row per anchor' test "$("$orrery" export d.h5 --format anchors -o - | wc -l)" = 13
accepts 'never,c;d,0,1' -- export clear.json --format anchors -o -
accepts '12 causes and 84 edges drawn' -- report d.h5 -o page.html
check 'a graph is drawn' grep -q 'class="graph dag"' page.html
accepts '12 causes and 84 edges drawn' -- report d.json --truth d.h5 --title 'A & B' -o page.html
check 'all is found' grep -q 'among causes found' page.html
check 'failures are drawn' grep -q 'class="scatter"' page.html
accepts 'memory per rank: ' -- report d.h5 -o x.html --dry-run

# Options of other families, of generators, and out of range.
draw=(--samples 10 -o x.h5)
refuses 2 '--crossover is of no use here' 'an anchored network' -- sample --network $network --crossover .1 "${draw[@]}"
refuses 2 '--cause-law is of no use here' -- sample --network $network --cause-law skewed "${draw[@]}"
refuses 2 '--labels is of no use here' 'a noisy-OR network' -- sample --network img --labels y.h5 "${draw[@]}"
refuses 2 '--labels is of no use here' 'a linear network' -- \
  sample --network linear:ternary:3 --labels y.h5 "${draw[@]}"
refuses 2 '--violations is of no use here' 'signs on a tree' -- \
  sample --network tree:chain:5 --violations .1 "${draw[@]}"
refuses 2 '--violations is of no use here' 'anchors of its own' -- sample --network d.h5 --violations .1 "${draw[@]}"
refuses 2 '--anchor-rates is of no use here' -- sample --network d.h5 --anchor-rates .1,.5 "${draw[@]}"
for odd in .5,.1 .1 .1,2 -.1,.5 a,b .1,.5,.6 nan,.5; do
  refuses 2 "--anchor-rates $odd: must be OFF,ON" -- sample --network $network "--anchor-rates=$odd" "${draw[@]}"
done
refuses 2 '--violations 1.5' -- sample --network $network --violations 1.5 "${draw[@]}"
refuses 2 '--violations nan' -- sample --network $network --violations nan "${draw[@]}"
refuses 2 '--label-share 2' -- sample --network $network --labels y.h5 --label-share 2 "${draw[@]}"
refuses 2 '--label-share is of no use without --labels' -- sample --network $network --label-share .5 "${draw[@]}"
refuses 2 '--labels ./x.h5' 'same file' -- sample --network $network --labels ./x.h5 "${draw[@]}"
refuses 2 'the command reads this file' -- sample --network d.h5 --labels d.h5 "${draw[@]}"
refuses 2 "no file name" -- sample --network $network --labels closed/ "${draw[@]}"
refuses 2 'anchored:ring:5' -- sample --network anchored:ring:5 "${draw[@]}"
refuses 2 'M = 6 columns for K = 5 causes' -- sample --network anchored:tree:5,6 "${draw[@]}"
refuses 3 'neither a file nor a built-in network' anchored:tree -- sample --network nowhere "${draw[@]}"
sed 's/"on": \[0.5\]/"on": [1.5]/' clear.json >odd.json
refuses_to_write x.h5 3 odd.json 1.5 -- sample --network odd.json "${draw[@]}"
sed 's/\["c", "d"\]/["c;e", "d"]/' clear.json >odd.json
refuses 2 'a semicolon' -- export odd.json --format anchors -o x.csv
refuses 2 '--format anchors: this network has none' -- export img --format anchors -o x.csv
refuses 2 "--format 'svg' is not known" 'csv, anchors, dot, graphml, bif' -- export d.h5 --format svg -o x.svg

# The other families.
said='an anchored network, but a noisy-OR network of independent causes is needed here'
make sample --network img --samples 100 -o bits.h5
refuses 3 d.h5 "$said" -- params bits.h5 --structure d.h5 -o x.h5
refuses 3 $network "$said" -- depth $network
refuses 3 d.h5 "$said" -- learn quartet bits.h5 --start d.h5 -o x.h5
refuses 3 $network "$said" -- learn quartet --moments $network -o x.h5
make export img --format json -o img.json
refuses 3 d.h5 '64 observed variables and the true network 40' -- evaluate img.json --truth d.h5
refuses 3 d.h5 'an anchored network, but a linear network is needed here' -- depth d.h5 --test expansion
refuses 3 d.h5 'an anchored network, but signs on a tree are needed here' -- evaluate tree:chain:4 --truth d.h5
refuses 3 tree:chain:4 'signs on a tree, but a noisy-OR network is needed here' -- report d.h5 --truth tree:chain:4 -o x.html
refuses 2 '--grid is of no use here' -- report d.h5 --grid 4x10 -o x.html
refuses 2 'learn tree counts the pairs of samples' -- learn tree --moments $network -o x.h5
finish
