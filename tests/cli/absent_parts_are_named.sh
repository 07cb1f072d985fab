#!/usr/bin/env bash
# A build without the family linear and the learner anchored: help does not show them, and whoever
# asks for them is told how to build with them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

linear='this build has no family linear: build with -DORRERY_LINEAR=ON'
anchored='this build has no learner anchored: build with -DORRERY_ANCHORED=ON'
make sample --network img --samples 100 -o data.h5
refuses 2 "$linear" -- learn linear data.h5 -o model.h5
refuses 2 "$anchored" -- learn anchored data.h5 --anchors a.csv -o model.h5
refuses 3 "$linear" -- sample --network linear:ternary:3 --samples 10 -o out.h5
echo '{"format": "orrery-linear-1"}' >linear.json
refuses 3 'linear.json' "$linear" -- export linear.json --format json -o out.json

run learn --help
check 'help shows no learner anchored' test "$(grep -cE '^ *(anchored|linear) ' "$outside/out")" = 0
check 'help shows the others' grep -qE '^ *quartet ' "$outside/out"

# Models of anchored networks are of the family that is always there.
make sample --network anchored:tree:3,9 --samples 100 -o anchored.h5
accepts 'anchored network: 3 causes' -- info anchored.h5

run import --help
if ! grep -q npz "$outside/out"; then
  printf 'PK\003\004' >table.npz
  refuses 3 'table.npz' '-DORRERY_NPZ=ON' 'numpy.save' -- import table.npz -o out.h5
fi
finish
