# shellcheck shell=bash disable=SC2154
# Sourced by jobs/sweep and jobs/sep/run: many small tasks, as many at a time as there are cores. They
# define
#   tasks      an array, a line a task; run_task LINE and is_done LINE
#   config     what names the tasks, for messages; folder, where they leave what they did
#   orrery     the program
#   die CODE MESSAGE

# run_tasks LINE...: as many at a time as there are cores (nproc heeds OMP_NUM_THREADS). Each is a
# process group of its own, so that a signal to this script stops the programs too, at a checkpoint.
run_tasks() {
  local line n_begun=0 n_running=0 n_failed=0 n_cores said=$SECONDS
  n_cores=$(nproc)
  set -m
  trap 'stop_tasks 130' INT
  trap 'stop_tasks 143' TERM
  trap 'stop_tasks 75' USR1
  for line in "$@"; do
    while ((n_running >= n_cores)); do reap; done
    (
      trap - INT USR1
      trap 'exit 143' TERM  # once the program in hand has stopped
      run_task "$line"
    ) &
    n_running=$((n_running + 1))
    n_begun=$((n_begun + 1))
    if ((SECONDS - said >= 5)); then
      printf '%(%T)T %d of %d tasks begun\n' -1 "$n_begun" $# >&2
      said=$SECONDS
    fi
  done
  while ((n_running > 0)); do reap; done
  ((n_failed == 0)) || die 4 "$n_failed of $# tasks failed; run them again when that is mended"
}

reap() {
  wait -n || n_failed=$((n_failed + 1))
  n_running=$((n_running - 1))
}

stop_tasks() {  # CODE
  local group
  trap - INT TERM USR1
  for group in $(jobs -p); do kill -TERM -- "-$group" 2>/dev/null || true; done
  wait
  exit "$1"
}

# run_every [TASK [STEP]]: those of `tasks` that are not done.
run_every() {
  local -a pending=()
  local i first=${1:-0} step=${2:-${#tasks[@]}}
  (($# > 0)) || step=1
  [[ $first =~ ^[0-9]{1,9}$ && $step =~ ^[1-9][0-9]{0,8}$ ]] ||
    die 2 "run $*: TASK and STEP are whole numbers, STEP at least 1"
  ((first < ${#tasks[@]})) || die 2 "run $first: $config has tasks 0 to $((${#tasks[@]} - 1))"
  [[ -x $orrery ]] || die 4 "$orrery is not there; run jobs/quickstart, or set ORRERY"
  mkdir -p -- "$folder"
  for ((i = first; i < ${#tasks[@]}; i += step)); do
    is_done "${tasks[i]}" || pending+=("${tasks[i]}")
  done
  run_tasks "${pending[@]}"
  echo "$folder: ${#pending[@]} tasks run" >&2
}

# "1 2 3 7" becomes "1-3,7", which sbatch --array understands.
as_ranges() {
  awk '{
    for (i = 1; i <= NF; i = j) {
      for (j = i + 1; j <= NF && $j == $(j - 1) + 1; ) ++j
      printf "%s%s%s", (i > 1 ? "," : ""), $i, (j > i + 1 ? "-" $(j - 1) : "")
    }
  }' <<<"$*"
}
