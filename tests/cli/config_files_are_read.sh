#!/usr/bin/env bash
# --config: options from a file; the command line wins; what is wrong in it is named.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

printf '# eight images\nnetwork = img\nsamples = 100\nseed = 9\nquiet = true\n' >sample.ini
accepts -- sample --config sample.ini -o from_file.h5
check 'quiet = true is obeyed' test ! -s "$outside/all"
make sample --network img --samples 100 --seed 9 -o from_line.h5
check 'the same samples' same_data from_file.h5 from_line.h5
accepts -- sample --config sample.ini --seed 10 -o other_seed.h5
check 'the command line wins' test "$(! same_data from_file.h5 other_seed.h5; echo $?)" = 0
accepts '"n_samples": 50' -- sample --config sample.ini --samples 50 --json -o fifty.h5

bad() {  # LINE TEXT...
  printf 'network = img\n%s\n' "$1" >bad.ini
  shift
  refuses 2 bad.ini "$@" -- sample --config bad.ini --samples 10 -o out.h5
}
bad 'sampels = 100' 'sampels'
bad 'samples 100' 'samples 100' 'name = value'
bad 'seed = -1' 'seed -1' 'whole number'
bad 'threads = many' 'threads many' 'whole number'
bad 'network = con:8' 'network'
bad $'[section]\nnetwork = img' 'section.network'
refuses 2 '--threads 0' -- sample --config <(echo 'threads = 0') --network img --samples 9 -o out.h5
refuses 3 absent.ini 'no such file' -- sample --config absent.ini -o out.h5
mkdir folder.ini
refuses 3 folder.ini 'is a directory' -- sample --config folder.ini -o out.h5
refuses 3 sample.ini -- import sample.ini -o out.h5
finish
