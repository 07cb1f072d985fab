# shellcheck shell=bash
# Sourced by every script here, which ctest starts as: bash SCRIPT ORRERY ODD_HDF5 [MORE...]
# A script runs in an empty folder and goes on after a failed check; the last line is `finish`.
#   refuses CODE TEXT... -- ARGUMENTS    the command ends with CODE and one line of error that holds
#                                        every TEXT; no file appears, vanishes or changes
#   accepts TEXT... -- ARGUMENTS         it ends with 0; what it prints holds every TEXT, where
#                                        several blanks and line ends count as one blank
#   check WHAT COMMAND...                the command succeeds
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../checks.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
export LC_ALL=C.UTF-8
unset ORRERY_KERNEL
# Other tests share the cores: a thread that waits leaves its core to them.
export OMP_WAIT_POLICY=passive

orrery=$(realpath "$1")
# shellcheck disable=SC2034  # read by the scripts that source this file
odd_hdf5=$(realpath "$2")
outside=$(mktemp -d)  # what is looked at, apart from what is judged
folder=$(mktemp -d)
disk=$outside/disk
trap 'cd /; ! mountpoint -q "$disk" || umount "$disk"; rm -rf "$folder" "$outside"' EXIT
cd "$folder" || exit 1
# Every name here with its kind; of files also what changes with any write: inode, size, time.
snapshot() {
  find . -mindepth 1 -type f -printf '%p %i %s %C@\n' -o -printf '%p %y %l\n'
}

# changed_nothing SHOWN BEFORE: all that is here is as the snapshot BEFORE has it.
changed_nothing() {
  local after
  after=$(snapshot)
  [[ $after == "$2" ]] || diff <(sort <<<"$2") <(sort <<<"$after") >"$outside/changes" ||
    fail "$1: changed files: $(<"$outside/changes")"
}

# run ARGUMENTS: sets $code; what it says is in $outside/out and $outside/err.
run() {
  timeout -k 5 120 "$orrery" "$@" >"$outside/out" 2>"$outside/err" </dev/null
  code=$?
}

expect_texts() {  # WHERE TEXT...
  local where=$1 text
  shift
  for text in "$@"; do
    grep -qF -e "$text" "$where" || tr -s '[:space:]' ' ' <"$where" | grep -qF -e "$text" ||
      fail "$shown: no \"$text\" in: $(<"$where")"
  done
}

# one_error SHOWN: what the command said is one error, with warnings or without.
one_error() {
  local line n=0
  while IFS= read -r line || [[ -n $line ]]; do
    case $line in
      'orrery: error: '*) n=$((n + 1)) ;;
      'orrery: warning: '*) ;;
      *) fail "$1: says more than an error: $line" ;;
    esac
  done <"$outside/err"
  ((n == 1)) || fail "$1: not one line of error: $(<"$outside/err")"
}

# The words before -- become $texts, those after it $arguments.
split() {
  texts=()
  while (($#)) && [[ $1 != -- ]]; do
    texts+=("$1")
    shift
  done
  shift
  arguments=("$@")
  shown="orrery ${arguments[*]}"
}

refuses() {
  local expected=$1 texts arguments shown code before
  shift
  split "$@"
  checks=$((checks + 1))
  before=$(snapshot)
  run "${arguments[@]}"
  changed_nothing "$shown" "$before"
  ((code == expected)) || fail "$shown: ended with $code, not $expected: $(<"$outside/err")"
  one_error "$shown"
  [[ ! -s $outside/out ]] || fail "$shown: prints: $(<"$outside/out")"
  expect_texts "$outside/err" "${texts[@]}"
}

accepts() {
  local texts arguments shown code
  split "$@"
  checks=$((checks + 1))
  run "${arguments[@]}"
  ((code == 0)) || fail "$shown: ended with $code: $(<"$outside/err")"
  cat "$outside/out" "$outside/err" >"$outside/all"
  ! grep -qF HDF5-DIAG "$outside/err" || fail "$shown: HDF5 speaks: $(<"$outside/err")"
  expect_texts "$outside/all" "${texts[@]}"
}

# Each case twice: where no output is, and where a previous one must survive.
refuses_to_write() {  # OUTPUT CODE TEXT... -- ARGUMENTS (which write OUTPUT)
  local output=$1
  shift
  rm -f "$output"
  refuses "$@"
  printf 'a previous output' >"$output"
  refuses "$@"
  rm -f "$output"
}

# make COMMAND...: what a test needs before it begins.
make() {
  "$orrery" "$@" -q >/dev/null || { fail "cannot begin: orrery $*"; finish; }
}

# The rows of a data file as CSV, without the names of rows, which stand in a first column without a
# name: rows_of DATA
rows_of() {
  "$orrery" export "$1" --rows --format csv -q -o - |
    awk 'NR == 1 { named = /^,/ } named { sub(/^[^,]*,/, "") } { print }'
}

# A file system of SIZE at $disk, if this user may mount one: small_disk SIZE
small_disk() {
  ! mountpoint -q "$disk" || umount "$disk"
  mkdir -p "$disk" && mount -t tmpfs -o "size=$1" tmpfs "$disk" 2>/dev/null
}

# A table of two hidden causes: make_table ROWS
make_table() {
  awk -v n="$1" 'BEGIN {
    srand(7)
    print "ann,bob,cat,dan,eve,fay,gus,hal"
    for (i = 0; i < n; ++i) {
      p = rand() < .4; q = rand() < .3
      for (c = 0; c < 8; ++c) {
        on = (c < 4 ? p : q) && rand() < .8 || rand() < .05
        printf "%d%s", on, c < 7 ? "," : "\n"
      }
    }
  }'
}
