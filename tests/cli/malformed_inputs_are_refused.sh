#!/usr/bin/env bash
# The files of tests/fuzz/make_malformed, by the commands that read their kind: exit code 3, one line
# of error that names the file, nothing else said and nothing written.
# shellcheck source-path=SCRIPTDIR source=lib.sh
make_malformed=$(realpath "$3")
refuse_each=$(realpath "$4")
source "$(dirname "$0")/lib.sh"

inputs=$outside/inputs
"$make_malformed" "$inputs" >"$outside/counts" || fail 'make_malformed ended with an error'
cat "$outside/counts"

# refused_by KIND COMMAND...: FILE stands for the file. The commands are run below, by refuse_each.
refused_by() {
  local kind=$1 file n=0 words
  shift
  for file in "$inputs/$kind"/*; do
    words=("${@/FILE/$file}")
    (IFS=$'\t'; printf '%s\t%s\n' "$file" "${words[*]}")
    n=$((n + 1))
  done >>"$outside/commands"
  # As many as were made, or files were lost on the way.
  grep -qx "$kind $n" "$outside/counts" || fail "$n files of kind $kind"
}

for kind in csv rows mtx npy npz foreign svmlight arff; do
  refused_by "$kind" import FILE -o out.h5
done
refused_by numbers import FILE --numeric -o out.h5
refused_by categories import FILE --categorical -o out.h5
refused_by long import FILE --format long --row row --column column --value value --time time \
  --from 2000-01-01 -o out.h5
refused_by text import FILE --format text --min-documents 1 -o out.h5
refused_by json sample --network FILE --samples 10 -o out.h5
refused_by json export FILE --format dot -o out.dot
for kind in samples dense moments model checkpoint tree linear anchored categorical; do
  refused_by "$kind" info FILE
done
# Without threads of OpenBLAS: a process is to be copied while it has none. Names are looked up once,
# before it is copied, and not in each copy.
OPENBLAS_NUM_THREADS=1 LD_BIND_NOW=1 "$refuse_each" "$outside" <"$outside/commands" >"$outside/refused" ||
  fail "$(head -c 20000 "$outside/refused")"
tail -1 "$outside/refused"
check 'every command was run' grep -q "^$(wc -l <"$outside/commands") commands, " "$outside/refused"
check 'no file is left' test -z "$(ls -A)"

at_least() {  # N KIND...
  local least=$1 n
  shift
  n=$(awk -v kinds=" $* " 'index(kinds, " " $1 " ") { n += $2 } END { print n }' "$outside/counts")
  ((n >= least)) || fail "only $n files of $*"
}
for kind in csv mtx npy json numbers dense 'samples moments model checkpoint' tree linear anchored categorical; do
  # shellcheck disable=SC2086  # the words are kinds
  at_least 100 $kind
done
for kind in npz foreign svmlight arff long text; do
  at_least 20 $kind
done

# What the good files show: the same commands take them, so it is the defect that is refused.
for kind in samples dense moments model checkpoint tree linear coupled categorical; do
  accepts -- info "$inputs/good/$kind.h5"
done
finish
