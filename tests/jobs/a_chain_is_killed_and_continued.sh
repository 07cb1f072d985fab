#!/usr/bin/env bash
# The small chain of jobs/qmr, stopped and killed in the middle of learning and started again, ends
# with the bytes of one that nobody disturbed.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
export EVERY=0.05s OMP_NUM_THREADS=1
results='evaluation.json evaluation.txt learnability.csv learnability.txt network.json report.html
  settings.txt summary.csv summary.txt'

check 'undisturbed it ends' "$jobs/qmr/run" -o whole >printed 2>said
check 'it prints the summary' cmp printed whole/summary.txt
check 'it says how many causes it found' grep -qE '^[0-9]+ of 100 causes recovered' printed
# shellcheck disable=SC2086  # a list of files
check 'it leaves this, and nothing else' test "$(echo whole/*)" = \
  "$(printf 'whole/%s\n' $results data.h5 model.h5 lock | sort | paste -sd ' ')"

# The process that learns: its command line has the name of the folder.
learning() { pgrep -f -- "learn quartet $folder/broken/data.h5"; }
start() {
  "$jobs/qmr/run" -o broken >printed 2>said &
  chain=$!
}
# until_checkpoint [OLD]: there is one, and not the OLD one. It learns for a second, so look often.
checkpoint() { stat -c %i.%y broken/model.h5.checkpoint 2>/dev/null; }
until_checkpoint() {
  local i
  for ((i = 0; i < 3000; ++i)); do
    [[ -z $(checkpoint) || $(checkpoint) == "${1-}" ]] || return 0
    sleep 0.01
  done
  return 1
}
start
check 'it learns' until_checkpoint
kill -TERM "$chain"
wait "$chain"
check 'told to stop, it ends with 75' test $? = 75
check 'and what it learned with, too' test -z "$(learning)"
check 'it says how to go on' grep -qF 'learn: stopped at a checkpoint; the same command goes on' said
check 'there is no model' test ! -e broken/model.h5
check 'but a checkpoint' test -s broken/model.h5.checkpoint

data=$(stat -c %Y.%i broken/data.h5)
before=$(checkpoint)
start
check 'it learns again' until_checkpoint "$before"
check 'it goes on from there' grep -q 'going on from' said
# shellcheck disable=SC2046  # a list of numbers
kill -KILL "$chain" $(learning)
wait "$chain" 2>/dev/null
check 'killed, it leaves no model' test ! -e broken/model.h5
for ((i = 0; i < 50; ++i)); do
  learning >/dev/null || break
  sleep 0.1
done
check 'it goes on again, to the end' "$jobs/qmr/run" -o broken >printed 2>said
check 'from the checkpoint' grep -q 'going on from' said
check 'without samples drawn anew' test "$(stat -c %Y.%i broken/data.h5)" = "$data"
for file in $results; do check "the same $file" same_result "whole/$file" "broken/$file"; done
check 'the same model' same_data whole/model.h5 broken/model.h5
check 'no checkpoint is left' test ! -e broken/model.h5.checkpoint
finish
