#!/usr/bin/env bash
# Linear networks from their exact moments: by default all that have the rank condition come back
# whole, by the paper's ALGORITHM 1 those where Theorem 3.2 holds; and two published questionnaires
# have their factors.
# shellcheck disable=SC2016  # backquotes of Markdown
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

check 'it runs' bash -c "'$jobs/linear/exact' --quick >exact.md"
# network TABLE-CELLS: of the last table.
counts() { awk -F ' *[|] *' -v network="\`$1\`" '$2 == network && NF == 8 { print $3, $4, $5, $6, $7 }' exact.md; }
check 'trees and caterpillars come back whole, as the theorem says' \
  test "$(counts ternary:4) $(counts tree:4,3) $(counts caterpillar:8,4)" = '1 1 1 1 1 1 1 1 1 1 2 2 2 2 2'
check 'two children each are too few for the rank condition' test "$(counts tree:2,4)" = '1 0 0 0 0'
check 'dense bipartite networks by default alone' test "$(counts bipartite:60,8,.3)" = '2 0 0 0 2'
check 'and the table says why' grep -qE '`bipartite:60,8,.3` \| 1 \|.* \| 5[0-9] of 58 fail, least ' exact.md
refuses 2 'usage' -- "$jobs/linear/exact" --huge

if Rscript --vanilla -e 'quit(status = !requireNamespace("lavaan", quietly = TRUE))' 2>/dev/null; then
  check 'questionnaires are learned' bash -c "'$jobs/linear/real' >real.md"
  check 'three causes are found, with eight of nine tests at least' \
    grep -qE 'number of causes tested: 3 causes; [89] of 9 items' real.md
else
  check 'questionnaires are skipped without R' bash -c "'$jobs/linear/real' | grep -q 'lavaan is not there'"
fi
finish
