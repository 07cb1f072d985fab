# shellcheck shell=bash disable=SC2154
# A chain as SLURM jobs, for jobs/chain.sh. `learn` is jobs/learn.sbatch, which goes on from
# checkpoints; the others are short, and begin anew when a host is lost.

# The jobs of an earlier call may still write to the folder. Where no SLURM answers there are none.
refuse_queued() {
  local queued
  [[ -s $folder/jobs ]] && command -v squeue >/dev/null || return 0
  queued=$(squeue --me --noheader --format=%A 2>/dev/null | grep -xFf "$folder/jobs" | sort -n |
    paste -sd ' ') || return 0
  die 4 "$folder: jobs $queued are in the queue; wait for them, or scancel $queued"
}

# submit STEP [JOB]: to begin when JOB is done; sets $job.
submit() {
  local -a options learn_arguments
  local script
  options=(--parsable --job-name="$name-$1" --chdir="$PWD" --output="$folder/slurm.log"
    --open-mode=append --requeue --kill-on-invalid-dep=yes "${sbatch_options[@]}")
  if (($# > 1)); then options+=(--dependency="afterok:$2"); fi
  if [[ $1 == learn ]]; then
    list_learn_arguments
    job=$(ORRERY=$orrery sbatch "${options[@]}" "$jobs/learn.sbatch" "${learn_arguments[@]}")
  else
    script=("$jobs/$name/run" "${operands[@]}" --scale "$scale" --seed "$seed" -o "$folder" --step "$1")
    job=$(ORRERY=$orrery sbatch "${options[@]}" --nodes=1 --ntasks=1 --ntasks-per-node=1 \
      --wrap="exec ${script[*]@Q}")
  fi
  job=${job%%;*}  # NUMBER;CLUSTER
}

submit_chain() {
  local step job=
  local -a submitted=()
  command -v sbatch >/dev/null || die 4 'no sbatch here; without --slurm the steps run one by one'
  for step in "${pending[@]}"; do
    if ! submit "$step" ${job:+"$job"}; then
      if ((${#submitted[@]})); then scancel "${submitted[@]}"; fi
      die 4 "SLURM does not take $step, as said above; nothing is in the queue"
    fi
    submitted+=("$job")
    echo "$step: job $job"
  done
  if ((${#submitted[@]})); then keep jobs printf '%s\n' "${submitted[@]}"; fi
  say "$folder/report.html comes last; the log is $folder/slurm.log"
}
