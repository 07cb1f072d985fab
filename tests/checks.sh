# shellcheck shell=bash
# What the lib.sh of tests/cli, tests/jobs and tests/cluster share: counting checks and failures,
# and comparing HDF5 files.
checks=0
failures=0

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

check() {  # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" || fail "$what"
}

finish() {
  printf '%d checks, %d failures\n' "$checks" "$failures"
  ((checks > 0 && failures == 0))
  exit
}

# dump FILE: all that an HDF5 file holds, digit by digit, except /run.
dump() {
  h5dump -m '%.17g' "$1" | awk '
    NR == 1 { next }  # the name of the file
    /^   GROUP "run" \{/ { inside = 1 }
    !inside
    /^   \}/ { inside = 0 }'
}

# same_result FILE FILE: equal; a page may say when, where, by which command and from which file the
# model was made in another run.
page_of() { grep -vE '<th scope="row">(command|started|host|data file)</th>' "$1"; }
same_result() {
  if [[ $1 == *.html ]]; then cmp <(page_of "$1") <(page_of "$2"); else cmp "$1" "$2"; fi
}

same_data() {  # FILE FILE: equal outside /run
  h5diff --exclude-path=/run "$1" "$2" >/dev/null && cmp -s <(dump "$1") <(dump "$2")
}
