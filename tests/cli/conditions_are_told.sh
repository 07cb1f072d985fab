#!/usr/bin/env bash
# orrery depth --test expansion: which conditions a linear network meets, and what violates them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# A tree of four levels: three of hidden variables, each judged.
accepts 'level 1: 9 causes above 27 variables' 'level 2: 3 causes above 9 variables' \
  'level 3: 1 cause above 3 variables' 'rank holds (three blocks of 9, 9 and 9 variables' \
  'expansion holds (|N(S)| = 6, |S| + d_max = 2 + 3 for the least set' \
  'expansion holds (there are fewer than two causes' 'genericity holds (for all sets of causes' \
  'programs hold ((i) asks for nothing; (ii) asks for nothing; least gap of a row 1' \
  'the covariance determines the loadings' -- depth linear:ternary:4 --test expansion
accepts '8 causes, 48 variables, 48 edges' 'the covariance determines the loadings' \
  -- depth linear:caterpillar:8,6 --test expansion
check 'one level has no number' bash -c "! grep -q 'level 1' '$outside/out'"

# network EDGES: flu, cold and rest above seven signs.
network() {
  local observed='' i
  for i in a b c d e f g; do observed+="${observed:+, }{\"name\": \"$i\", \"mean\": 0, \"noise\": 0.5}"; done
  printf '{"format": "orrery-linear-1", "observed": [%s],\n "causes": [%s],\n "edges": [%s]}\n' \
    "$observed" '{"name": "flu"}, {"name": "cold"}, {"name": "rest"}' "${1//,./,0.}"
}
# Flu and cold have the same four signs: 4 < 2 + 4, and no three blocks tell them apart.
network '[0,0,.5],[0,1,.6],[0,2,.7],[0,3,.9],[1,0,.4],[1,1,.3],[1,2,.8],[1,3,.2],
  [2,4,.5],[2,5,.5],[2,6,.5]' >twins.json
accepts 'rank violated (2 causes share 4 variables, 6 are needed' \
  'expansion violated (|N(S)| = 4, |S| + d_max = 2 + 4' 'causes flu, cold' \
  'their variables a, b, c, d' 'genericity holds (for all sets' \
  'the covariance need not determine the loadings' -- depth twins.json --test expansion

# Three variables per cause, but the same loadings in all that are shared: they cancel.
network '[0,0,.5],[0,1,.5],[0,2,.5],[0,3,.5],[1,0,.25],[1,1,.25],[1,4,.5],[1,5,.5],
  [2,6,.5],[2,2,.5],[2,4,.1]' >equal.json
accepts 'rank violated' 'genericity violated (2 causes cancel in as many variables or more' \
  'flu, ' ' cold' -- depth equal.json --test expansion
# The graph allows three blocks, the numbers do not: a and b are all that tells flu from cold.
network '[0,0,1],[0,1,1],[0,2,1],[0,3,1],[0,4,1],[0,5,1],
  [1,0,1],[1,1,2],[1,2,1],[1,3,1],[1,4,1],[1,5,1]' | sed 's/, {"name": "rest"}//' >dependent.json
accepts 'rank violated (each cause has three variables of its own' 'no three blocks are independent' \
  -- depth dependent.json --test expansion

# A file that sample wrote holds the network too; long lists end.
make sample --network linear:bipartite:60,12,.5 --samples 20 --seed 3 -o data.h5
accepts '12 causes, 60 variables' 'more (--json lists all)' 'programs in doubt ((i) fails for ' \
  ' of the vectors looked at; (ii) fails for ' -- depth data.h5 --test expansion
accepts 'memory per rank: ' 'pairs of causes' -- depth linear:bipartite:60,12,.3 --test expansion --dry-run

refuses 3 'linear:ternary:3: holds a linear network' 'depth --test expansion' -- depth linear:ternary:3
refuses 3 'holds a linear network' -- depth twins.json --test triplet
refuses 3 'img: holds a noisy-OR network' 'a linear network is needed' -- depth img --test expansion
refuses 3 'tree:star:5: holds signs on a tree' 'a linear network is needed' \
  -- depth tree:star:5 --test expansion
refuses 2 '--test pair' 'one of quartet, triplet, expansion' -- depth img --test pair
refuses 3 absent.json 'neither a file nor a built-in network' -- depth absent.json --test expansion
finish
