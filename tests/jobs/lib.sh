# shellcheck shell=bash
# Sourced by every script here, which ctest starts as: bash SCRIPT ORRERY JOBS
# A script runs in an empty folder and goes on after a failed check; the last line is `finish`.
#   check WHAT COMMAND...             the command succeeds
#   refuses CODE TEXT -- COMMAND...   it ends with CODE, and what it says holds TEXT
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=../checks.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
export LC_ALL=C.UTF-8
ORRERY=$(realpath "$1")
export ORRERY
# Other tests share the cores: a thread that waits leaves its core to them.
export OMP_WAIT_POLICY=passive
# shellcheck disable=SC2034  # read by the scripts that source this file
jobs=$(realpath "$2")
folder=$(mktemp -d)
trap 'cd / && rm -rf "$folder"' EXIT
cd "$folder" || exit 1
refuses() {
  local expected=$1 text=$2 code
  shift 3
  checks=$((checks + 1))
  "$@" >said 2>&1 </dev/null
  code=$?
  ((code == expected)) || fail "$*: ended with $code, not $expected: $(cat said)"
  grep -qF -e "$text" said || fail "$*: no \"$text\" in: $(cat said)"
}

# Two seeds x two sizes.
small_sweep() {
  cat >small.ini <<'END'
samples = 200 2000  # rows
seeds = 1-2
[sets]
con = con:8
[methods]
0.01 = quartet --test rank --tau-q 0.01
END
}

# slow/orrery: the program, but a command that matches PATTERN waits until it is ended, as slow/learning
# and slow/ended tell.
slow_program() {  # PATTERN
  mkdir slow
  cat >slow/orrery <<END
#!/usr/bin/env bash
if [[ "\$*" == ${1// /\\ } ]]; then
  trap 'sleep 0.3; touch slow/ended; exit 75' TERM
  touch slow/learning
  sleep 60 &
  wait
fi
exec ${ORRERY@Q} "\$@"
END
  chmod +x slow/orrery
}

appears() {  # FILE, within half a minute
  local i
  for ((i = 0; i < 300; ++i)); do
    [[ ! -e $1 ]] || return 0
    sleep 0.1
  done
  return 1
}

# The CSV, or the table, without its times.
without_times() { sed -E 's/(,[^,]*){2}$//; s/\| [^|]* \|$/|/' "$1"; }
