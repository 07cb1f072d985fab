#!/usr/bin/env bash
# What src/parallel/README.md promises of processors. As an older processor would have it (the C library's and the
# BLAS's older code, by their own variables): what is counted and drawn is the same to the last bit;
# what goes through exponentials, logarithms and decompositions is the same for any ranks and
# threads of such processors, and close to what others give.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'
[[ $(uname -m) == x86_64 ]] || skip 'the variables are of x86-64'

older=(env 'GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F' OPENBLAS_CORETYPE=Nehalem)
others=()
if [[ -n ${ORRERY_MPIRUN:-} ]]; then others=("$ORRERY_MPIRUN" --oversubscribe -np 2); fi

# Numbers of two texts that are close, all else alike.
close() {
  awk -v file="$2" '
    function near(a, b) { return a == b || (a - b) ^ 2 <= 1e-12 + 1e-8 * (a * a + b * b) }
    { gsub(/[][{},:]/, " & ") }
    { if ((getline line < file) <= 0) exit 1
      gsub(/[][{},:]/, " & ", line)
      n = split($0, here); if (n != split(line, there)) exit 1
      for (i = 1; i <= n; ++i) {
        numbers = here[i] ~ /^-?[0-9.][0-9.e+-]*$/ && there[i] ~ /^-?[0-9.][0-9.e+-]*$/
        if (numbers ? !near(here[i], there[i]) : here[i] != there[i]) exit 1
      }
      lines++
    }
    END { if (lines == 0) exit 1 }' "$1"
}

# counted NAME COMMAND...: the same data (outside /run).
counted() {
  local name=$1
  shift
  make "$@" -o here.h5
  "${older[@]}" "$orrery" "$@" -q -o older.h5 || fail "$name, as an older processor: ended with $?"
  check "$name: the same bytes" same_data here.h5 older.h5
}

# computed NAME COMMAND...: the same for any split, and close to what this processor gives.
computed() {
  local name=$1
  shift
  make "$@" --threads 2 -o here.h5
  "${older[@]}" "$orrery" "$@" --threads 1 -q -o older.h5 || fail "$name, as an older processor: ended with $?"
  "${older[@]}" "${others[@]}" "$orrery" "$@" --threads 2 -q -o split.h5 >"$outside/all" 2>&1 ||
    fail "$name, as an older processor, several ranks: $(cat "$outside/all")"
  check "$name: one result for any ranks and threads" same_data older.h5 split.h5
  "$orrery" export here.h5 --format json -o "$outside/here.json" -q
  "$orrery" export older.h5 --format json -o "$outside/older.json" -q
  check "$name: close: $(diff "$outside/here.json" "$outside/older.json" | head -4)" \
    close "$outside/here.json" "$outside/older.json"
}

make sample --network img --samples 2000 -o data.h5
make sample --network 'linear:bipartite:60,8,.3' --samples 5000 -o numbers.h5
make sample --network anchored:tree:5,70 --samples 5000 --labels labels.h5 -o joined.h5
make export joined.h5 --format anchors -o anchors.csv
make sample --network categorical:1,2,12 --samples 300 -o grades.h5
make sample --network tree:recursive:40 --crossover .1 --samples 3000 -o signs.h5

counted sample sample --network img --samples 2000
counted moments moments data.h5 --order 3
counted tree learn tree signs.h5 --crossover .1
counted 'the scan of quartets' learn quartet data.h5 --paper --tau-q .003 --tau-e .1
computed quartet learn quartet data.h5
computed vem learn vem data.h5 --causes 8 --restarts 2 --max-iterations 10
computed linear learn linear numbers.h5
computed anchored learn anchored joined.h5 --anchors anchors.csv
computed sep learn sep grades.h5 --causes 2 --restarts 1
computed sem learn sem grades.h5 --causes 2 --restarts 1

# The comparison can fail.
sed 's/0\.1/0.2/' "$outside/here.json" >"$outside/other.json"
check 'numbers are compared' bash -c "! cmp -s '$outside/here.json' '$outside/other.json'"
close "$outside/here.json" "$outside/other.json" && fail 'another number is not seen'
finish
