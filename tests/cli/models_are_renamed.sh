#!/usr/bin/env bash
# rename: causes and variables of every family get other names, and nothing else changes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5dump >/dev/null || skip 'h5dump (hdf5-tools) compares the files'

make_table 2000 >table.csv
make import table.csv -o table.h5
make learn quartet table.h5 -o quartet.h5
make sample --network anchored:tree:4,12 --samples 3000 --seed 1 -o anchored.h5
make export anchored.h5 --format anchors -o anchors.csv
make learn anchored anchored.h5 --anchors anchors.csv -o anchored_model.h5
make sample --network linear:ternary:3 --samples 10 --seed 1 -o levels.h5
make sample --network categorical:1,2,5 --samples 300 --seed 1 -o wards.h5
make learn sep wards.h5 --causes 2 -o categorical.h5
make sample --network tree:chain:5 --samples 300 --seed 1 -o chain.h5
make learn tree chain.h5 -o tree.h5

# /run and the datasets of names are left out: all else must be the same, digests and attributes.
# shellcheck disable=SC2317  # check calls it
content() {
  h5dump -m '%.17g' "$1" | awk '
    /^   GROUP "run" \{/ { inside = 1 }
    /DATASET "(name|names)"/ { inside = 2; match($0, /^ */); end = sprintf("%" RLENGTH "s}", "") }
    !inside && NR > 1
    inside == 1 && /^   \}/ { inside = 0 }
    inside == 2 && index($0, end) == 1 { inside = 0 }'
}
# shellcheck disable=SC2317  # check calls it
same_but_for_names() { cmp <(content "$1") <(content "$2"); }

# renames MODEL OLD NEW OLD NEW: both files, the same but for two names.
renames() {
  local model=$1 old=$2 new=$3 other_old=$4 other_new=$5
  accepts '2 names of' 'renamed; written to named.h5' -- rename "$model" "$old=$new" "$other_old=$other_new" -o named.h5
  check "$model: nothing else changes" same_but_for_names "$model" named.h5
  make export "$model" --format json -o before.json
  make export named.h5 --format json -o named.json
  sed -e "s/\"$old\"/\"$new\"/" -e "s/\"$other_old\"/\"$other_new\"/" before.json >wanted.json
  check "$model: two names change" cmp wanted.json named.json
  check "$model: JSON is something else" test "$(cmp -s before.json named.json; echo $?)" = 1
  accepts -- rename before.json "$old=$new" "$other_old=$other_new" -o again.json
  check "$model: JSON to JSON" cmp named.json again.json
  accepts 'rename' -- info named.h5 --json
}
renames quartet.h5 cause0 influenza dan 'Dan (4)'
renames anchored_model.h5 y1 'la grippe' a1 other
renames categorical.h5 'cause 1' ward x3 dose
renames tree.h5 x1 first x4 last
make export levels.h5 --format json -o levels.json
make rename levels.json g1_0=above h2=below -o named_levels.json
sed -e 's/"g1_0"/"above"/' -e 's/"h2"/"below"/' levels.json >wanted.json
check 'levels above causes have names too' cmp wanted.json named_levels.json

# What is inferred goes by the new names.
make rename quartet.h5 cause0=influenza -o named.h5
head -5 table.csv >few.csv
make import few.csv -o few.h5
accepts '% influenza' -- infer named.h5 few.h5 --min-posterior 0
accepts '"command_line": "orrery rename quartet.h5 cause0=influenza -o named.h5 -q"' -- info named.h5 --json
"$orrery" rename quartet.h5 cause0=influenza --json -o named.h5 >"$outside/json" 2>/dev/null
check 'what --json says' grep -q '"renamed": 1' "$outside/json"

# Two that change places, and tables of names, with a header or none, with commas in quotes.
accepts -- rename quartet.h5 cause0=cause1 cause1=cause0 -o swapped.h5
accepts -- rename swapped.h5 cause0=cause1 cause1=cause0 -o back.json
make export quartet.h5 --format json -o quartet.json
check 'twice is as before' cmp back.json quartet.json
printf 'old,new\ncause0,"flu, A"\nann,Ann\n' >names.csv
accepts '3 names of' -- rename quartet.h5 bob=Bob --names names.csv -o named.json
check 'names of a table' grep -q '"name": "flu, A"' named.json
accepts -- rename named.json 'flu, A=a=b' -o equal.json
accepts -- rename equal.json a=b=c -o c.json
check 'an old name with an equals sign' grep -q '"name": "c"' c.json

# The file's kind: by the name of the output, else as the model is.
accepts -- rename quartet.json ann=Ann -o kind.h5
check 'HDF5 of JSON' test "$(head -c 4 kind.h5 | tail -c 3)" = HDF
accepts -- rename quartet.json ann=Ann -o kind
check 'JSON stays' grep -q '"format"' kind
accepts 'holds samples as well' -- rename anchored.h5 y0=flu -o alone.h5
refuses 3 alone.h5 'no samples' -- export alone.h5 --rows --format csv -o x.csv
accepts 'memory per rank' -- rename quartet.h5 ann=Ann --dry-run
accepts -- rename img circle=disc -o disc.h5

# Errors.
wrong() { refuses_to_write out.h5 2 "$1" "$2" -- rename quartet.h5 "${@:3}" -o out.h5; }
wrong cause9=flu "no cause or variable 'cause9'; did you mean 'cause0' or 'cause1'?" cause9=flu
wrong ann "must be OLD=NEW" ann
wrong cause0= 'the new name is empty' cause0=
wrong cause0=cause1 "the cause 'cause1' is called 'cause1' too; choose another name" cause0=cause1
wrong cause0=ann "the variable 'ann' is called 'ann' too" cause0=ann
wrong cause0=flu "the cause 'cause1' would be called 'flu' too" cause0=flu cause1=flu
wrong cause0=b "'cause0' is already renamed to 'a'; give it one new name" cause0=a cause0=b
wrong 'the new name is not UTF-8' 'iconv' "cause0=$(printf 'fi\xe8vre')"
wrong 'control character' 'leave it out' "$(printf 'cause0=a\tb')"
wrong 'has 5000 bytes' 'at most 4096' "cause0=$(printf '%5000s' x)"
wrong --only 'causes or variables' cause0=flu --only hidden
wrong ann "no cause 'ann'" ann=Ann --only causes
refuses_to_write out.h5 2 'nothing to rename' 'OLD=NEW' -- rename quartet.h5 -o out.h5
refuses 2 '-o FILE is missing' -- rename quartet.h5 cause0=flu
refuses 2 quartet.h5 -- rename quartet.h5 cause0=flu -o quartet.h5
refuses_to_write out.h5 3 absent.h5 -- rename absent.h5 a=b -o out.h5
printf 'cause0,flu\ncuase1,cold\n' >typo.csv
refuses_to_write out.h5 3 'typo.csv: line 2' "'cuase1'; did you mean 'cause1'" -- \
  rename quartet.h5 --names typo.csv -o out.h5
printf 'cause0,flu,x\n' >three.csv
refuses_to_write out.h5 3 three.csv 'line 1' '2 columns' -- rename quartet.h5 --names three.csv -o out.h5
cat >twins.json <<'END'
{"format": "orrery-network-1", "causes": [{"name": "flu", "prior": 0.5}], "observed": [{"name": "flu", "leak": 0.5}],
 "edges": [[0, 0, 0.5]]}
END
refuses_to_write out.h5 2 "'flu' is the name of a cause and of a variable" '--only causes' -- \
  rename twins.json flu=x -o out.h5
accepts -- rename twins.json flu=x --only variables -o one.json
check 'the one that is meant' grep -q '"causes": \[' one.json
check 'the cause keeps its name' test "$(grep -c '"flu"' one.json)" = 1
finish
