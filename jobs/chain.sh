# shellcheck shell=bash disable=SC2154
# What jobs/qmr/run and jobs/health-graph/run share: a chain of steps from a network to a page, here
# one after another, or as SLURM jobs of which each waits for the one before.
#
#   step          leaves in FOLDER, the last file last     is made of
#   network       network.json                             (make_network of the caller)
#   learnability  learnability.csv, learnability.txt       network
#   sample        data.h5                                  network
#   learn         model.h5                                 sample
#   evaluate      evaluation.txt, evaluation.json          learn
#   report        summary.csv, summary.txt, report.html    evaluate, learnability
#
# The caller sets $name and usage(), calls `read_arguments`, sets $rows, $title, $settings (what the
# results depend on), `networks` (files in FOLDER whose learnability is told; the first is sampled)
# and make_network(), and calls `run_chain`.
export LC_ALL=C.UTF-8
jobs=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
orrery=$(realpath -m -- "${ORRERY:-${jobs%/*}/build/release/orrery}")
steps=(network learnability sample learn evaluate report)
declare -A product=([network]=network.json [learnability]=learnability.txt [sample]=data.h5
  [learn]=model.h5 [evaluate]=evaluation.json [report]=report.html)
declare -A needs=([network]='' [learnability]=network [sample]=network [learn]=sample
  [evaluate]=learn [report]='evaluate learnability')
# shellcheck source-path=SCRIPTDIR source=chain_parts/steps.sh
source "$jobs/chain_parts/steps.sh"
# shellcheck source-path=SCRIPTDIR source=chain_parts/slurm.sh
source "$jobs/chain_parts/slurm.sh"

say() {
  printf '%(%T)T jobs/%s: %s\n' -1 "$name" "$*" >&2
}

die() {  # CODE MESSAGE
  printf 'jobs/%s/run: error: %s\n' "$name" "$2" >&2
  exit "$1"
}

# Sets $scale, $seed, $folder, $way, `operands` and `sbatch_options`.
read_arguments() {
  operands=() sbatch_options=()
  scale=small seed=1 folder='' way=local only=
  while (($#)); do
    case $1 in
      -h | --help) usage && exit 0 ;;
      --scale | --seed | -o | --step)
        (($# > 1)) || die 2 "$1 needs a value; see --help"
        case $1 in
          --scale) scale=$2 ;;
          --seed) seed=$2 ;;
          -o) folder=$2 ;;
          --step) way=step only=$2 ;;
        esac
        shift
        ;;
      --local | --slurm) way=${1#--} ;;
      --) sbatch_options=("${@:2}") && break ;;
      -*) die 2 "unknown option $1; see --help" ;;
      *) operands+=("$1") ;;
    esac
    shift
  done
  [[ $scale == small || $scale == full ]] || die 2 "--scale $scale: must be small or full"
  [[ $seed =~ ^[0-9]{1,18}$ ]] || die 2 "--seed $seed: must be a whole number"
  [[ -z $only || -n ${product[$only]-} ]] || die 2 "--step $only: must be one of ${steps[*]}"
  [[ $way == slurm || ${#sbatch_options[@]} == 0 ]] || die 2 "-- ${sbatch_options[*]}: needs --slurm"
  folder=$(realpath -m -- "${folder:-$name/$scale-$seed}")
}

# A folder is of one chain: what was made with other settings is no part of it.
open_folder() {
  local difference
  mkdir -p -- "$folder" || exit 4
  if [[ -e $folder/settings.txt ]]; then
    difference=$(diff "$folder/settings.txt" - <<<"$settings") || die 3 "$folder is of other settings \
(< there, > asked for): $(grep '^[<>]' <<<"$difference" | paste -sd ' '); take another with -o, or remove it"
  else
    keep settings.txt printf '%s\n' "$settings"
  fi
  exec {lock}>"$folder/lock"  # a program that outlives this script holds it still
  [[ $way == step ]] || flock --nonblock "$lock" ||
    die 4 "$folder: another run is at work there; wait for it, or end it"
  [[ $way == step ]] || refuse_queued
}

# Whether a step's product is there, whole, and not older than what it is made of. Files appear whole
# or not at all, but a disk may damage those that have digests.
is_done() {
  local file=$folder/${product[$1]} need
  [[ -s $file ]] || return 1
  for need in ${needs[$1]}; do
    [[ " ${pending[*]-} " != *" $need "* && ! $folder/${product[$need]} -nt $file ]] || return 1
  done
  [[ $file == *.h5 ]] || return 0
  "$orrery" info "$file" --quiet >/dev/null && return 0
  say "$file cannot be used, as said above; it is made anew"
  return 1
}

list_pending() {
  local step
  pending=()
  for step in "${steps[@]}"; do
    is_done "$step" || pending+=("$step")
  done
}

at_exit() {  # CODE STEP
  case $1 in
    0) ;;
    75) say "$2: stopped at a checkpoint; the same command goes on" ;;
    *) say "error: step $2 failed ($1); when that is mended, the same command goes on" ;;
  esac
}

run_steps() {  # STEP...
  local step
  for step in "$@"; do
    say "$step"
    # shellcheck disable=SC2064  # expanded now: it is local
    trap "at_exit \$? $step" EXIT
    "step_$step"
    trap - EXIT
  done
}

run_chain() {
  [[ -x $orrery ]] || die 4 "$orrery is not there; run jobs/quickstart, or set ORRERY"
  open_folder
  list_pending
  case $way in
    local)
      run_steps "${pending[@]}"
      cat -- "$folder/summary.txt"
      say "$folder/report.html is written"
      ;;
    slurm) submit_chain ;;
    step)  # a job that was requeued when it had ended has nothing to do
      export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
      if [[ " ${pending[*]-} " == *" $only "* ]]; then run_steps "$only"; fi
      ;;
  esac
}
