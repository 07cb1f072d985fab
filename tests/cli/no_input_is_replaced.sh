#!/usr/bin/env bash
# What a command writes is none of the files that it reads, and no two outputs are one file: every
# option, through links, and also where the file is yet to be made.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 200 -o data.h5
make params data.h5 --structure img -o model.h5
make moments data.h5 -o counts.h5
make export model.h5 --format json -o network.json
make sample --network anchored:tree:3,9 --samples 200 -o visits.h5 --labels tags.h5
make export visits.h5 --format anchors -o anchors.csv
make sample --network tree:chain:5 --samples 100 -o signs.h5
make export tree:chain:5 --format json -o chain.json
printf 'x1\n' >names.txt
printf '*,x1\n' >edges.txt
printf 'seed = 3\n' >options.ini
make_table 60 >table.csv
printf 'ann: no, yes\n' >categories.txt
printf 'flu,fever,0.5\nflu,rash,0.5\n' >edges.csv
printf 'flu,0.1\n' >priors.csv
printf 'fever,0.1\nrash,0.1\n' >leaks.csv

# keeps FILE OPTION COMMAND...: the file that the option names is no output of the command.
keeps() {
  local file=$1 option=$2
  shift 2
  refuses 2 "-o $file" "reads this file ($option" 'name another' -- "$@" -o "$file"
}
keeps options.ini '--config options.ini' learn quartet data.h5 --config options.ini
keeps counts.h5 '--moments counts.h5' learn quartet data.h5 --moments counts.h5
keeps model.h5 '--start model.h5' learn quartet data.h5 --start model.h5
keeps network.json '--structure network.json' learn quartet data.h5 --structure network.json
keeps edges.txt '--forbid edges.txt' learn quartet data.h5 --forbid edges.txt
keeps edges.txt '--require edges.txt' learn quartet data.h5 --require edges.txt
keeps network.json '--structure network.json' params data.h5 --structure network.json
keeps anchors.csv '--anchors anchors.csv' learn anchored visits.h5 --anchors anchors.csv
keeps tags.h5 '--labels tags.h5' learn anchored visits.h5 --anchors anchors.csv --labels tags.h5
keeps names.txt '--given @names.txt' infer chain.json signs.h5 --given @names.txt --predict x2
keeps names.txt '--predict @names.txt' infer chain.json signs.h5 --predict @names.txt
keeps categories.txt '--categories categories.txt' import table.csv --categorical --categories categories.txt
keeps priors.csv '--priors priors.csv' import edges.csv --format edges --priors priors.csv --leaks .1
keeps leaks.csv '--leaks leaks.csv' import edges.csv --format edges --priors .1 --leaks leaks.csv
keeps data.h5 '--truth data.h5' report model.h5 --truth data.h5
keeps data.h5 '--data data.h5' report model.h5 --data data.h5
keeps data.h5 'data.h5' moments data.h5
keeps model.h5 'model.h5' infer model.h5 data.h5
keeps network.json '--network network.json' sample --network network.json --samples 10

# A checkpoint is an output too.
refuses 2 '--checkpoint out.h5' '-o out.h5' 'same file' -- \
  learn quartet data.h5 -o out.h5 --checkpoint out.h5
refuses 2 '--checkpoint data.h5' 'reads this file (data.h5)' -- \
  learn quartet data.h5 -o out.h5 --checkpoint data.h5 --resume
refuses 2 'labels out.h5' 'same file' -- \
  sample --network anchored:tree:3,9 --samples 9 -o out.h5 --labels out.h5
refuses 2 '--labels chain.json' 'reads this file' -- \
  sample --network chain.json --samples 9 -o out.h5 --labels chain.json

# By other ways to the same file.
ln data.h5 hard.h5
ln -s data.h5 soft.h5
ln -s absent.h5 dangling.h5
mkdir folder
ln -s ../data.h5 folder/soft.h5
refuses 2 '-o hard.h5' -- moments data.h5 -o hard.h5
refuses 2 '-o soft.h5' -- moments data.h5 -o soft.h5
refuses 2 '-o folder/soft.h5' -- moments data.h5 -o folder/soft.h5
refuses 2 '-o folder/../data.h5' -- moments ./data.h5 -o folder/../data.h5
refuses 2 '--checkpoint dangling.h5' -- \
  learn quartet data.h5 -o absent.h5 --checkpoint dangling.h5
printf 'checkpoint = out.h5\n' >checkpoint.ini
refuses 2 '--checkpoint out.h5' -- learn quartet data.h5 -o out.h5 --config checkpoint.ini

# A generator is no file, whatever lies in the folder.
printf 'old' >img
accepts -- sample --network img --samples 10 -o img
check 'it is written' test "$(stat -c %s img)" -gt 3
finish
