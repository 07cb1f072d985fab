# shellcheck shell=bash disable=SC2154
# The steps of a chain, for jobs/chain.sh.

# keep FILE COMMAND...: what it prints, as FILE in the folder, there whole or not at all.
keep() {
  "${@:2}" >"$folder/$1.new"
  mv -- "$folder/$1.new" "$folder/$1"
}

# The program, as a process group of its own: what ends this script is handed on to it, once, and
# `learn` stops at a checkpoint. What it has to say goes to standard error.
interruptible() {
  local code child signalled=1
  set -m
  "$orrery" "$@" </dev/null >/dev/null &
  child=$!
  set +m
  trap 'signalled=1; kill -TERM "$child" 2>/dev/null || true' INT TERM HUP USR1
  while ((signalled)); do  # a signal ends `wait` before the program has stopped
    signalled=0 code=0
    wait "$child" || code=$?
  done
  trap - INT TERM HUP USR1
  return "$code"
}

step_network() { make_network; }

step_learnability() {
  keep learnability.csv learnability_csv
  keep learnability.txt learnability_text
}

learnability_csv() {
  local network test
  echo 'network,test,depth,causes,edges'
  for network in "${networks[@]}"; do
    for test in quartet triplet; do
      "$orrery" depth "$folder/$network" --test "$test" --json |
        awk -v label="${network%.json},$test" -f "$jobs/chain_parts/depths.awk"
    done
  done
}

learnability_text() {
  local network test
  for network in "${networks[@]}"; do
    for test in quartet triplet; do
      printf '%s, %ss: ' "${network%.json}" "$test"
      "$orrery" depth "$folder/$network" --test "$test"
      echo
    done
  done
}

step_sample() {
  interruptible sample --network "$folder/network.json" --samples "$rows" --seed "$seed" \
    -o "$folder/data.h5"
}

# Of both ways to learn, the other being jobs/learn.sbatch, with a checkpoint of the same name.
list_learn_arguments() {
  learn_arguments=("$folder/data.h5" --search signatures -o "$folder/model.h5")
}

step_learn() {
  local -a learn_arguments
  list_learn_arguments
  interruptible learn quartet "${learn_arguments[@]}" --checkpoint "$folder/model.h5.checkpoint" \
    --every "${EVERY:-5min}" --resume
}

# Causes of one in thousands count too, so no least prior.
step_evaluate() {
  local -a command=("$orrery" evaluate "$folder/model.h5" --truth "$folder/network.json" --min-prior 0)
  keep evaluation.txt "${command[@]}"
  keep evaluation.json "${command[@]}" --json
}

step_report() {
  keep summary.csv summary_csv
  keep summary.txt summary_text
  "$orrery" report "$folder/model.h5" --truth "$folder/network.json" --min-prior 0 \
    --title "$title" --quiet -o "$folder/report.html"
}

# Every number that `evaluate` says of the whole model.
summary_csv() {
  echo 'measure,value'
  awk -F '[":, ]+' '/^  "[a-z0-9_]+": [-0-9]/ { print $2 "," $3 }' "$folder/evaluation.json"
}

# Without the lists of causes and edges, which the page has.
summary_text() {
  printf '%s\n\n' "$title"
  cat -- "$folder/settings.txt"
  printf '\nWhat perfect tests could learn\n\n'
  grep -vE '^  [^0-9 ]|:$' "$folder/learnability.txt" | cat -s
  printf 'What was learned\n\n'
  grep -vE '^ |:$' "$folder/evaluation.txt"
}
