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

# datasets FILE: the names of all but those of /run, and how many values each has.
datasets() {
  h5ls -r "$1" | awk '$2 == "Dataset" && $1 !~ /^\/run\// {
    n = 1
    for (i = 3; i <= NF; ++i) { gsub(/[{},]|\/.*/, "", $i); n *= $i }
    print $1, n
  }'
}

# dump FILE: all that an HDF5 file holds, digit by digit, except /run. Of datasets of more than
# 100,000 values the bytes, below the attributes and types: digits of so many take seconds.
dump() {
  local name n options=(-m '%.17g') bytes
  if datasets "$1" | awk '$2 > 100000 { found = 1 } END { exit !found }'; then
    options=(-A)
    bytes=$(mktemp)
    while read -r name n; do
      if ((n > 100000)) && h5dump -d "$name" -b LE -o "$bytes" "$1" >/dev/null 2>&1 && [[ -s $bytes ]]; then
        cat "$bytes"
      else
        h5dump -m '%.17g' -d "$name" "$1" | tail -n +2
      fi
    done < <(datasets "$1")
    rm -f -- "$bytes"
  fi
  h5dump "${options[@]}" "$1" | awk '
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
