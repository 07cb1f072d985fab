#!/usr/bin/env bash
# Every example that --help shows, of each command and each method, runs as it stands. Each runs in a
# folder of its own with small inputs under the names that the examples use; a new name is to be
# prepared here.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

mkdir inputs
cd inputs || exit 1
make sample --network img --samples 300 --seed 3 -o data.h5
make sample --network img --samples 8 --seed 4 -o heldout.h5
make learn quartet data.h5 --time-limit 2s -o model.h5
make sample --network linear:caterpillar:3,3 --samples 2000 -o numbers.h5
make sample --network categorical:1,2,6 --samples 200 -o answers.h5
make export numbers.h5 --rows --format csv -o numbers.csv
make export answers.h5 --rows --format csv -o answers.csv
{ echo "patient_id,$(make_table 200 | head -1)"; make_table 200 | tail -n +2 | awk '{ print "p" NR "," $0 }'; } \
  | sed '1s/ann,bob/fever,cough/' >patients.csv
make import patients.csv --drop patient_id -o patients.h5
make learn quartet patients.h5 -o patients_model.h5
cp patients.h5 january.h5
cp patients.h5 february.h5
cat >anchors.csv <<'END'
cause,column,off,on
a,x0,0.05,0.8
b,x1,0.05,0.8
END
cd ..

examples() {  # WORDS OF A COMMAND: what its help shows
  "$orrery" help "$@" | awk '/^examples?:/ { shown = 1; sub(/^examples?: */, "") } shown && /orrery/' |
    sed -n 's/^ *orrery /orrery /p' | grep -v '^orrery learn METHOD'
}
methods() { "$orrery" help "$1" | awk '/^  / { print $1 }'; }

{
  examples
  for command in $("$orrery" help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    case $command in
      learn | plan) for method in $(methods "$command"); do examples "$command" "$method"; done ;;
      *) examples "$command" ;;
    esac
  done
} | sort -u >all
check "some examples: $(wc -l <all)" test "$(wc -l <all)" -ge 20

n=0
while read -r _ words; do
  n=$((n + 1))
  cp -r inputs "run$n"
  # What the examples draw is many rows: fewer say as much here.
  words=${words/--samples 1e4/--samples 1e2}
  words=${words/--samples 10000/--samples 100}
  cd "run$n" || exit 1
  # As it is typed: some write to a file by the shell.
  PATH=$(dirname "$orrery"):$PATH timeout -k 5 60 bash -c "orrery $words" >"$outside/out" 2>"$outside/err" </dev/null
  code=$?
  cd ..
  check "orrery $words: ended with $code: $(cat "$outside/err")" test "$code" = 0
  output=$(sed -nE 's/.* (-o|>) ([^ ]*).*/\2/p' <<<"$words")
  [[ -z $output ]] || check "orrery $words: writes $output" test -s "run$n/$output"
  rm -rf "run$n"
done <all

# What the examples read that is no table of the user's own, another of them writes.
sed -n 's/.* -o \([^ ]*\).*/\1/p' all | sort -u >written
for file in data.h5 heldout.h5 model.h5 patients.h5 numbers.h5 answers.h5; do
  check "an example writes $file" grep -qx "$file" written
done
finish
