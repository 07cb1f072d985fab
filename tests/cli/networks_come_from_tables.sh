#!/usr/bin/env bash
# import --format edges: what it makes of tables, and which it refuses.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >edges.csv <<'TABLE'
disease,finding,class
flu,fever,4
flu,"cough, dry",3
cold,"cough, dry",2
cold,sneeze,5
TABLE
printf 'disease,prior\nflu,0.01\ncold,0.1\n' >priors.csv
printf 'fever,0.001\n"cough, dry",0.02\nsneeze,0\n' >leaks.csv
qmr=(--format edges --strength class --priors priors.csv --leaks leaks.csv)

accepts '2 causes, 3 variables and 4 edges' -- import edges.csv "${qmr[@]}" -o net.json
check 'the network is what the tables say' grep -q '"name": "cold", "prior": 0.1}' net.json
check 'quoted names stay whole' grep -q '"name": "cough, dry", "leak": 0.02}' net.json
accepts '1,000 samples of 3 variables' -- sample --network net.json --samples 1000 -o data.h5
gzip -k edges.csv
accepts -- import edges.csv.gz "${qmr[@]}" -o again.json
check 'compressed tables are the same' cmp net.json again.json
accepts 'left out as too weak: 2 edges, and with them 0 causes and 1 variables' -- \
  import edges.csv "${qmr[@]}" --min-strength 4 -o strong.json
accepts '"n_edges": 4' '"edges": 0' -- import edges.csv "${qmr[@]}" --json -o net.json
accepts 'bytes to read' -- import edges.csv "${qmr[@]}" --dry-run

# What is chosen: one value, or draws by the seed.
chosen=(--format edges --strength rank --priors qmr --leaks .01)
for seed in 1 1 2; do
  accepts -- import edges.csv "${chosen[@]}" --seed "$seed" -o "seed$seed.json"
  [[ -f first.json ]] || cp seed1.json first.json
done
check 'one seed, one network' cmp first.json seed1.json
check 'another seed, another' bash -c '! cmp -s seed1.json seed2.json'
check 'one leak for all' test "$(grep -c '"leak": 0.01' seed1.json)" = 3

table_refused() {  # FILE-AND-LINE TEXT... with the tables as they are now
  refuses_to_write out.json 3 "$@" -- import edges.csv "${qmr[@]}" -o out.json
}
add() {  # FILE LINE: for the next refusal only
  cp "$1" keep
  printf '%s\n' "$2" >>"$1"
}
add edges.csv 'flu,fever,3'
table_refused 'edges.csv: line 6' "'flu' to 'fever'" 'line 2 too' 'keep one'
mv keep edges.csv
add edges.csv 'flu,sneeze,6'
table_refused 'edges.csv: line 6' "'6'" 'class of frequency 1 to 5' '--strength'
mv keep edges.csv
add edges.csv 'flu,sneeze'
table_refused 'edges.csv: line 6' '3 columns' 'quote'
mv keep edges.csv
add edges.csv 'measles,fever,2'
table_refused priors.csv "no prior for cause 'measles'" 'line 6 of edges.csv'
mv keep edges.csv
add edges.csv 'cold,sleep,2'
table_refused leaks.csv "no leak for variable 'sleep'" 'line 6 of edges.csv'
mv keep edges.csv
add priors.csv 'measles,.1'
table_refused 'priors.csv: line 4' "cause 'measles' has no edge" edges.csv
mv keep priors.csv
add leaks.csv 'sleep,.1'
table_refused 'leaks.csv: line 4' "variable 'sleep' has no edge" edges.csv
mv keep leaks.csv
add priors.csv 'flu,.1'
table_refused 'priors.csv: line 4' "'flu' is in line 2 too"
mv keep priors.csv
for prior in 0 1 1.5 rare; do
  printf 'cold,.1\nflu,%s\n' "$prior" >bad.csv
  refuses_to_write out.json 3 'bad.csv: line 2' "prior '$prior' of 'flu'" 'between 0 and 1' -- \
    import edges.csv "${qmr[@]:0:4}" --priors bad.csv --leaks .1 -o out.json
done
printf 'fever,1\n' >bad.csv
refuses_to_write out.json 3 'bad.csv: line 1' "leak '1' of 'fever'" 'below 1' -- \
  import edges.csv "${qmr[@]:0:4}" --priors .1 --leaks bad.csv -o out.json
refuses_to_write out.json 3 absent.csv 'no such file' -- \
  import edges.csv "${qmr[@]:0:4}" --priors absent.csv --leaks .1 -o out.json
refuses_to_write out.json 3 'edges.csv: line 2' "'4'" 'probability above 0' '--strength class|rank' -- \
  import edges.csv --format edges --priors .1 --leaks .1 -o out.json

# Command lines that cannot be obeyed.
refuses 2 '--priors is missing' 'a table' 'qmr' -- import edges.csv --format edges -o out.json
refuses 2 '--leaks is missing' -- import edges.csv --format edges --priors .1 -o out.json
refuses 2 '--priors 0' 'above 0' -- import edges.csv --format edges --priors 0 --leaks 0 -o out.json
refuses 2 '--priors 1' 'below 1' -- import edges.csv --format edges --priors 1 --leaks 0 -o out.json
refuses 2 '--leaks 1' 'below 1' -- import edges.csv --format edges --priors .1 --leaks 1 -o out.json
refuses 2 '--strength odds' 'rank' -- import edges.csv "${qmr[@]:0:2}" --strength odds -o out.json
refuses 2 '--min-strength -1' '0 or more' -- \
  import edges.csv "${qmr[@]}" --min-strength=-1 -o out.json
refuses 2 '--min-strength nan' '0 or more' -- \
  import edges.csv "${qmr[@]}" --min-strength nan -o out.json
refuses 2 '--missing' 'samples' -- import edges.csv "${qmr[@]}" --missing x -o out.json
refuses 2 '--drop' 'samples' -- import edges.csv "${qmr[@]}" --drop x -o out.json
refuses 2 '--priors' '--format edges' -- import edges.csv --priors .1 -o out.h5
refuses 2 '--min-strength' '--format edges' -- import edges.csv --min-strength .1 -o out.h5
refuses 2 '-o' priors.csv -- import edges.csv "${qmr[@]}" -o priors.csv
finish
