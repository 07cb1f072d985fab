#!/usr/bin/env bash
# evaluate and report share the rows of the data among ranks: the same words, the same page, and
# what is wrong is said once.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
[[ -n ${ORRERY_MPIRUN:-} ]] || skip 'several ranks are started by mpirun'

ranks() {  # N ARGUMENTS...
  local n=$1
  shift
  OMPI_MCA_orte_execute_quiet=1 timeout -k 5 100 "$ORRERY_MPIRUN" --oversubscribe -np "$n" \
    "$orrery" "$@" --threads 1
}

# family NAME NETWORK ROWS [OPTION...]: a model is the truth of other rows.
family() {
  local name=$1 n
  make export "$2" --seed 1 --format json -o "$name.json"
  make sample --network "$name.json" --samples "$3" --seed 2 -o "$name.h5"
  local -a judge=("$name.json" --truth "$name.h5" --data "$name.h5" "${@:4}")
  "$orrery" evaluate "${judge[@]}" --threads 2 --json -q >"$name.1"
  check "$name: rows have a likelihood" grep -q '"log_likelihood"' "$name.1"
  for n in 2 5; do
    ranks "$n" evaluate "${judge[@]}" --json -q >"$name.$n"
    check "$name: the same from $n ranks" cmp "$name.1" "$name.$n"
  done
}
family noisy_or img 1000 --train noisy_or.h5
family anchored anchored:tree:4,24 700
family tree tree:recursive:12 5000
family linear linear:caterpillar:3,4 90000
family categorical categorical:1,2,8 333
check 'the comparison can fail' bash -c '! cmp -s noisy_or.1 anchored.1'

for name in noisy_or categorical; do
  make report "$name.json" --truth "$name.h5" --data "$name.h5" -o "$name.html"
  ranks 3 report "$name.json" --truth "$name.h5" --data "$name.h5" -q -o together.html
  check "$name: the same page" cmp "$name.html" together.html
done
check 'one summary' test "$(ranks 3 report tree.json -o page.html | wc -l)" = 1
check 'one plan' test "$(ranks 3 evaluate tree.json --data tree.h5 --dry-run | grep -c '^memory')" = 1

# One line of what is wrong, whichever rank finds it.
says_once() {  # CODE TEXT ARGUMENTS...
  local code=$1 text=$2
  shift 2
  ranks 3 "$@" >"$outside/out" 2>"$outside/err"
  check "exit code $code of: $*" test $? = "$code"
  check "one line of: $* ($(cat "$outside/err"))" test "$(grep -c "error: .*$text" "$outside/err")" = 1
}
says_once 3 'absent.h5' evaluate noisy_or.json --data absent.h5
says_once 3 'holds signs on a tree' evaluate noisy_or.json --truth tree.h5
says_once 2 'says nothing without' evaluate noisy_or.json --train noisy_or.h5
finish
