#!/usr/bin/env bash
# jobs/real imports, splits, learns, scores and names causes: tried on made-up files in the formats
# of the published ones.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# rows N SEED ON OFF: two hidden causes of four variables each (0-3, 4-7), leaks .02, m = 9.
rows() {
  awk -v n="$1" -v seed="$2" -v on="$3" -v off="$4" -v between="$5" 'BEGIN {
    srand(seed)
    for (r = 0; r < n; ++r) {
      split("", active)
      active[0] = rand() < 0.3
      active[1] = rand() < 0.2
      line = ""
      for (a = 0; a < 9; ++a) {
        value = rand() < 0.02 || (a < 8 && active[int(a / 4)] && rand() < 0.9)
        line = line (a > 0 ? between : "") (value ? on : off)
      }
      print line
    }
  }'
}
mkdir data
rows 2000 1 1 0 '' | gzip >data/nltcs.train.txt.gz
rows 500 2 1 0 '' | gzip >data/nltcs.test.txt.gz
rows 2000 3 1 0 '' | gzip >data/20news_w100.txt.gz
printf '%s\n' god jesus bible christian nasa orbit moon launch other >data/20news_w100_words.txt
{
  echo 'Class,a, b, c, d, e, f, g, h, i'
  rows 2000 4 y n ', ' | sed -e 's/^/democrat, /' -e '3s/y\|n/?/'
} >data/house-votes-84.data

check 'it runs' env REAL_DATA="$PWD/data" "$jobs/real/run" out >report 2>said
check 'it says what it found' cmp report out/report.md
check 'what is not there is named' grep -qF \
  "plants is left out: $PWD/data/plants.train.txt.gz is not there" said
check 'what is there has a model and a page' test "$(echo out/*)" = \
  'out/20news.h5 out/20news.html out/nltcs.h5 out/nltcs.html out/report.md out/votes84.h5 out/votes84.html'

# | data | variables | rows | test rows | causes | model | Chow-Liu | independent | seconds |
cells() { awk -F ' *[|] *' -v name="$1" '$2 == name' report; }
sizes() { cells "$1" | awk -F ' *[|] *' '{ print $3, $4, $5, $6 }'; }
check 'the published split' test "$(sizes nltcs)" = '9 2000 500 2'
check 'seven rows of ten to learn from' test "$(sizes 20news)" = '9 1400 600 2'
check 'of 1984 every third row to test, and the class is no variable' test "$(sizes votes84 | cut -d' ' -f1,3,4)" = '9 666 2'
for name in nltcs 20news votes84; do
  check "$name: two causes explain more than a tree, a tree more than none" test "$(cells $name |
    awk -F ' *[|] *' '{ print ($7 < 0 && $7 > $8 && $8 > $9) }')" = 1
done
words() { grep -A4 "^20news: 2 causes" report | grep "^- 0.[23]" | grep -oE '[a-z]+' | sort -u | tr '\n' ' '; }
check 'causes are named by their children' test "$(words)" = \
  'bible christian god jesus launch moon nasa orbit '

check 'a mixture is beside it' test "$(cells nltcs | grep -cE ' -[0-9.]+ [(][0-9]+[)] ')" = 1
check 'and what is published' grep -qF -- '-6.11 / -6.02' report
check 'and what the learner remarks' grep -q '^- .*standard errors' report

check 'one of them' env REAL_DATA="$PWD/data" "$jobs/real/run" one votes84 >report
check 'alone' test "$(echo one/*)" = 'one/report.md one/votes84.h5 one/votes84.html'
check 'without data there is nothing to do' env REAL_DATA="$PWD/none" "$jobs/real/run" none 2>said
check 'but to say so' test "$(wc -l <said)" = 9
refuses 2 'digits is none of nltcs, plants, jester, accidents, mushrooms, dna, bbc, 20news, votes84' -- "$jobs/real/run" out digits
finish
