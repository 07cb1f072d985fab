#!/usr/bin/env bash
# Over-parameterised variational learning, small: it finds causes from random starts, more of them when
# it is told twice the number; what is there is not made again. Without numpy it says what to do.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

opponent=$jobs/quartet/overparameterised
export PYTHON=/usr/bin/python3
if "$PYTHON" -c 'import numpy' 2>/dev/null; then
  check 'it runs' "$opponent" --quick small
  check 'every start has a line, and the default' test \
    "$(cat small/IMG_8.csv small/IMG_16.csv | wc -l)" = 5
  check 'starts find causes, 16 more than 8; the default finds all 8 and no other' awk -F, '
    $2 == "default" { all = $4 == 8 && $5 == 0 }
    $2 == 8 { few += $4 }
    $2 == 16 { many += $4 }
    END { exit !(all && few > 0 && many > few) }' small/IMG_8.csv small/IMG_16.csv
  check 'the table has every learner' test "$(grep -c '^| IMG | ' small/results.md)" = 3
  cp small/IMG_8.csv before
  check 'it runs again' "$opponent" --quick small
  check 'nothing is made again' cmp before small/IMG_8.csv
fi
cat >none <<'END'
#!/bin/sh
exit 1
END
chmod +x none
PYTHON=./none refuses 4 'apt-get install python3-numpy' -- "$opponent" --quick other
refuses 2 'usage:' -- "$opponent" --slow

finish
