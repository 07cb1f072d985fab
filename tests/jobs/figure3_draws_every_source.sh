#!/usr/bin/env bash
# Figure 3's page holds every learned source in its place, and the one in README is what the
# program draws.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Two true sources on 2x2 pixels; four learned ones: t0 well at depth 0, t1 badly at depth 1, and
# two at depth 2 that match none.
cat >truth.json <<'END'
{
  "format": "orrery-network-1",
  "causes": [
    {"name": "t0", "prior": 0.25},
    {"name": "t1", "prior": 0.25}
  ],
  "observed": [
    {"name": "a", "leak": 0.01},
    {"name": "b", "leak": 0.01},
    {"name": "c", "leak": 0.01},
    {"name": "d", "leak": 0.01}
  ],
  "edges": [
    [0, 0, 0.1],
    [0, 1, 0.1],
    [1, 3, 0.1]
  ]
}
END
sed -e '/"name": "t0"/s/$/\n    {"name": "odd", "prior": 0.1, "depth": 2},\n    {"name": "odder", "prior": 0.1, "depth": 2},/' \
  -e 's/"t0", "prior": 0.25/"c0", "prior": 0.2, "depth": 0/' \
  -e 's/"t1", "prior": 0.25/"c1", "prior": 0.2, "depth": 1/' \
  -e 's/\[1, 3, 0.1\]/[2, 2, 0.5],\n    [3, 3, 0.75]/' truth.json >model.json
cat >task.json <<'END'
{
  "causes": [
    {
      "learned": "c0",
      "recovered": true,
      "true": "t0"
    },
    {
      "learned": "c1",
      "recovered": false,
      "true": "t1"
    }
  ]
}
END
check 'the program reads the networks' "$ORRERY" export model.json --format csv -q -o model.csv
check 'it draws' "$jobs/figure3/draw" 'a < b & c' truth.json '7 <rows>' task.json model.json >page.svg

# Which source stands where: the true ones in a block for each depth, a learned one below a true one
# of its block, or to the right of the last one.
places() {
  sed -nE 's/.*class="image" transform="translate\(([0-9]+) .*<title>(.*)<\/title>.*/\1 \2/p' "$1" |
    awk '
      $2 == "true:" {
        if (first == "") first = $3
        blocks += $3 == first
        at[$1] = "block " blocks " " $3
        end[blocks] = $1
        print at[$1]
        next
      }
      {
        for (b = blocks; end[b] > $1;) --b
        print $(NF - 2), $(NF - 1), $NF, ($1 in at ? "below " at[$1] : "right of block " b)
      }'
}
check 'every image is in its place' diff - <(places page.svg) <<'END'
block 1 t0
block 1 t1
block 2 t0
block 2 t1
block 3 t0
block 3 t1
depth 0: c0 below block 1 t0
depth 2: odd right of block 3
depth 2: odder right of block 3
depth 1: c1 below block 2 t1
END
check 'what is not recovered is framed' test "$(grep -c 'class="wrong"' page.svg)" = 3
check 'what is not learned is dashed' test "$(grep -c 'class="none"' page.svg)" = 4
# The pixels of an image that are not black: row, column, brightness.
pixels() { # the end of its title
  grep -F "$1</title>" page.svg | grep -oE 'opacity="[0-9.]+" d="[^"]*"' | sed 's/M/\nM/g' |
    awk -F'"' '/^opacity/ { bright = $2; next }
      /^M/ { split($1, f, /[Mhvz ]/); for (i = 0; i < f[4]; ++i) print f[3], f[2] + i, bright }'
}
check 'brightness is 1 - failure' test "$(pixels 'depth 0: c0')" = $'0 0 0.9\n0 1 0.9'
check 'each pixel has its own' test "$(pixels 'depth 1: c1')" = '1 1 0.26'
check 'text is escaped' grep -qF '>a &lt; b &amp; c</text>' page.svg
check 'depth 2 is said' grep -qF 'learned after 2 rounds of' page.svg

refuses 3 'truth.json: no matching of 2 sources' -- "$jobs/figure3/draw" n truth.json 7 truth.json model.json
refuses 3 'task.json: not a network' -- "$jobs/figure3/draw" n truth.json 7 task.json task.json
refuses 3 'absent.json: not a network' -- "$jobs/figure3/draw" n absent.json
sed '/"name": "d"/d' truth.json >three.json
refuses 3 'three.json: 3 variables are not a square' -- "$jobs/figure3/draw" n three.json
refuses 2 'usage: ' -- "$jobs/figure3/draw" n truth.json 7 task.json

check 'the whole figure runs' "$jobs/figure3/run" out
check 'README shows what it draws: copy it to jobs/figure3/figure3.svg' \
  cmp out/figure3.svg "$jobs/figure3/figure3.svg"
if command -v python3 >/dev/null; then
  for page in page.svg out/figure3.svg; do
    check "$page is well-formed" python3 -c \
      'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' "$page"
  done
fi
finish
