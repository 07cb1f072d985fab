#!/usr/bin/env bash
# Networks that cannot be: which entry, which value, what is needed; by every command that reads one.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network bars:2 --samples 100 -o data.h5
make params data.h5 --structure bars:2 -o model.h5

network() {  # PRIOR LEAK INDEX FAILURE
  cat <<END
{"format": "orrery-network-1", "causes": [{"name": "c", "prior": $1}],
 "observed": [{"name": "x", "leak": $2}, {"name": "y", "leak": 0.1}], "edges": [[0, $3, $4]]}
END
}

refused_everywhere() {  # FILE TEXT...
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -- sample --network "$file" --samples 10 -o out.h5
  refuses_to_write out.h5 3 "$file" "$@" -- params data.h5 --structure "$file" -o out.h5
  refuses_to_write out.h5 3 "$file" "$@" -- learn quartet --moments "$file" -o out.h5
  refuses_to_write out.html 3 "$file" "$@" -- report model.h5 --truth "$file" -o out.html
  refuses_to_write out.json 3 "$file" "$@" -- export "$file" --format json -o out.json
  refuses 3 "$file" "$@" -- evaluate model.h5 --truth "$file"
  refuses 3 "$file" "$@" -- depth "$file"
}

network 1.5 0.1 0 0.5 >over.json
refused_everywhere over.json 'causes[0].prior = 1.5' 'a probability in [0, 1] is needed'
network 0.5 -0.1 0 0.5 >negative.json
refused_everywhere negative.json 'observed[0].leak = -0.1' 'a probability in [0, 1] is needed'
network 0.5 0.1 0 NaN >nan.json
refused_everywhere nan.json 'line 2' 'valid JSON' 'no NaN'
network 1e999 0.1 0 0.5 >huge.json
refused_everywhere huge.json '1e999'
network '"half"' 0.1 0 0.5 >word.json
refused_everywhere word.json 'causes[0].prior = "half"'
network 0.5 0.1 7 0.5 >range.json
refused_everywhere range.json 'edges[0]' '7' '2 observed'
network 0.5 0.1 -1 0.5 >below.json
refused_everywhere below.json 'edges[0][1] = -1'
network 0.5 0.1 0.5 0.5 >between.json
refused_everywhere between.json 'edges[0][1] = 0.5'
echo '{"format": "orrery-network-9", "causes": [], "observed": [], "edges": []}' >newer.json
refused_everywhere newer.json 'orrery-network-9'
echo '{"causes": [' >cut.json
refused_everywhere cut.json 'JSON'
: >empty.json
refused_everywhere empty.json
echo 'a,b' >table.csv
refused_everywhere table.csv
mkdir folder
refused_everywhere folder 'is a directory'
refused_everywhere absent.json 'neither a file nor a built-in network'

# A network that is none of the data's.
network 0.5 0.1 0 0.5 >small.json
refuses_to_write out.h5 3 small.json 'of the 2 variables of small.json, the data lack 2 (x, y)' '4' -- params data.h5 --structure small.json -o out.h5
refuses 3 -- evaluate model.h5 --truth small.json
refuses_to_write out.html 3 -- report model.h5 --truth small.json -o out.html
refuses 2 'con:L' '"999"' -- sample --network con:999 --samples 10 -o out.h5
finish
