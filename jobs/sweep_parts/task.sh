# shellcheck shell=bash disable=SC2154
# One task of a sweep, for jobs/sweep, which sets $orrery, $config, $folder, $held_out, `sets` and
# `methods`. A task is a line "SET SAMPLES METHOD SEED"; its files are named after it.

held_out_seed=1000000  # added to a task's seed, for rows that no task learns from

# file_of LINE SUFFIX
file_of() {
  printf '%s/%s.%s' "$folder" "${1// /_}" "$2"
}

# The first lines of a task's JSON: sets $heading.
make_heading() {
  local set samples method seed
  read -r set samples method seed <<<"$1"
  printf -v heading '{\n  "%s": "%s",\n  "%s": "%s",\n  "%s": %s,\n' set "$set" \
    network "${sets[$set]}" samples "$samples"
  printf -v heading '%s  "%s": "%s",\n  "%s": "%s",\n  "%s": %s,\n  "%s": %s,\n' "$heading" \
    method "$method" learn "${methods[$method]}" seed "$seed" held_out_rows "$held_out"
}

# Whether a task is done. Results of other settings are no results.
is_done() {
  local file heading found
  local -a lines
  file=$(file_of "$1" json)
  [[ -e $file ]] || return 1
  make_heading "$1"
  mapfile -n 8 lines <"$file"
  printf -v found '%s' "${lines[@]}"
  [[ $found == "$heading" ]] ||
    die 3 "$file is not what $config says of $1; choose another folder, or remove the file"
}

# read_set NAME SEED: what `sets` says of it, into the caller's variables.
read_set() {
  local -a words
  local i
  read -r -a words <<<"${sets[$1]}"
  network=${words[0]} network_seed=$2 flip=() score=
  for ((i = 1; i < ${#words[@]}; i += 2)); do
    case ${words[i]} in
      --seed) network_seed=${words[i + 1]} ;;
      --flip) flip=(--flip "${words[i + 1]}") ;;
      --score) score=${words[i + 1]} ;;
    esac
  done
}

# draw ROWS SEED FILE: samples of the task's network.
draw() {
  "$orrery" sample --network "$scratch/truth.json" --samples "$1" --seed "$2" "${flip[@]}" \
    --threads 1 --quiet -o "$3"
}

# learn LINE METHOD: the model, and how long it took in $scratch/times.
learn() {
  local n_causes method code=0 TIMEFORMAT='%3R %3U %3S'
  local -a words
  n_causes=$(grep -c '"prior":' "$scratch/truth.json" || true)
  method=${methods[$2]//'{causes}'/$n_causes}
  read -r -a words <<<"${method//'{2causes}'/$((2 * n_causes))}"
  { time "$orrery" learn "${words[@]}" "$scratch/data.h5" --threads 1 --quiet \
    -o "$(file_of "$1" h5)" --checkpoint "$(file_of "$1" checkpoint)" --resume 2>&3 ||
    code=$?; } 3>&2 2>"$scratch/times"
  return "$code"
}

# What is known of the model, as the rest of a task's JSON.
judge() {  # LINE SEED
  local model
  local -a data=()
  model=$(file_of "$1" h5)
  awk '{ printf "  \"seconds\": %.3f,\n  \"processor_seconds\": %.3f,\n", $1, $2 + $3 }' \
    "$scratch/times"
  if [[ $score ]]; then
    "$orrery" evaluate "$model" --truth "$score" --seed "$network_seed" --json --quiet |
      awk -v score="$score" '
        /^  "true_causes":/ { printf "  \"scored\": \"%s\",\n  \"scored_causes\": %d,\n", score, $2 }
        /^  "recovered":/ { printf "  \"scored_recovered\": %d,\n", $2 }'
  fi
  if ((held_out > 0)); then
    draw "$held_out" "$(($2 + held_out_seed))" "$scratch/held-out.h5"
    data=(--data "$scratch/held-out.h5")
  fi
  "$orrery" evaluate "$model" --truth "$scratch/truth.json" "${data[@]}" --threads 1 --json \
    --quiet | sed 1d
}

# run_task LINE: samples, learns, evaluates; in a subshell of its own.
run_task() {
  local set samples method seed heading scratch network network_seed score part
  local -a flip
  read -r set samples method seed <<<"$1"
  part=$(file_of "$1" "json.$HOSTNAME.$BASHPID")
  scratch=$(mktemp -d)
  # shellcheck disable=SC2064  # expanded now: the variables are local
  trap "((\$? == 0 || \$? == 143)) || echo 'jobs/sweep: error: task $1: failed, as said above' >&2
    rm -rf -- ${scratch@Q} ${part@Q}" EXIT
  read_set "$set" "$seed"
  "$orrery" export "$network" --seed "$network_seed" --format json --quiet -o "$scratch/truth.json"
  draw "$samples" "$seed" "$scratch/data.h5"
  learn "$1" "$method"
  make_heading "$1"
  { printf '%s' "$heading" && judge "$1" "$seed"; } >"$part"
  mv -- "$part" "$(file_of "$1" json)"
}
