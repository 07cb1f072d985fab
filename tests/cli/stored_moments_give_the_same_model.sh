#!/usr/bin/env bash
# learn and params from stored moments, of order 2 and 3, equal those from the data alone.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

make sample --network img --samples 2000 --seed 4 -o data.h5
make moments data.h5 -o two.h5
make moments data.h5 --order 3 -o three.h5
for command in 'learn quartet' 'params --structure img'; do
  # shellcheck disable=SC2086  # the words are the arguments
  {
    make $command data.h5 -o alone.h5
    for moments in two three; do
      accepts "$moments.h5: counts of order" -- $command data.h5 --moments $moments.h5 -v -o $moments.model.h5
      check "$command: moments of order $moments" same_data alone.h5 $moments.model.h5
    done
  }
done

# Exact moments: the network itself comes back.
accepts 'exact moments' -- learn quartet --moments img -o exact.h5
accepts '8 of 8 causes recovered, 0 extra' -- evaluate exact.h5 --truth img

# The comparison can fail: one more row, one other number, are seen.
make sample --network img --samples 2000 --seed 5 -o other.h5
make learn quartet other.h5 -o other.model.h5
make learn quartet data.h5 -o alone.h5
check 'other data, other model' test "$(same_data alone.h5 other.model.h5; echo $?)" != 0
finish
