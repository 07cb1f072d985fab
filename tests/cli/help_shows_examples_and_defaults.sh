#!/usr/bin/env bash
# --help everywhere: usage, every option, an example; --version.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts 'usage: orrery COMMAND' 'example:' import sample moments learn params depth evaluate plan infer \
  report export info -- --help
accepts 'quartet' 'example: orrery learn quartet' -- learn --help
accepts 'orrery 0.' -- --version
check 'one line' test "$(wc -l <"$outside/out")" = 1
accepts 'orrery 0.' -- sample --version

common=('--config FILE' '--threads N' '--seed S (=1)' '--dry-run' '--json' '--verbose' '--quiet'
  '--help')
for command in import sample moments 'learn quartet' 'learn tree' 'plan tree' params depth evaluate infer report export \
  info; do
  # shellcheck disable=SC2086  # the words are the arguments
  accepts "usage: orrery $command" "example: orrery $command" "${common[@]}" -- $command --help
  check "$command: --help goes to standard output" test ! -s "$outside/err"
  check "$command: fits 80 columns" awk '/^  / && length > 80 { exit 1 }' "$outside/out"
  # shellcheck disable=SC2086
  accepts "usage: orrery $command" -- $command -h
done
accepts '--format FORMAT (=auto)' '--header HOW (=auto)' -- import --help
accepts 'default calibrated' 'default 0.05' '(=10)' 'default 0.0' -- learn quartet --help
accepts '--crossover' '(=0)' '(=uniform)' 'default: a tree' -- learn tree --help
accepts '(=0.05)' 'example: orrery plan tree' -- plan tree --help
accepts 'example: orrery plan tree' -- plan --help
accepts '(=2)' -- moments --help
accepts '--test TEST (=quartet)' -- depth --help
accepts '--min-prior P (=0.02)' '--triples N (=1000)' -- evaluate --help
accepts '--min-prior P (=0.02)' '--triples N (=1000)' -- report --help
accepts '(=auto)' '(=4000)' '(=0.001)' '(=1)' -- infer --help

# The examples of --help work as they stand.
accepts -- sample --network img --samples 10000 --seed 3 -o data.h5
accepts -- moments data.h5 --order 3 -o moments.h5
accepts 'depth causes edges' -- depth img --test quartet
accepts 'causes' -- learn quartet data.h5 -o model.h5
accepts 'variables' -- learn tree data.h5 -o tree.h5
accepts 'enough samples' -- plan tree --p 100 --alpha .2 --beta 1.1 --crossover .1
accepts -- evaluate model.h5 --truth img --data data.h5
accepts -- report model.h5 --truth img --grid 8x8 -o report.html
cp data.h5 patients.h5
accepts '10,000 rows' -- infer model.h5 patients.h5 --top 3 -o posterior.h5
accepts -- export model.h5 --format json -o model.json
accepts -- info data.h5 -v
finish
