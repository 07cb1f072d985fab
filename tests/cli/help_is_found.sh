#!/usr/bin/env bash
# Help where people look for it: orrery alone, orrery help, of a command, a learner, a topic.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# A script that forgot the command fails, and its log says why.
run
check "orrery alone: 2, not $code" test "$code" = 2
check 'help on standard error' grep -q '^usage: orrery COMMAND \[options\]$' "$outside/err"
check 'nothing on standard output' test ! -s "$outside/out"
cp "$outside/err" alone
accepts 'commands' 'topics' 'example:' -- --help
check 'the same text' cmp alone "$outside/out"
accepts -- help
check 'once more' cmp alone "$outside/out"
check 'fits 80 columns' awk 'length > 80 { exit 1 }' alone

same() {  # WORDS... -- WORDS...: both print the same
  local texts arguments shown code
  split "$@"
  run "${texts[@]}"
  cp "$outside/out" first
  run "${arguments[@]}"
  check "orrery ${texts[*]} is orrery ${arguments[*]}: $(head -3 first)" \
    test "$code" = 0 -a -s first -a -z "$(diff first "$outside/out")"
}
same help learn -- learn --help
same help learn quartet -- learn quartet --help
same help quartet -- learn quartet --help
same help plan tree -- plan tree -h
same --help import -- import --help
while read -r name _; do
  same help "$name" -- "$name" --help
  [[ $name == learn || $name == plan || $name == cite || $name == manual ]] && continue
  check "$name: what is required, then [options]" \
    grep -qE "^usage: orrery $name [^[].*\[options\]\$" "$outside/out"
  check "$name: fits 80 columns" awk 'length > 80 && !/^  orrery|^example|^usage/ { exit 1 }' "$outside/out"
done < <(sed -n '/^commands/,/^$/p' alone | grep '^  ')
accepts 'usage: orrery learn anchored DATA|--moments NETWORK --anchors FILE -o FILE [options]' -- help anchored
accepts 'usage: orrery learn sem DATA --causes K -o FILE [options]' -- help sem
accepts 'usage: orrery import FILE... -o FILE [options]' -- help import

n_topics=0
while read -r name _; do
  accepts -- help "$name"
  check "$name: a text of its own" test "$(wc -l <"$outside/out")" -ge 5
  check "$name: fits 90 columns" awk 'length > 90 { exit 1 }' "$outside/out"
  n_topics=$((n_topics + 1))
done < <(sed -n '/^topics/,/^$/p' alone | grep '^  ')
check "topics: $n_topics" test "$n_topics" -ge 6
accepts '75 stopped at a checkpoint' -- help exit-codes
for word in sample variable cause edge failure leak prior strength anchor posterior; do
  accepts "$word" -- help noisy-or
  check "noisy-or: says what a $word is" grep -qE "^  $word  +[a-z1(]" "$outside/out"
done
accepts 'bits, and know nothing of the causes orrery learn quartet' -- help choosing
for learner in quartet vem anchored tree linear sep sem; do
  check "choosing: $learner" grep -qE "learn $learner" "$outside/out"
done
accepts 'Take care' 'Worst pairs' '--stability' -- help reading
accepts 'mpirun -n 4' '--resume' 'scontrol requeue' -- help parallel
accepts 'columns of categories' 'structural EM' -- help learners
accepts 'bars:H' -- help networks
accepts 'threads = 4' -- help config

refuses 2 '"quartett"' 'did you mean quartet?' -- help quartett
refuses 2 '"exit-code"' 'did you mean exit-codes?' -- help exit-code
refuses 2 '"quintet" is not a learner' 'did you mean quartet?' -- help learn quintet

# An option that has no effect is neither offered nor taken, but in a file for several commands.
offers() {  # yes|no OPTION COMMAND...
  local is_offered=no
  run help "${@:3}"
  ! grep -q -- "^  --$2 " "$outside/out" || is_offered=yes
  check "${*:3} offers --$2: $is_offered" test "$is_offered" = "$1"
}
offers yes seed sample
offers yes threads learn quartet
offers no seed info
offers no threads info
offers no threads export
offers yes seed export
offers no seed moments
offers no moments learn sep
offers yes moments learn quartet
make sample --network img --samples 200 -o data.h5
refuses 2 '--threads has no effect on' 'orrery info' 'leave it out' -- info data.h5 --threads 2
refuses 2 '--seed has no effect on' 'orrery moments' -- moments data.h5 -o moments.h5 --seed 2
refuses 2 '--every' '--checkpoint' -- learn quartet data.h5 -o out.h5 --every 1min
printf 'threads = 2\nseed = 3\n' >all.ini
accepts '200 rows' -- info data.h5 --config all.ini

command -v python3 >/dev/null || skip 'python3 reads the JSON'
json() {  # PYTHON-EXPRESSION-OF-d ARGUMENTS
  run "${@:2}" --json
  check "orrery ${*:2} --json: $1" python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(not eval(sys.argv[2]))' "$outside/out" "$1"
}
json 'len(d["commands"]) >= 12 and all(len(t["summary"]) > 5 for t in d["topics"])' help
json '(d["command"] == "infer" and d["usage"].startswith("orrery infer MODEL ") and
  any(o["name"] == "--samples" and o["default"] == "4000" for o in d["options"]))' infer --help
json '{o["name"] for o in d["common_options"]} >= {"--json", "--log", "--dry-run"}' help sample
json '"quartet" in [m["name"] for m in d["methods"]]' learn --help
json '"tree" in [m["name"] for m in d["methods"]]' help plan
json '[o["choices"] for o in d["options"] if o["name"] == "--refine"] == [["em", "none"]]' help quartet
json 'd["topic"] == "files" and len(d["text"]) > 100' help files
finish
