#!/usr/bin/env bash
# What was nearly right: the name that was meant, and numbers as people write them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

refuses 2 '"lern" is not a command; did you mean learn?' 'orrery --help' -- lern quartet data.h5
refuses 2 '"smaple" is not a command; did you mean sample?' -- smaple
refuses 2 '"quartett" is not a learner; did you mean quartet?' -- learn quartett data.h5 -o out.h5
refuses 2 'did you mean tree?' -- plan tre --p 10
refuses 2 '--sampels is not an option of sample; did you mean --samples?' 'orrery sample --help' -- \
  sample --network img --sampels 10 -o out.h5
refuses 2 '--theads is not an option of learn quartet; did you mean --threads?' -- \
  learn quartet data.h5 -o out.h5 --theads 2
refuses 2 '--xyzzy is not an option of info; see' -- info data.h5 --xyzzy
printf 'sampels = 10\n' >slip.ini
refuses 2 'slip.ini: sampels is not an option of sample; did you mean samples?' 'name = value' -- \
  sample --network img --config slip.ini -o out.h5

# Whole numbers with an exponent, exactly; what is no whole number is said to be none.
accepts '1,000 samples' -- sample --network img --samples 1e3 -o out.h5
accepts '15 samples' -- sample --network img --samples 1.5e1 -o out.h5
accepts '20 samples' -- sample --network img --samples 200E-1 -o out.h5
make sample --network img --samples 1e2 -o data.h5
accepts -- learn vem data.h5 --causes 2 --restarts 1e0 --max-iterations 2e1 -o model.h5
printf 'samples = 2e1\n' >short.ini
accepts '20 samples' -- sample --network img --config short.ini -o out.h5
refuses 2 '--samples 1e-1: must be a whole number, 0 or more' -- sample --network img --samples 1e-1 -o out.h5
refuses 2 '--samples 1.55e1: must be a whole number' -- sample --network img --samples 1.55e1 -o out.h5
refuses 2 '--samples 1e: must be a whole number' -- sample --network img --samples 1e -o out.h5
refuses 2 '--samples 1e30: must be a whole number from 0 to 18446744073709551615' -- \
  sample --network img --samples 1e30 -o out.h5
refuses 2 '--samples 1e999999999999: must be' -- sample --network img --samples 1e999999999999 -o out.h5
refuses 2 '--threads 1e10: must be a whole number from -2147483648 to 2147483647' -- \
  sample --network img --samples 10 --threads 1e10 -o out.h5
make sample --network linear:caterpillar:3,3 --samples 50 -o numbers.h5
refuses 2 '--partitions -5: must be a whole number, 0 or more' -- \
  learn linear numbers.h5 --partitions=-5 -o out.h5
refuses 2 '--partitions 5e9: must be a whole number from 0 to 4294967295' -- \
  learn linear numbers.h5 --partitions 5e9 -o out.h5
printf 'samples = 1e30\n' >long.ini
refuses 2 'long.ini: samples 1e30: must be' -- sample --network img --config long.ini -o out.h5
finish
