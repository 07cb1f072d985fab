#!/usr/bin/env bash
# What is wrong in a sweep's configuration is named, with its line; so is a failed task.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

bad() {  # TEXT CONFIG
  printf '%b' "$2" >bad.ini
  refuses 3 "$1" -- "$jobs/sweep" count bad.ini
}
# shellcheck disable=SC2016  # no command is meant
bad 'bad.ini: no line `network = ...`' ''
bad 'no line `samples' 'network = img\nseeds = 1\n'
bad '[b]: no line `seeds' 'network = img\nsamples = 100\n[a]\nseeds = 1\n[b]\ntau-q = 1\n'
bad 'line 2: "tau_q" is none of network' 'network = img\ntau_q = 0.1\n'
bad 'line 1: "network img" is not name = value' 'network img\n'
bad 'line 2: a second line for network' 'network = img\nnetwork = unif\n'
bad 'line 5: a second [a]' 'network = img\nsamples = 60\nseeds = 1\n[a]\n[a]\n'
bad 'line 1: samples has no value' 'samples =  # none\n'
bad 'samples = 1e3: whole' 'samples = 1e3\n'
bad 'line 1: seeds: 2- is neither' 'seeds = 1 2-\n'
bad 'seeds: 9-3 is empty' 'seeds = 9-3\n'
bad 'blanks separate values' 'samples = 100,200\n'
refuses 3 'absent.ini: no such file' -- "$jobs/sweep" count absent.ini
refuses 2 'usage: ' -- "$jobs/sweep"
refuses 2 'usage: ' -- "$jobs/sweep" count

printf 'network = img\nsamples = 60\nseeds = 1-3\n\n[a]\ntau-q = 0.1\n\n[b]\nsamples = 70 80\n' >good.ini
check 'a section takes the rest from above' diff - <("$jobs/sweep" list good.ini) <<'END'
0 img 60 default 0.1 default default default 1
1 img 60 default 0.1 default default default 2
2 img 60 default 0.1 default default default 3
3 img 70 default default default default default 1
4 img 70 default default default default default 2
5 img 70 default default default default default 3
6 img 80 default default default default default 1
7 img 80 default default default default default 2
8 img 80 default default default default default 3
END
check 'as many are counted' test "$("$jobs/sweep" count good.ini)" = 9
refuses 2 'tasks 0 to 8' -- "$jobs/sweep" run good.ini out 9
refuses 2 'STEP at least 1' -- "$jobs/sweep" run good.ini out 0 0
refuses 2 'whole numbers' -- "$jobs/sweep" run good.ini out first
check 'nothing was begun' test ! -e out

printf 'network = img\nsamples = 60\nseeds = 1\ntest = rank\ntau-q = 0.1 -1\n' >failing.ini
refuses 4 'task 1 img 60 rank -1 ' -- "$jobs/sweep" run failing.ini out
check 'the other task is done' test -e out/task-0.json
refuses 3 '1 of 2 tasks are missing: 1;' -- "$jobs/sweep" collect failing.ini out
finish
