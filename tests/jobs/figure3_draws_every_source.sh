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

# In d0, d1, d2 both true ones; then three learned ones. Left 112, images of 10 and gaps of 7; a
# block has four slots: 17 * 4 - 7 + 34 = 95.
places() {
  sed -nE 's/.*class="image" transform="translate\(([0-9]+) .*<title>(.*)<\/title>.*/\1 \2/p' "$1"
}
check 'every image is in its place' diff - <(places page.svg) <<'END'
112 true: t0
129 true: t1
207 true: t0
224 true: t1
302 true: t0
319 true: t1
112 7 &lt;rows> samples, depth 0: c0
336 7 &lt;rows> samples, depth 2: odd
353 7 &lt;rows> samples, depth 2: odder
224 7 &lt;rows> samples, depth 1: c1
END
check 'what is not recovered is framed' test "$(grep -c 'class="wrong"' page.svg)" = 3
check 'what is not learned is dashed' test "$(grep -c 'class="none"' page.svg)" = 4
check 'brightness is 1 - failure' grep -qF \
  'depth 0: c0</title><rect width="2" height="2" fill="#000"/><path opacity="0.9" d="M0 0h2v1h-2z"/></g>' page.svg
check 'each pixel has its own' grep -qF '<path opacity="0.26" d="M1 1h1v1h-1z"/></g>' page.svg
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
