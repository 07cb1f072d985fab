#!/usr/bin/env bash
# --polytope marginal runs toulbar2: what is said where it is missing or fails, and that it ends with
# the run. Scripts take its place.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Half of the anchors are violated, and the gap is small: local search does not close it.
make sample --network anchored:tree:10,20 --violations .5 --samples 2000 --labels labels.h5 -o data.h5
make export data.h5 --format anchors -o all.csv
cut -d, -f1,2 all.csv >anchors.csv
marginal=(learn anchored data.h5 --anchors anchors.csv --labels labels.h5 --polytope marginal --gap 1e-5)

accepts '10 causes of 20' -- "${marginal[@]}" --integer-program cbc -o cbc.h5
refuses 2 '--integer-program glpk' 'toulbar2 or cbc' -- "${marginal[@]}" --integer-program glpk -o no.h5

usual=$PATH
commands() { PATH=$usual "$@"; }
for command in cat cmp cut diff find grep sha256sum sort timeout xargs; do
  ln -s "$(command -v "$command")" "$outside/$command"
done
PATH=$outside
for end in '-o no.h5' --dry-run; do
  # shellcheck disable=SC2086  # two words
  refuses 4 'no program toulbar2 on the PATH' 'Debian package toulbar2' '--integer-program cbc' \
    -- "${marginal[@]}" $end
done
accepts '10 causes of 20' -- "${marginal[@]}" --integer-program cbc -o cbc.h5
accepts '10 causes of 20' -- learn anchored data.h5 --anchors anchors.csv --labels labels.h5 -o simplex.h5

fake() {
  printf '#!/bin/sh\n%s\n' "$1" >"$outside/toulbar2"
  commands chmod +x "$outside/toulbar2"
}
fake 'echo "I am another program"'
refuses 4 'toulbar2: ended without a result' 'I am another program' -- "${marginal[@]}" -o no.h5
fake 'kill -SEGV $$'
refuses 4 'toulbar2: was ended by signal 11' -- "${marginal[@]}" -o no.h5
fake 'echo "no luck" >&2; exit 9'
refuses 4 'toulbar2: failed with exit code 9: no luck' -- "${marginal[@]}" -o no.h5

# A signal that ends the run ends what it has started, and is told as what it is.
fake "echo \$\$ >'$outside/process'; exec $(PATH=$usual command -v sleep) 600"
PATH=$usual
for signal in INT TERM; do
  rm -f "$outside/process"
  PATH=$outside:$PATH env --default-signal=INT "$orrery" "${marginal[@]}" --quiet -o no.h5 \
    >"$outside/out" 2>"$outside/err" &
  pid=$!
  for _ in {1..200}; do
    [[ -s $outside/process ]] && break
    sleep .05
  done
  check "$signal: it was started" test -s "$outside/process"
  kill -s $signal $pid
  wait $pid
  code=$?
  check "$signal: the run ended by it" test $code = $((128 + $(kill -l $signal)))
  for _ in {1..100}; do
    kill -0 "$(<"$outside/process")" 2>"$outside/gone" || break
    sleep .05
  done
  check "$signal: what it had started ended" test -s "$outside/gone"
  check "$signal: no error is told" test ! -s "$outside/err"
  check "$signal: no file is left" test -z "$(find . -name '*no.h5*')"
done

rm "$outside/toulbar2"
if ! command -v toulbar2 >/dev/null; then
  echo 'toulbar2 is not installed: its own results are not looked at'
  finish
fi
accepts '10 causes of 20' -- "${marginal[@]}" -o toulbar2.h5
accepts '10 causes of 20' -- "${marginal[@]}" -o again.h5
check 'the same bytes again' same_data toulbar2.h5 again.h5
if [[ -n ${ORRERY_MPIRUN:-} ]]; then
  "$ORRERY_MPIRUN" --oversubscribe -np 3 "$orrery" "${marginal[@]}" --quiet -o ranks.h5 \
    >"$outside/all" 2>&1 || fail "three ranks: $(cat "$outside/all")"
  check 'the same bytes by three ranks' same_data toulbar2.h5 ranks.h5
fi
finish
