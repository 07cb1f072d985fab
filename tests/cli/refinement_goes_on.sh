#!/usr/bin/env bash
# A run that is stopped again and again in its refinement, each time before it could do all of it
# anew, comes to its end: a checkpoint has what each move came to.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

make sample --network con:14,causes=18,observed=80 --samples 8000 --seed 1 -o data.h5
learn=(learn quartet data.h5 -o model.h5)
# shellcheck disable=SC2154  # lib.sh sets it
seconds=$(TIMEFORMAT=%R && { time "$orrery" "${learn[@]}" --threads 1 -q; } 2>&1)
mv model.h5 expected_model.h5
check "refinement takes long enough to be stopped ($seconds s)" \
  awk -v s="$seconds" 'BEGIN { exit !(s > 1) }'
# A fifth of the whole run at a time, and half a second to load and to go through the journal.
slice=$(awk -v s="$seconds" 'BEGIN { print s / 5 + 0.5 }')
for ((attempt = 1; attempt <= 15; ++attempt)); do
  stop USR1 "$slice"
  check "attempt $attempt: 75 or 0 (it is $code)" test "${code:?}" = 75 -o "$code" = 0
  ((code == 75)) || break
done
check "stopped at least twice ($attempt attempts)" test $attempt -gt 2
check 'it comes to its end' test "$code" = 0
check 'the same bytes as undisturbed' same_data model.h5 expected_model.h5
finish
