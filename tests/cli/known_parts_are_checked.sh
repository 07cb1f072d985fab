#!/usr/bin/env bash
# --structure, --start, --forbid and --require: refused before any work where they cannot be meant,
# and never overwritten.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 500 -o data.h5
make params data.h5 --structure img -o start.h5
printf '# no such edge\n*,x3\nring6,x0\n' >forbid.txt
printf 'circle,x3\n' >require.txt
cp require.txt again.txt
printf '*,x5\n' >all.txt

known=(--structure img --start start.h5 --forbid forbid.txt --require require.txt)
accepts 'known: 8 causes kept, 8 to start from, 2 edges forbidden, 1 required' -- \
  learn quartet data.h5 "${known[@]}" -v -o model.h5
accepts 'time: ' -- learn quartet data.h5 "${known[@]}" --dry-run
# Exact moments have no rows to refine on.
refuses 2 'known parts need --refine em' -- \
  learn quartet --moments img --require all.txt -o exact.h5
rm model.h5
for option in --structure --start --forbid --require; do
  accepts "$option" -- learn quartet --help
done

printf 'ring7,x0\n' >cause.txt
printf '*,x0\n*,y3\n' >variable.txt
printf 'ring6 x0\n' >shape.txt
for option in --forbid --require; do
  refuses_to_write out.h5 3 cause.txt 'line 1' "cause 'ring7'" "'ring4', 'ring6' or " -- \
    learn quartet data.h5 --structure img $option cause.txt -o out.h5
  refuses_to_write out.h5 3 variable.txt 'line 2' "variable 'y3'" "'x3'" -- \
    learn quartet data.h5 $option variable.txt -o out.h5
  refuses_to_write out.h5 3 shape.txt 'line 1' "'ring6 x0'" -- \
    learn quartet data.h5 --structure img $option shape.txt -o out.h5
  refuses_to_write out.h5 3 absent.txt 'no such file' -- learn quartet data.h5 $option absent.txt -o out.h5
done
refuses 3 cause.txt 'ring7' -- learn quartet data.h5 --start img --forbid cause.txt --dry-run
refuses_to_write out.h5 3 'again.txt: line 1: circle,x3' 'require.txt: line 1: circle,x3' -- \
  learn quartet data.h5 --start img --forbid again.txt --require require.txt -o out.h5
refuses_to_write out.h5 3 'again.txt: line 1: circle,x3' '--structure has this edge' -- \
  learn quartet data.h5 --structure img --forbid again.txt -o out.h5
refuses_to_write out.h5 3 'the 81 variables of bars:9' 'lack 17 (x64' -- learn quartet data.h5 --structure bars:9 -o out.h5
refuses_to_write out.h5 3 absent.json -- learn quartet data.h5 --start absent.json -o out.h5

# What is read is not written over.
for option in --forbid --require; do
  refuses 2 '-o all.txt' 'replace it' -- learn quartet data.h5 $option all.txt -o all.txt
done
refuses 2 '-o start.h5' 'replace it' -- learn quartet data.h5 --start start.h5 -o start.h5

finish
