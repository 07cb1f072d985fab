#!/usr/bin/env bash
# What is wrong in a sweep's configuration is named, with its line; so is a failed task.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

bad() {  # TEXT CONFIG
  printf '%b' "$2" >bad.ini
  refuses 3 "$1" -- "$jobs/sweep" count bad.ini
}
top='samples = 60\nseeds = 1\n'
sets='[sets]\na = img\n'
methods='[methods]\nb = quartet\n'
# shellcheck disable=SC2016  # no command is meant
bad 'bad.ini: no line `samples = ...`' ''
# shellcheck disable=SC2016
bad 'no line `seeds = ...`' "samples = 60\n$sets$methods"
# shellcheck disable=SC2016
bad 'no line `NAME = ...` under [sets]' "$top$methods"
# shellcheck disable=SC2016
bad 'no line `NAME = ...` under [methods]' "$top$sets"
bad 'line 2: "tau-q" is none of samples, seeds, held-out' 'samples = 60\ntau-q = 0.1\n'
bad 'line 1: "samples 60" is not name = value' 'samples 60\n'
bad 'line 2: a second line for seeds' 'seeds = 1\nseeds = 2\n'
bad 'line 3: [quartet] is neither [sets] nor [methods]' "${top}[quartet]\n"
bad 'line 1: samples has no value' 'samples =  # none\n'
bad 'samples = 1e3: whole' 'samples = 1e3\n'
bad 'held-out = 100 200: whole' 'held-out = 100 200\n'
bad 'line 1: seeds: 2- is neither' 'seeds = 1 2-\n'
bad 'seeds: 9-3 is empty' 'seeds = 9-3\n'
bad 'line 1: samples: letters, digits' 'samples = "100"\n'
bad 'line 2: "a b" is no name' '[sets]\na b = img\n'
bad 'line 2: "a_b" is no name' '[sets]\na_b = img\n'
bad 'line 2: --noise is none of a set' '[sets]\na = img --noise 1\n'
bad 'line 2: --flip has no value' '[sets]\na = img --flip\n'
bad 'line 2: --seed x: a whole' '[sets]\na = img --seed x\n'
bad 'line 2: --score con:8,leak=.1: no commas' '[sets]\na = img --score con:8,leak=.1\n'
bad 'line 2: --paper is no learner' '[methods]\na = --paper\n'
for option in -ox.h5 --output=x --threads --checkpoint --resume --config; do
  bad "line 2: $option is for jobs/sweep to say" "[methods]\na = quartet $option 4\n"
done
bad 'bad.ini: no set is left' "${top}[sets]\na = ../absent.json:IMG\n$methods"
check 'the set that is left out is named' grep -qF 'a is left out: ../absent.json:IMG is not there' said
refuses 3 'absent.ini: no such file' -- "$jobs/sweep" count absent.ini
refuses 2 'usage: ' -- "$jobs/sweep"
refuses 2 'usage: ' -- "$jobs/sweep" count
refuses 2 'speed is none of benchmark, null, coverage' -- "$jobs/benchmark/run" out null speed
check 'nothing was begun' test ! -e out

printf '%b' "samples = 60 70\nseeds = 1-2 7\n$sets" 'c = absent/net.json\n' \
  "$methods" 'd = quartet --paper\n' >good.ini
check 'every method runs on every set that is there' diff - \
  <("$jobs/sweep" list good.ini 2>said) <<'END'
0 a 60 b 1
1 a 60 b 2
2 a 60 b 7
3 a 60 d 1
4 a 60 d 2
5 a 60 d 7
6 a 70 b 1
7 a 70 b 2
8 a 70 b 7
9 a 70 d 1
10 a 70 d 2
11 a 70 d 7
END
check 'the other is left out' test "$(cat said)" = 'jobs/sweep: c is left out: absent/net.json is not there'
check 'as many are counted' test "$("$jobs/sweep" count good.ini 2>said)" = 12
refuses 2 'tasks 0 to 11' -- "$jobs/sweep" run good.ini out 12
refuses 2 'STEP at least 1' -- "$jobs/sweep" run good.ini out 0 0
refuses 2 'whole numbers' -- "$jobs/sweep" run good.ini out first
check 'nothing was begun' test ! -e out

printf '%b' "$top$sets" '[methods]\ngood = quartet --test rank --tau-q 0.1\nbad = quartet --test rank --tau-q -1\n' \
  >failing.ini
refuses 4 'task a 60 bad 1: failed' -- "$jobs/sweep" run failing.ini out
check 'the other task is done' test -e out/a_60_good_1.json
refuses 3 '1 of 2 tasks are missing: 1;' -- "$jobs/sweep" collect failing.ini out
finish
