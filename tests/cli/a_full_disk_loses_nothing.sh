#!/usr/bin/env bash
# A disk that fills up while a file is written, for real where this test may mount one, and by the
# limit on the size of files, which anybody may set.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 20000 -o data.h5
make params data.h5 --structure img -o model.h5
head -c 2000000 /dev/zero | tr '\0' '1' | fold -w 100 >table.txt; echo >>table.txt

mounted=no
if small_disk 16k; then mounted=yes; fi

has_no_room() {  # OUTPUT COMMAND... : $disk is too small for it
  local output=$1
  shift
  rm -f "$disk"/.[!.]* "$disk"/*
  printf 'a previous output' >"$disk/$output"
  refuses 4 "$output" 'No space left on device' 'previous file' 'make room' -- "$@" -o "$disk/$output"
  check "$output: the previous output is there" grep -qx 'a previous output' "$disk/$output"
  check "$output: and nothing else" test "$(find "$disk" -type f | wc -l)" = 1
}

fails_when_full() {  # OUTPUT COMMAND...
  local output=$1
  [[ $mounted == no ]] || has_no_room "$@"
  shift
  printf 'a previous output' >"$output"
  ulimit -S -f 8
  refuses 4 "$output" 'File too large' 'previous file' -- "$@" -o "$output"
  ulimit -S -f unlimited
  rm "$output"
}

fails_when_full out.h5 import table.txt
fails_when_full out.h5 sample --network img --samples 100000
fails_when_full out.h5 moments data.h5 --order 3
fails_when_full out.json export model.h5 --format bif
fails_when_full out.html report model.h5
fails_when_full posterior.h5 infer model.h5 data.h5

# A model is small: a large one from many variables.
make sample --network bars:12 --samples 200 -o bars.h5
fails_when_full out.h5 params bars.h5 --structure bars:12

# 12 MB: full only after many blocks, with most of the work done.
if [[ $mounted == yes ]] && small_disk 12m; then
  yes "$(printf '01%.0s' {1..32})" | head -n 1800000 | gzip -1 >long.txt.gz
  make sample --network bars:18 --samples 200 -o wide.h5
  has_no_room out.h5 import long.txt.gz
  has_no_room out.h5 sample --network img --samples 1800000
  has_no_room out.h5 moments wide.h5 --order 3
  make sample --network img --samples 1000000 -o "$disk/out.h5"  # as large as fits
  check 'what fits is written' test "$(stat -c %s "$disk/out.h5")" -gt 8000000
fi
[[ $mounted == yes ]] || echo 'only by the limit on file sizes: this user cannot mount a small disk'
finish
