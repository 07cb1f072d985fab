#!/usr/bin/env bash
# Signs with a crossover of each variable's own: what is sampled, and what the learner says.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

network=(--network tree:recursive:40 --correlations '.3,.9' --samples 20000)
accepts '40 variables (a tree of 39 edges, crossovers of mean 0.1' -- \
  sample "${network[@]}" --crossover 0,.2 -o own.h5
make sample "${network[@]}" --crossover .1 -o same.h5
accepts 'sampled with a crossover of its own, 0.0' 'their mean' -- info own.h5
accepts '"crossovers": [' -- sample "${network[@]}" --crossover 0,.2 --json -o again.h5
check 'the same seed draws the same rows' cmp <("$orrery" export own.h5 --format csv -q -o -) \
  <("$orrery" export again.h5 --format csv -q -o -)

# With a crossover of each variable's own, paths through different variables disagree.
accepts 'the noise seems to differ between variables' 'no method tells a leaf from its neighbour' -- \
  learn tree own.h5 --crossover auto -o own_tree.h5
make learn tree same.h5 --crossover auto -o same_tree.h5
# shellcheck disable=SC2016  # expanded by the inner shell
check 'with one crossover nothing is said of it' \
  bash -c '! "$1" learn tree same.h5 --crossover auto -o same_tree.h5 2>&1 | grep "noise seems"' _ "$orrery"
accepts 'the structure is exact' -- evaluate same_tree.h5 --truth same.h5
"$orrery" evaluate own_tree.h5 --truth own.h5 --quiet >"$outside/own"
check 'noise that differs costs edges that equal noise does not' grep -q ' wrong$' "$outside/own"


# A leaf that took its neighbour's place is told from a wrong tree.
pair() { # FILE EDGES
  printf '{"format": "orrery-tree-1", "crossover": 0, "variables": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}], "edges": [%s]}' "$2" >"$1"
}
pair chain.json '[0, 1, 0.6], [1, 2, 0.5], [2, 3, 0.4]'
pair exchanged.json '[1, 0, 0.6], [0, 2, 0.5], [2, 3, 0.4]'
pair wrong.json '[0, 2, 0.6], [2, 1, 0.5], [1, 3, 0.4]'
accepts '2 of 3 edges found, 1 wrong: right up to exchanges of a leaf and its neighbour' -- \
  evaluate exchanged.json --truth chain.json
accepts '1 of 3 edges found, 2 wrong missing' -- evaluate wrong.json --truth chain.json

# Drawn again from the file: one crossover, and no word of others.
make sample --network own.h5 --samples 10 -o plain.h5
# shellcheck disable=SC2016  # expanded by the inner shell
check 'the remark is gone' bash -c '! "$1" info plain.h5 | grep "of its own"' _ "$orrery"
refuses 2 '--crossover .3,.1' 'write the lower one first' -- sample "${network[@]}" --crossover .3,.1 -o x.h5
refuses 2 '--crossover 0.5' 'below 0.5' -- sample "${network[@]}" --crossover 0,0.5 -o x.h5
refuses 2 '--crossover 0,.1,.2' -- sample "${network[@]}" --crossover 0,.1,.2 -o x.h5
refuses 2 '--crossover' -- sample "${network[@]}" --crossover often -o x.h5
finish
