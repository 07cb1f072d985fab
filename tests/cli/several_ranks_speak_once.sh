#!/usr/bin/env bash
# Under mpirun: an error ends every rank soon, is said once with its rank, and leaves no file.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 200 -o data.h5
make moments data.h5 -o moments.h5
make sample --network img --samples 200 --seed 2 -o other.h5
echo '*,y9' >edges.txt
make_table 60 | sed '2,20s/^./?/' >gaps.csv
make import gaps.csv -o gaps.h5
mkdir folder

together() {  # CODE TEXT... -- ARGUMENTS: three ranks
  local expected=$1 texts arguments shown code before
  shift
  split "$@"
  checks=$((checks + 1))
  before=$(snapshot)
  # Open MPI 4.1's launcher itself now and then dies of a signal while it ends an aborted job on a
  # busy machine: that says nothing about orrery, so such a run is repeated.
  for _ in 1 2 3; do
    timeout -k 5 60 "$ORRERY_MPIRUN" --oversubscribe -np 3 "$orrery" "${arguments[@]}" \
      >"$outside/out" 2>"$outside/err" </dev/null
    code=$?
    grep -q 'mpiexec(+0x\|mpirun(+0x\|orterun(+0x' "$outside/err" || break
  done
  ((code == expected)) || fail "$shown: ended with $code, not $expected: $(cat "$outside/err")"
  if ((expected > 0)); then
    [[ $(grep -c 'orrery: error: ' "$outside/err") == 1 ]] ||
      fail "$shown: not one line of error: $(cat "$outside/err")"
    expect_texts "$outside/err" 'orrery: error: rank 0 of 3 on ' "${texts[@]}"
    changed_nothing "$shown" "$before"
  else
    cat "$outside/out" "$outside/err" >"$outside/all"
    expect_texts "$outside/all" "${texts[@]}"
  fi
}

together 3 absent.h5 'no such file' -- learn quartet absent.h5 -o out.h5
together 3 absent.json -- params data.h5 --structure absent.json -o out.h5
together 3 absent.json -- learn quartet --moments absent.json -o out.h5
together 3 absent.json -- sample --network absent.json --samples 10 -o out.h5
together 3 absent.ini -- sample --config absent.ini --network img --samples 10 -o out.h5
together 3 moments.h5 other.h5 digest -- learn quartet other.h5 --moments moments.h5 -o out.h5
together 3 absent.h5 -- learn quartet absent.h5 --dry-run
together 3 edges.txt 'line 1' "variable 'y9'" -- learn quartet data.h5 --require edges.txt -o out.h5
together 3 gaps.h5 "column 'ann'" -- learn quartet gaps.h5 -o out.h5
together 2 '-o FILE' -- learn quartet data.h5
together 2 'no file name' -- learn quartet data.h5 -o absent/
together 2 '-o data.h5' -- learn quartet data.h5 -o data.h5
together 2 '--test guess' -- learn quartet data.h5 --test guess -o out.h5
together 2 '--bogus' -- learn quartet data.h5 --bogus
together 2 '"lern"' -- lern
together 4 folder 'is a directory' -- learn quartet data.h5 -o folder
together 4 absent/out.h5 -- sample --network img --samples 10 -o absent/out.h5
small_disk 16k && together 4 out.h5 'No space left' -- sample --network img --samples 1000000 -o "$disk/out.h5"

# What goes well is printed once.
together 0 'usage: orrery sample' -- sample --help
check 'one help' test "$(grep -c usage: "$outside/out")" = 1
together 0 'orrery 0.' -- --version
check 'one version' test "$(wc -l <"$outside/out")" = 1
together 0 'time: ' -- learn quartet data.h5 --dry-run
check 'one plan' test "$(grep -c 'time: ' "$outside/out")" = 1
together 0 'samples of 64' -- sample --network img --samples 500 -o out.h5
check 'one summary' test "$(grep -c 'written to' "$outside/out")" = 1
together 0 '3 ranks' "on $(hostname), " -- info out.h5
together 0 'samples of 64' -- sample --network img --samples 500 -o out.h5 --log "$outside/run.log"
check "one log: $(cat "$outside/run.log")" test "$(grep -c ' start: ' "$outside/run.log")" = 1
check 'of three ranks' grep -q ' run: 3 rank(s) x ' "$outside/run.log"
together 3 absent.h5 -- learn quartet absent.h5 -o out.h5 --log "$outside/run.log"
check "the error is in it: $(cat "$outside/run.log")" \
  grep -qE 'Z error: (rank 0 of 3 .*)?absent.h5' "$outside/run.log"
check 'its exit code too' grep -q 'Z end: exit code 3 after' "$outside/run.log"
TERM=xterm together 0 '8 of 8 causes recovered' -- evaluate img --truth img
check 'a file is plain, though mpirun gives its ranks a terminal' \
  test "$(grep -c $'\033' "$outside/all")" = 0

# The second rank's C library is told to compute as on an old processor.
learn=("$orrery" learn quartet data.h5 -o model.h5)
mixed() { "$ORRERY_MPIRUN" --oversubscribe -np 1 "$@" 2>&1; }
old=(env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F "${learn[@]}")
if grep -qw fma /proc/cpuinfo; then
  check 'mixed processors: a warning' \
    grep -q 'warning: .*other last digits.*same bytes' <<<"$(mixed "${learn[@]}" : -np 1 "${old[@]}")"
fi
check 'like processors: not a word of them' test -z \
  "$(mixed "${learn[@]}" : -np 1 "${learn[@]}" | grep processors)"
# Open MPI's own lines around an error can be had out of the way, as src/parallel/README.md says.
OMPI_MCA_orte_execute_quiet=1 timeout -k 5 60 "$ORRERY_MPIRUN" --oversubscribe -np 2 "$orrery" \
  learn quartet data.h5 -o out.h5 --memory 2MB >"$outside/out" 2>"$outside/err" </dev/null
code=$?
check "too little memory for two ranks: 2, not $code" test $code = 2
check "one line, ours: $(cat "$outside/out" "$outside/err")" \
  test "$(cat "$outside/out" "$outside/err" | sed 's/^orrery: error: rank 0 of 2 .*--memory 2.0 MB.*/ours/')" = ours

# A rank that never comes up: the others do not wait for ever.
timeout -k 5 60 "$ORRERY_MPIRUN" --oversubscribe -np 1 "$orrery" learn quartet data.h5 -o out.h5 \
  --watchdog 2s : -np 1 sleep 600 >"$outside/out" 2>"$outside/err" </dev/null
code=$?
check "a rank that never comes up: 4, not $code: $(cat "$outside/err")" test $code = 4
check 'it is said' grep -q 'orrery: error: MPI has not come up within 2.0 s' "$outside/err"
finish
