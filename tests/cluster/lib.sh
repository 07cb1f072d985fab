# shellcheck shell=bash
# Sourced by the tests here. Each is a script of its own that ends with `finish`, or with 77 where it
# cannot run, and leaves no process, host, mount or file, also when it is interrupted.
#   need mpi|hosts|slurm          skips without them; brings up three hosts, and SLURM on them
#   make_work SECONDS             data.h5, and model.h5 of a run that nothing disturbs: $elapsed s
#   check WHAT COMMAND...         the command succeeds
set -uo pipefail
export LC_ALL=C.UTF-8
unset ORRERY_KERNEL
here=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname -- "$(dirname -- "$here")")
# shellcheck source-path=SCRIPTDIR source=../checks.sh
source "$root/tests/checks.sh"
orrery=${ORRERY:-$root/build/release/orrery}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1  # there are more ranks here than cores
export OMP_NUM_THREADS=1
scratch=$(mktemp -d)
export TMPDIR=$scratch/tmp  # of MPI's session folders too
mkdir "$TMPDIR"

# Everything that belongs to a test has its scratch folder in its command line, or is on a host.
left_over() {
  pgrep -f -- "$scratch/" || true
}

# No process of the last run may outlive it into the next one.
await_end() {
  for _ in {1..300}; do
    [[ -z $(left_over) ]] && return 0
    sleep 0.1
  done
  return 1
}

cleanup() {
  local left
  trap '' INT TERM HUP
  cd /
  [[ -z ${has_hosts:-} ]] || "$here/hosts" down
  for _ in {1..50}; do
    left=$(left_over)
    [[ -n $left ]] || break
    # shellcheck disable=SC2086  # a list of numbers
    kill -KILL $left 2>/dev/null
    sleep 0.1
  done
  ! mountpoint -q "$scratch/disk" || umount "$scratch/disk"
  rm -rf -- "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$scratch" || exit 4

check() {  # as in checks.sh, and says what went well
  local what=$1
  shift
  checks=$((checks + 1))
  if "$@"; then printf 'ok: %s\n' "$what"; else fail "$what"; fi
}

finish() {
  if ((failures > 0)) && [[ -e log ]]; then
    echo '--- the last lines of the log'
    tail -n 30 log
  fi
  printf '%d checks, %d failures\n' "$checks" "$failures"
  ((checks > 0 && failures == 0))
  exit
}

need_hosts() {
  ((EUID == 0)) || skip 'hosts are network namespaces: only root can make them'
  command -v ip >/dev/null || skip 'hosts need ip (package iproute2)'
  exec 9>/run/lock/orrery-cluster  # the names of the hosts are the machine's: one test at a time
  flock --wait 900 9 || skip 'another run of tests/cluster has had the hosts for 15 minutes'
  "$here/hosts" down
  unshare --net --uts --mount --ipc true 2>/dev/null || skip 'this machine lets nobody make network namespaces'
  has_hosts=yes
  "$here/hosts" up 3 || exit 4
}

need() {
  [[ -x $orrery ]] || skip "$orrery is not there; tests/run builds it"
  command -v mpirun >/dev/null || skip 'no mpirun'
  command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'
  [[ $1 == mpi ]] && return
  need_hosts
  [[ $1 == hosts ]] && return
  command -v slurmctld >/dev/null || skip 'no SLURM (packages slurm-wlm and munge)'
  export SLURM_CONF=$scratch/slurm/slurm.conf
  "$here/slurm" up "$scratch/slurm" 3 2 9>&- || exit 4
}

# On the head of the cluster: sbatch, squeue, scontrol.
on_head() {
  "$here/on_host" orrery0 "$@"
}

# Every digest in it is right.
intact() {
  "$orrery" info "$1" >/dev/null
}

# await SECONDS COMMAND...: until it succeeds
await() {
  local tenths=$(($1 * 10))
  shift
  while ! "$@" && ((tenths-- > 0)); do sleep 0.1; done
  "$@"
}

source "$here/work.sh"
source "$here/jobs.sh"
