#!/usr/bin/env bash
# --help everywhere: usage, every option, defaults; --version. (examples_in_help_run.sh runs what is
# shown as examples.)
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts 'usage: orrery COMMAND' 'example:' import sample moments learn params depth evaluate plan infer \
  report export rename info -- --help
accepts 'quartet' 'example: orrery learn quartet' -- learn --help
accepts 'orrery 0.' -- --version
check 'one line' test "$(wc -l <"$outside/out")" = 1
accepts 'orrery 0.' -- sample --version

common=('--config FILE' '--dry-run' '--log FILE' '--json' '--verbose' '--quiet' '--help')
for command in import sample moments 'learn quartet' 'learn tree' 'plan quartet' 'plan tree' params depth evaluate infer report export \
  rename info; do
  # shellcheck disable=SC2086  # the words are the arguments
  accepts "usage: orrery $command" "orrery $command" "${common[@]}" -- $command --help
  check "$command: --help goes to standard output" test ! -s "$outside/err"
  check "$command: fits 80 columns" awk '/^  / && length > 80 { exit 1 }' "$outside/out"
  # shellcheck disable=SC2086
  accepts "usage: orrery $command" -- $command -h
done
accepts '--threads N' '--seed S (=1)' -- sample --help
accepts '--format FORMAT (=auto)' '--header auto|yes|no (=auto)' -- import --help
accepts 'default calibrated' 'default 0.05' '(=10)' 'default 0.0' -- learn quartet --help
accepts '--crossover' '(=0)' '(=uniform)' 'default: a tree' -- learn tree --help
accepts '(=0.05)' 'example: orrery plan tree' -- plan tree --help
accepts '(=0.05)' 'example: orrery plan quartet' -- plan quartet --help
accepts 'example: orrery plan quartet' -- plan --help
accepts '(=2)' -- moments --help
accepts '--test TEST (=quartet)' -- depth --help
accepts '--min-prior P (=0.02)' '--triples N (=1000)' -- evaluate --help
accepts '--min-prior P (=0.02)' '--triples N (=1000)' -- report --help
accepts '(=auto)' '(=4000)' '(=0.001)' '(=1)' -- infer --help
finish
