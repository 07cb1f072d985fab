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
fails_when_full out.csv export data.h5 --rows --format csv
fails_when_full out.npy export data.h5 --format npy
fails_when_full out.html report model.h5
fails_when_full posterior.h5 infer model.h5 data.h5

# A model is small: a large one from many variables.
make sample --network bars:12 --samples 200 -o bars.h5
fails_when_full out.h5 params bars.h5 --structure bars:12

make sample --network anchored:tree:4,300 --samples 2000 --labels labels.h5 -o anchored.h5
make export anchored.h5 --format anchors -o anchors.csv
fails_when_full out.h5 learn anchored anchored.h5 --anchors anchors.csv

# Of two files that belong together neither appears, whichever has no room.
two_files() {  # CODE OUTPUT LABELS TEXT...
  refuses "$1" "${@:4}" -- sample --network anchored:tree:30,60 --samples 50000 --labels "$3" -o "$2"
}
rm labels.h5
if [[ $mounted == yes ]]; then
  for full in "two.h5 $disk/labels.h5" "$disk/two.h5 labels.h5" "$disk/two.h5 $disk/labels.h5"; do
    rm -f "$disk"/.[!.]* "$disk"/*
    read -r output labels <<<"$full"
    [[ $output != "$disk"/* ]] || printf 'a previous output' >"$output"
    [[ $labels != "$disk"/* ]] || printf 'a previous output' >"$labels"
    two_files 4 "$output" "$labels" "$disk" 'No space left on device' 'previous file' 'make room'
    check "$full: the previous outputs are there" \
      test "$(cat "$disk"/*.h5 | sed 's/output/&\n/g' | sort -u)" = 'a previous output'
    check "$full: and nothing else" \
      test "$(find "$disk" -type f | wc -l)" = "$(grep -o "$disk" <<<"$full" | wc -l)"
  done
fi
printf 'a previous output' >two.h5
printf 'a previous output' >labels.h5
ulimit -S -f 8
two_files 4 two.h5 labels.h5 'File too large' 'previous file'
ulimit -S -f unlimited

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
