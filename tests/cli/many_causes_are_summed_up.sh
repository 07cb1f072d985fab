#!/usr/bin/env bash
# Of hundreds of causes evaluate says the sums, report writes a page that can be searched.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Few causes: a screen, with both criteria.
accepts '8 of 8 causes recovered, 0 extra' 'each failure within a factor of e' \
  'causes matched 8 of 8 (cosine of strengths 1 - failure above 0.9' 'imprecise causes 0 of 8' -- \
  evaluate img --truth img
check 'no bands of few causes' bash -c "! grep -q 'Edges by strength' '$outside/out'"
check 'the text is a screen' test "$(wc -l <"$outside/out")" -le 24

# Many, all of them known: most are too rare to be recovered.
accepts 'causes matched 150 of 150' 'Edges by strength' ' causes recovered' -- evaluate qmr:150,500,2500 --truth qmr:150,500,2500
check 'no line for each cause' test "$(wc -l <"$outside/out")" -le 30
check 'nothing is said of missed causes' bash -c "! grep -q 'Missed' '$outside/out'"

# Another network of the same size: nothing is matched.
make export qmr:150,500,2500 --seed 2 --format json -o other.json
accepts 'causes matched 0 of 150' 'Missed causes:' 'nearest true cause' 'nearest learned cause' '... and 140 more: orrery report' -- \
  evaluate other.json --truth qmr:150,500,2500

make report other.json --truth qmr:150,500,2500 -o page.html
check 'the page counts by the same criterion' grep -q '>0 of 150 causes matched<' page.html
make report qmr:150,500,2500 -o page.html
check 'the page can be searched' grep -q '<table class="causes stack sorted searched">' page.html
check 'nothing is drawn' bash -c "! grep -q 'class=\"map\"' page.html"
finish
