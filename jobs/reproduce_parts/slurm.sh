# shellcheck shell=bash disable=SC2154
# The experiments as SLURM jobs, for jobs/reproduce. One that has many tasks has arrays of them first,
# then the job that does what is left and checks the claims; the last job of all makes the table.

# submit NAME DEPENDENCY WORD...: sets $job.
submit() {
  local name=$1 dependency=$2
  local -a options=(--parsable --job-name="$name" --chdir="$PWD" --requeue --open-mode=append
    --output="$folder/slurm.log" --ntasks=1 --nodes=1 --cpus-per-task=1 --time=1-00:00:00
    "${sbatch_options[@]}")
  shift 2
  if [[ -n $dependency ]]; then options+=(--dependency="$dependency"); fi
  job=$(sbatch "${options[@]}" "$@") || die 4 "SLURM does not take $name, as said above; what is in the \
queue: squeue --me"
  job=${job%%;*}  # NUMBER;CLUSTER
  echo "$name: job $job${dependency:+ after ${dependency#*:}}"
}

# arrays_of EXPERIMENT: a line per array: number of tasks, CONFIG or SCRIPT, and its folder.
arrays_of() {
  local part
  "$quick" && return
  case $1 in
    sep) echo "$("$jobs/sep/run" count) jobs/sep/run $folder/sep" ;;
    benchmark)
      echo "$("$jobs/sweep" count jobs/benchmark/benchmark.ini) jobs/benchmark/benchmark.ini $folder/benchmark"
      ;;
    quartet)
      for part in figure3 sensitivity sets; do
        echo "$("$jobs/sweep" count "jobs/quartet/$part.ini") jobs/quartet/$part.ini $folder/quartet/$part"
      done
      ;;
  esac
}

submit_all() {
  local experiment job count config target dependency
  local -a jobs_of_experiments=()
  local -a word_quick=()
  command -v sbatch >/dev/null || die 4 'no sbatch here; without --slurm the experiments run one by one'
  if "$quick"; then word_quick=(--quick); fi
  for experiment in "${experiments[@]}"; do
    dependency=
    while read -r count config target; do
      [[ -n $count ]] || continue
      ((count <= 256)) || count=256
      submit "$experiment-tasks" '' --array="0-$((count - 1))" "$jobs/sweep.sbatch" "$config" "$target"
      dependency+=${dependency:+:}$job
    done <<<"$(arrays_of "$experiment")"
    submit "$experiment" "${dependency:+afterany:$dependency}" \
      --wrap="exec jobs/reproduce ${word_quick[*]} --folder ${folder@Q} $experiment"
    jobs_of_experiments+=("$job")
  done
  submit table "afterany:$(IFS=: && echo "${jobs_of_experiments[*]}")" \
    --wrap="exec jobs/reproduce --folder ${folder@Q} --table"
  echo "$folder/claims.md comes last; the log is $folder/slurm.log"
}
