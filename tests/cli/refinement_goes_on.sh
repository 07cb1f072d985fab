#!/usr/bin/env bash
# A run that is stopped again and again in a stage that takes long, each time before it could do all
# of the stage anew, comes to its end: a checkpoint has what each step of the stage came to.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=stopping.sh
source "$(dirname "$0")/stopping.sh"

# comes_to_its_end NAME FILE SHARE: `learn`, stopped after that share of its time again and again.
comes_to_its_end() {
  local name=$1 file=$2 share=$3 seconds slice attempt
  rm -f c.h5
  # shellcheck disable=SC2154  # lib.sh sets it
  seconds=$(TIMEFORMAT=%U && { time "$orrery" "${learn[@]}" --threads 1 --verbose >/dev/null 2>log; } 2>&1)
  mv "$file" "expected_$file"
  check "$name: takes long enough to be stopped ($seconds s)" \
    awk -v s="$seconds" 'BEGIN { exit !(s > 1) }'
  # And a moment to load, and to go through what was done.
  slice=$(awk -v s="$seconds" -v p="$share" 'BEGIN { print s * p + 0.3 }')
  for ((attempt = 1; attempt <= 15; ++attempt)); do
    stop USR1 "$slice"
    check "$name: attempt $attempt: 75 or 0 (it is $code)" test "${code:?}" = 75 -o "$code" = 0
    ((code == 75)) || break
  done
  check "$name: stopped at least twice ($attempt attempts)" test $attempt -gt 2
  check "$name: it comes to its end" test "$code" = 0
  check "$name: the same bytes as undisturbed" same_data "$file" "expected_$file"
}

# Refinement of causes.
make sample --network con:14,causes=18,observed=79 --samples 20000 --seed 1 -o data.h5
learn=(learn quartet data.h5 -o model.h5)
comes_to_its_end refinement model.h5 .2

# Weak causes: refinement takes too much, a network is grown, and its causes are refined.
make sample --network con:8-14,causes=12,failure=.5-.8,observed=40 --samples 2000 --seed 1 -o weak.h5
learn=(learn quartet weak.h5 -o grown.h5)
comes_to_its_end 'grown causes' grown.h5 .2
check 'grown causes are refined' grep -q 'grown causes are independent: they are refined' log
check 'they have standard errors' grep -q 'with standard errors' <("$orrery" info grown.h5)

# Pixels that are flipped are no causes: refinement comes further than growth. It goes on even if it
# has taken too much, stopped again or not.
make sample --network img --flip .1:4 --samples 2000 --seed 1 -o flipped.h5
learn=(learn quartet flipped.h5 -o images.h5)
undisturbed images.h5
rm -f c.h5
stop USR1 0.8
check "images: 75 (it is $code)" test "$code" = 75
check 'more states than it may take' "$3" c.h5
cp c.h5 costly.h5
accepts 'growth instead' 'refinement goes on' -- "${learn[@]}" --checkpoint c.h5 --resume --verbose
check 'images: the same bytes as undisturbed' same_data images.h5 expected_images.h5
rm images.h5
mv costly.h5 c.h5
slice=$(awk -v s="$seconds" 'BEGIN { print s * .25 + 0.1 }')
for ((attempt = 1; attempt <= 15; ++attempt)); do
  stop USR1 "$slice"
  ((code == 75)) || break
done
check "images: stopped at least twice ($attempt attempts)" test $attempt -gt 2
check 'images, stopped: the same bytes as undisturbed' same_data images.h5 expected_images.h5

# One start, most of which merges clusters.
make sample --network categorical:1,3,40 --samples 6000 -o table.h5
learn=(learn sep table.h5 --causes 3 --restarts 1 --extra-causes 8 -o network.h5)
comes_to_its_end 'a start' network.h5 .2
finish
