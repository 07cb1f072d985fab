#!/usr/bin/env bash
# What cannot be obeyed: exit code 2, the option, its value, what it takes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 200 -o data.h5
make params data.h5 --structure img -o model.h5
make_table 60 >table.csv

refuses 2 '"lern"' 'orrery --help' -- lern quartet data.h5
refuses 2 'method is missing' 'orrery learn --help' -- learn
refuses 2 '"quintet"' 'quartet' -- learn quintet data.h5 -o out.h5

# Something is missing.
refuses 2 'FILE is missing' 'usage: orrery import' -- import
refuses 2 '-o FILE is missing' 'usage: orrery import' -- import table.csv
refuses 2 '--network is missing' -- sample --samples 10 -o out.h5
refuses 2 '--samples N is missing' -- sample --network img -o out.h5
refuses 2 '-o FILE is missing' -- sample --network img --samples 10
refuses 2 'DATA is missing' -- learn quartet -o out.h5
refuses 2 'DATA is missing' -- learn quartet --dry-run
refuses 2 '-o FILE is missing' -- learn quartet data.h5
refuses 2 'DATA is missing' -- params --structure img -o out.h5
refuses 2 '--structure is missing' -- params data.h5 -o out.h5
refuses 2 '-o FILE is missing' -- params data.h5 --structure img
refuses 2 'DATA is missing' -- moments -o out.h5
refuses 2 '-o FILE is missing' -- moments data.h5
refuses 2 'MODEL is missing' -- evaluate --truth img
refuses 2 '--train says nothing without --data' -- evaluate model.h5 --train data.h5
refuses 2 '--triples says nothing without --data' -- evaluate model.h5 --truth img --triples 5
refuses 2 '--min-prior says nothing without --truth' -- evaluate model.h5 --min-prior 0
refuses 2 '--train says nothing without --data' -- report model.h5 --train data.h5 -o out.html
refuses 2 'MODEL is missing' -- report -o out.html
refuses 2 'MODEL is missing' -- export --format json -o out.json
refuses 2 '--format is missing' -- export model.h5 -o out.json
refuses 2 '-o FILE is missing' -- export model.h5 --format json
refuses 2 'NETWORK is missing' -- depth
refuses 2 'FILE is missing' -- info

# For every command: unknown options, words too many, contradictions, threads.
while read -r command; do
  # shellcheck disable=SC2086  # the words are the arguments
  {
    name=${command%% *}
    [[ $name == learn ]] && name='learn quartet'
    refuses 2 '--bogus' "orrery $name --help" -- $command --bogus
    [[ $name == import ]] ||  # which takes several files
      refuses 2 'too many words' "orrery $name --help" -- $command more
    refuses 2 '-q' '-v' 'contradict' -- $command -q -v
    case $name in
      import | export | depth | info)
        refuses 2 '--threads has no effect on' "orrery $name" -- $command --threads 2
        ;;
      *)
        refuses 2 '--threads 0' '1 to' -- $command --threads 0
        refuses 2 '--threads two' 'whole number' -- $command --threads two
        ;;
    esac
    case $name in
      moments | info) refuses 2 '--seed has no effect on' "orrery $name" -- $command --seed 1 ;;
      *) refuses 2 '--seed -1' 'whole number' -- $command --seed=-1 ;;
    esac
  }
done <<'END'
import table.csv -o out.h5
sample --network img --samples 10 -o out.h5
moments data.h5 -o out.h5
learn quartet data.h5 -o out.h5
params data.h5 --structure img -o out.h5
evaluate model.h5 --truth img
report model.h5 -o out.html
export model.h5 --format json -o out.json
depth img
info data.h5
END

# Values out of range.
refuses 2 '--format' "'xls'" 'csv' 'npy' -- import table.csv --format xls -o out.h5
refuses 2 '--header maybe' 'auto, yes or no' -- import table.csv --header maybe -o out.h5
refuses 2 '--samples 0' '1 or more' -- sample --network img --samples 0 -o out.h5
refuses 2 '--samples -5' 'whole number' -- sample --network img --samples -5 -o out.h5
refuses 2 '--samples 1e-6' 'whole number' -- sample --network img --samples 1e-6 -o out.h5
refuses 2 '1000000000000000000' '2^40' 'of disk' -- \
  sample --network img --samples 1000000000000000000 -o out.h5
refuses 2 '--flip' 'STEP' '1 to 64' '"65"' -- sample --network img --samples 10 --flip .1:65 -o out.h5
refuses 2 '--flip' 'SHARE' '0 to 1' '"1.5"' -- sample --network img --samples 10 --flip 1.5:4 -o out.h5
refuses 2 '--flip needs SHARE:STEP' '".1"' -- sample --network img --samples 10 --flip .1 -o out.h5
refuses 2 '2^40' -- sample --network img --samples 1099511627777 --dry-run
refuses 2 '--order 5' '2 (pairs)' -- moments data.h5 --order 5 -o out.h5
refuses 2 '--order 2.5' -- moments data.h5 --order 2.5 -o out.h5
refuses 2 '--test guess' 'calibrated, rank or coherence' -- learn quartet data.h5 --test guess -o out.h5
refuses 2 '--tau-q 0.01' '--test rank' -- learn quartet data.h5 --tau-q 0.01 -o out.h5
refuses 2 '--tau-e 0.01' '--test rank' -- learn quartet data.h5 --test calibrated --tau-e 0.01 -o out.h5
refuses 2 '--alpha 0' 'between 0 and 1' -- learn quartet data.h5 --alpha 0 -o out.h5
refuses 2 '--alpha nan' 'between 0 and 1' -- learn quartet data.h5 --alpha nan -o out.h5
refuses 2 '--alpha 0.1' 'calibrated' 'rank' -- learn quartet data.h5 --test rank --alpha 0.1 -o out.h5
refuses 2 '--paper' 'rank and coherence' -- learn quartet data.h5 --paper --test calibrated -o out.h5
refuses 2 '--test calibrated' 'exact moments' -- learn quartet --moments img --test calibrated -o out.h5
refuses 2 '--tau-q -1' 'positive' -- learn quartet data.h5 --test rank --tau-q -1 -o out.h5
refuses 2 '--tau-q nan' 'positive' -- learn quartet data.h5 --test rank --tau-q nan -o out.h5
refuses 2 '--tau-e big' 'number' -- learn quartet data.h5 --tau-e big -o out.h5
refuses 2 '--max-depth -1' -- learn quartet data.h5 --max-depth=-1 -o out.h5
refuses 2 '--max-candidates 0' -- learn quartet data.h5 --max-candidates 0 -o out.h5
refuses 2 '--search some' 'exhaustive' -- learn quartet data.h5 --search some -o out.h5
refuses 2 '--tau-q' '--search signatures' -- learn quartet data.h5 --search signatures --tau-q 0.1 -o out.h5
refuses 2 '--alpha' '--search signatures' -- learn quartet data.h5 --search signatures --refine none --alpha 0.01 -o out.h5
refuses 2 '--paper' '--search signatures' -- learn quartet data.h5 --search signatures --paper -o out.h5
refuses 2 '--min-prior 1.5' '0 to 1' -- evaluate model.h5 --truth img --min-prior 1.5
refuses 2 '--min-prior nan' '0 to 1' -- evaluate model.h5 --truth img --min-prior nan
refuses 2 '--triples 1000001' '1000000' -- evaluate model.h5 --data data.h5 --triples 1000001
refuses 2 '--causes none' 'auto' -- learn vem absent.h5 --causes none -o out.h5
refuses 2 '--causes 0' -- learn vem absent.h5 --causes 0 -o out.h5
refuses 2 '--restarts 0' -- learn vem absent.h5 --restarts 0 -o out.h5
refuses 2 '--restarts 2.5' 'whole number' -- learn vem absent.h5 --restarts 2.5 -o out.h5
refuses 2 '--tolerance 0' 'positive' -- learn vem absent.h5 --tolerance 0 -o out.h5
refuses 2 '--max-iterations 0' -- learn vem absent.h5 --max-iterations 0 -o out.h5
refuses 2 '--prune 2' 'at most 1' -- learn vem absent.h5 --prune 2 -o out.h5
refuses 2 'samples' 'DATA' -- learn vem --moments img -o out.h5
for q in .5 -.1 nan much; do
  refuses 2 "--crossover $q" '[0, 0.5)' -- learn tree absent.h5 --crossover=$q -o out.h5
done
refuses 2 '--alpha 0' -- learn tree absent.h5 --alpha 0 -o out.h5
refuses 2 '--marginals some' 'uniform or free' -- learn tree absent.h5 --marginals some -o out.h5
refuses 2 'DATA' -- learn tree --moments img -o out.h5
refuses 2 '--structure' -- learn tree absent.h5 --structure img -o out.h5
refuses 3 'absent.h5' -- learn tree absent.h5 -o out.h5
refuses 2 'plan tree' -- plan
refuses 2 'plan tree' 'plan quartet' -- plan vem
refuses 2 '--network is missing' -- plan quartet
refuses 2 '--delta 0' -- plan quartet --network img --delta 0
refuses 2 '--samples 0' -- plan quartet --network img --samples 0
refuses 2 '--alpha is missing' -- plan tree --p 10 --beta 1
refuses 2 '--p 1' -- plan tree --p 1 --alpha .1 --beta 1
refuses 2 '--beta 0.1' 'at least' -- plan tree --p 10 --alpha .2 --beta .1
refuses 2 '--crossover 0.5' -- plan tree --p 10 --alpha .1 --beta 1 --crossover .5
refuses 2 '--delta 1' -- plan tree --p 10 --alpha .1 --beta 1 --delta 1
refuses 2 '--eta 0' -- plan tree --p 10 --alpha .1 --beta 1 --eta 0
refuses 2 '--symmetric-kl 0' -- plan tree --p 10 --alpha .1 --beta 1 --symmetric-kl 0
refuses 2 '--samples 0' -- plan tree --p 10 --alpha .1 --beta 1 --samples 0
refuses 2 "'docx'" 'graphml' -- export model.h5 --format docx -o out.json
refuses 2 '--grid' '7x7' '49' '64' -- report model.h5 --grid 7x7 -o out.html
refuses 2 '--grid' 'eight' '8x8' -- report model.h5 --grid eight -o out.html

# An output that is also an input would be lost.
refuses 2 '-o data.h5' 'another' -- learn quartet data.h5 -o data.h5
refuses 2 '-o ./data.h5' -- moments data.h5 -o ./data.h5
refuses 2 '-o model.h5' -- params data.h5 --structure model.h5 -o model.h5
refuses 2 '-o table.csv' -- import table.csv -o table.csv
refuses 2 '-o model.h5' -- export model.h5 --format json -o model.h5
refuses 2 '-o model.h5' -- report model.h5 -o model.h5
refuses 2 '-o data.h5' -- report model.h5 --truth data.h5 -o data.h5
refuses 2 '-o data.h5' -- report model.h5 --data data.h5 -o data.h5
refuses 2 '-o model.h5' -- sample --network model.h5 --samples 10 -o model.h5
ln model.h5 same.h5
refuses 2 '-o same.h5' -- export model.h5 --format json -o same.h5
refuses 2 'no file name' -- learn quartet data.h5 -o ''
refuses 2 'no file name' -- learn quartet data.h5 -o absent/

# Names out of files are shown, not obeyed by the terminal.
escape=$'\033'
printf 'a%s[31mb,x1\n' "$escape" >forbidden.txt
printf 'x%s[31m\n' "$escape" >names.txt
printf 'se%s[31med = 3\n' "$escape" >odd.ini
make sample --network tree:chain:5 --crossover .1 --samples 100 -o signs.h5
make export tree:chain:5 --format json -o chain.json
refuses 3 'a\x1b[31mb' -- learn quartet data.h5 -o out.h5 --forbid forbidden.txt
refuses 2 'x\x1b[31m' -- infer chain.json signs.h5 --given @names.txt --predict x1 -o out.h5
refuses 2 'se\x1b[31med' -- learn quartet data.h5 -o out.h5 --config odd.ini
finish
