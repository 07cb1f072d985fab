#!/usr/bin/env bash
# HDF5 files that are damaged, foreign, newer, or hold something else; by every command that reads one.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 200 --seed 5 -o data.h5
make sample --network img --samples 200 --seed 6 -o other.h5
make moments data.h5 -o moments.h5
make moments other.h5 -o other_moments.h5
make params data.h5 --structure img -o model.h5

data_refused() {  # FILE TEXT... : as samples
  local file=$1 command
  shift
  for command in 'learn quartet' moments 'params --structure img'; do
    # shellcheck disable=SC2086  # the words are the arguments
    refuses_to_write out.h5 3 "$file" "$@" -- $command "$file" -o out.h5
  done
  refuses 3 "$file" "$@" -- evaluate model.h5 --data "$file"
}
model_refused() {  # FILE TEXT... : as a model
  local file=$1
  shift
  refuses 3 "$file" "$@" -- evaluate "$file" --truth img
  refuses_to_write out.html 3 "$file" "$@" -- report "$file" -o out.html
  refuses_to_write out.json 3 "$file" "$@" -- export "$file" --format json -o out.json
}
moments_refused() {  # FILE TEXT... : as moments
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -- learn quartet data.h5 --moments "$file" -o out.h5
  refuses_to_write out.h5 3 "$file" "$@" -- params data.h5 --structure img --moments "$file" -o out.h5
}
refused_everywhere() {
  data_refused "$@"
  model_refused "$@"
  moments_refused "$@"
  refuses 3 "$@" -- info "$1"
}

head -c 3000 data.h5 >cut.h5
refused_everywhere cut.h5 'truncated' 'restore a copy or write it anew'
head -c 20 data.h5 >stub.h5
refused_everywhere stub.h5
"$odd_hdf5" foreign foreign.h5
refused_everywhere foreign.h5 "not one of orrery's" 'import'
"$odd_hdf5" strange strange.h5
refused_everywhere strange.h5 "not one of orrery's" 'import'
cp data.h5 newer.h5
"$odd_hdf5" newer newer.h5
refused_everywhere newer.h5 'schema 2' 'schema 1' 'newer orrery'
mkdir folder.h5
refused_everywhere folder.h5 'is a directory'

# Flipped bits amid the samples, which fill most of this file.
make sample --network img --samples 20000 -o flipped.h5
size=$(stat -c %s flipped.h5)
printf '\xa5\x5a\xa5' | dd of=flipped.h5 bs=1 seek=$((size / 2)) conv=notrunc status=none
data_refused flipped.h5 'damaged'

# Not HDF5 at all.
echo 'a,b,c,d' >table.h5
data_refused table.h5 'not an HDF5 file' 'orrery import'
data_refused absent.h5 'no such file'
refuses 3 absent.h5 -- info absent.h5

# Another kind of content.
data_refused model.h5 'holds no /samples, but /model'
model_refused moments.h5 'holds no /model, but /moments'
moments_refused model.h5 'holds no /moments, but /model'

# Moments of other data: both digests are named.
digest_of() { "$orrery" info "$1" | grep -oE '(digest|of data) [0-9a-f]{16}' | grep -oE '[0-9a-f]{16}'; }
moments_refused other_moments.h5 "$(digest_of other_moments.h5)" "$(digest_of data.h5)" data.h5 \
  'orrery moments'
check 'the digests differ' test "$(digest_of data.h5)" != "$(digest_of other.h5)"

# import does not take HDF5.
refuses_to_write out.h5 3 data.h5 'HDF5' -- import data.h5 -o out.h5
finish
