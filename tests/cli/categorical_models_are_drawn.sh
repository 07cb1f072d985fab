#!/usr/bin/env bash
# Categorical models as pages, and their samples as text: the data stand below the structure, rows go
# out and come back, and what cannot be drawn is refused.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network categorical:2,3,12 --missing-share .1 --samples 50 --seed 3 -o data.h5
make export data.h5 --format json -o true.json

accepts '3 causes and ' -- report true.json -o alone.html
check 'it shows the parents' grep -q 'x1 ← cause' alone.html
check 'and no data' sh -c '! grep -q "Data: samples by variables" alone.html'
accepts drawn -- report true.json --truth data.h5 --data data.h5 --title 'Ours & theirs' -o page.html
check 'the title' grep -q '<h1>Ours &amp; theirs</h1>' page.html
check 'every edge is right' grep -qE 'class="summary">([0-9]+) of \1 edges right' page.html
check 'the data' grep -q 'Data: samples by variables' page.html
check 'a colour of what is missing' grep -q '<path class="lm"' page.html
check 'how likely they are' grep -qE 'this model</th><td>-[0-9.]+ ± [0-9.]+' page.html
accepts 'memory per rank' -- report true.json --data data.h5 --dry-run -o other.html
check 'a dry run draws nothing' test ! -e other.html

# Rows as text, and back.
accepts '50 rows of 12 variables written to rows.csv' -- export data.h5 --format rows -o rows.csv
check 'a line of names and one per row' test "$(wc -l <rows.csv)" = 51
check 'an empty field where nothing is known' grep -qE ',,|,$' rows.csv
make import rows.csv --categorical --categories 0,1,2,3 -o back.h5
make export back.h5 --format rows -o back.csv
check 'the same rows' cmp rows.csv back.csv
accepts x1,x2,x3 -- export data.h5 --format rows -o -
accepts 'rows' -- export data.h5 --format rows --dry-run
printf 'p,"q,r"\n"a ""b""",1\nc,2\na,\n' >odd.csv
make import odd.csv --categorical -o odd.h5
printf 'p,"q,r"\n"a ""b""",1\nc,2\na,\n' >expected.csv
make export odd.h5 --format rows -o odd_again.csv
check 'names and categories that need quotes' cmp expected.csv odd_again.csv
refuses 3 true.json -- export true.json --format rows -o no.csv
refuses 2 data.h5 -- export data.h5 --format rows -o data.h5

# Data of other variables or categories cannot stand below.
sed '1s/x3/y3/' rows.csv >renamed.csv
sed '2s/^[0-9]*/9/' rows.csv >unseen.csv
make import renamed.csv --categorical -o renamed.h5
make import unseen.csv --categorical -o unseen.h5
refuses 3 renamed.h5 x3 -- report true.json --data renamed.h5 -o no.html
refuses 3 unseen.h5 x1 '"9"' -- report true.json --data unseen.h5 -o no.html
refuses 2 '--grid is of no use here' 'a categorical network' -- report true.json --grid 3x4 -o no.html
refuses 3 img 'a noisy-OR network, but a categorical network is needed' -- \
  report true.json --truth img -o no.html
refuses 2 data.h5 -- report true.json --data data.h5 -o data.h5

# What was learned has a posterior, and other parents that are possible.
make learn sep data.h5 --causes 2 --parents 1 -o learned.h5
accepts '2 causes and ' -- report learned.h5 --truth data.h5 --data data.h5 -o learned.html
check 'its posterior' grep -q 'learned: posterior' learned.html
check 'a true cause that it lacks' grep -q '(missed)' learned.html
finish
