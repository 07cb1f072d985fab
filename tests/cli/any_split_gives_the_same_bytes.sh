#!/usr/bin/env bash
# sample, moments, learn, params and infer: the same data (outside /run) for any number of ranks and
# threads and any kernel. With --all the full matrix of ranks 1, 2, 3, 7, threads 1, 2 and kernels
# scalar, avx2, avx512; else three splits, which have each value at least once beside what everything
# is compared with: one rank, one thread and the machine's best kernel. Every learner and command
# meets all three, its variants share them: letters say which of A, B, C a variant is run with.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
command -v h5diff >/dev/null || skip 'h5diff (hdf5-tools) compares the files'

rows=3000
splits=('A 2 2 scalar' 'B 3 1 avx512' 'C 7 1 avx2')
[[ -n ${ORRERY_MPIRUN:-} ]] || splits=('ABC 1 2 scalar' 'ABC 1 1 avx2')
if [[ ${3:-} == --all ]]; then
  splits=()
  for ranks in 1 2 3 7; do
    for threads in 1 2; do
      for kernel in scalar avx2 avx512; do splits+=("ABC $ranks $threads $kernel"); done
    done
  done
fi

has_kernel() {
  ORRERY_KERNEL=$1 "$orrery" sample --network img --samples 10 -o "$outside/probe.h5" -q 2>/dev/null &&
    ORRERY_KERNEL=$1 "$orrery" moments data.h5 -o "$outside/probe.h5" -q 2>/dev/null
}

make sample --network img --samples $rows --threads 1 -o data.h5
make moments data.h5 --order 3 --threads 1 -o moments.h5
make learn quartet data.h5 --threads 1 -o model.h5
if [[ ${3:-} == --all ]]; then
  make learn quartet data.h5 --threads 1 --test rank -o ranked.h5
  make learn quartet data.h5 --threads 1 --test coherence --tau-q 0.01 -o coherent.h5
fi
make learn quartet data.h5 --threads 1 --refine none --stability 3 -o stable.h5
make params data.h5 --structure img --threads 1 -o params.h5
make sample --network con:6-14,causes=16,observed=120,prior=.01-.05,failure=.1-.6 --samples 20000 \
  --threads 1 -o rare.h5
make learn quartet rare.h5 --search signatures --threads 1 -o signatures.h5
# Too much is on for lists of it: bits are counted, eight pairs at a time.
make sample --network con:6-14,causes=16,observed=120,prior=.02-.1,failure=.1-.6,leak=.05-.1 \
  --samples 10000 --threads 1 -o often.h5
make learn quartet often.h5 --search signatures --threads 1 -o often_signatures.h5
# Many children each: some causes hide behind the leaks of the first that are found.
make sample --network con:60-120,causes=16,observed=300,prior=.02-.1,failure=.2-.8,leak=.005-.05 \
  --samples 6000 --threads 1 -o dense.h5
accepts 'hidden behind the leaks' -- learn quartet dense.h5 --search signatures --threads 1 -v -o behind_leaks.h5
vem=(--causes 8 --max-iterations 2)
make learn vem data.h5 "${vem[@]}" --threads 1 -o variational.h5
# A tenth of the values missing.
make_table $rows |
  awk -F, -v OFS=, 'NR > 1 { for (c = 1; c <= NF; ++c) if (rand() < .1) $c = "?" } 1' >gaps.csv
make import gaps.csv -o gaps.h5
make learn quartet gaps.h5 --threads 1 --test rank --tau-q 0.01 --stability 2 -o gaps_model.h5
"$orrery" export rare.h5 --rows --format csv -o - |
  awk -F, -v OFS=, 'NR > 1 { for (c = 1; c <= NF; ++c) if (rand() < .02) $c = "?" } 1' >rare_gaps.csv
make import rare_gaps.csv -o rare_gaps.h5
make learn quartet rare_gaps.h5 --threads 1 --search signatures -o gaps_signatures.h5
make params gaps.h5 --structure gaps_model.h5 --threads 1 -o gaps_params.h5
# Columns that repeat others are set aside.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "again1" OFS "again2" : $2 OFS $4 }' gaps.csv >repeated.csv
make import repeated.csv -o repeated.h5
accepts 'again1' -- learn quartet repeated.h5 --threads 1 -o set_aside.h5
make learn vem gaps.h5 --restarts 3 --max-iterations 6 --threads 1 -o gaps_variational.h5
make infer model.h5 data.h5 --threads 1 --top 2 -o posterior.h5
make infer gaps_model.h5 gaps.h5 --threads 1 --method sample --samples 200 -o gaps_posterior.h5
make sample --network tree:recursive:70 --crossover .1 --samples $rows --threads 1 -o signs.h5
make infer signs.h5 signs.h5 --threads 1 -o hidden.h5
make infer signs.h5 signs.h5 --given x1,x2,x3 --predict x0,x69 --threads 1 -o predicted.h5
make sample --network tree:chain:130 --correlations .3,.8,signed --crossover .1 --samples $rows \
  --threads 1 -o chain.h5
make learn tree chain.h5 --crossover auto --threads 1 -o tree.h5
make learn tree chain.h5 --crossover auto --marginals free --threads 1 -o free_tree.h5
make learn tree gaps.h5 --crossover .02 --marginals free --threads 1 -o gaps_tree.h5
make learn tree gaps.h5 --alpha .01 --threads 1 -o gaps_forest.h5
# More than one block per rank, and a last block that is not full.
make sample --network bars:4 --samples 300001 --flip .1:4 --threads 1 -o blocks.h5
numbers=(--network 'linear:bipartite:60,8,.3' --cause-correlation .5 --cause-law heavy-tailed --samples 20001)
make sample "${numbers[@]}" --threads 1 -o numbers.h5
answers=(--network categorical:2,4,60 --concentration 10 --missing-share .1 --samples 50001)
make sample "${answers[@]}" --threads 1 -o answers.h5

make learn linear numbers.h5 --threads 1 -o causes.h5
driven=(--network linear:caterpillar:5,4 --cause-law skewed --samples 20000)
make sample "${driven[@]}" --threads 1 -o driven.h5
make learn linear driven.h5 --model effective-depth-one --threads 1 -o coupling.h5

# Causes that depend on one another.
joined=(--network anchored:tree:5,70 --samples 20001)
make sample "${joined[@]}" --labels labels.h5 --threads 1 -o joined.h5
make export joined.h5 --format anchors -o anchors.csv
anchored=(learn anchored joined.h5 --anchors anchors.csv)
make "${anchored[@]}" --threads 1 -o anchored.h5
make sample --network anchored:tree:4,40 --samples 4001 -o fewer_joined.h5
make learn quartet fewer_joined.h5 --threads 1 -o grown.h5
weak=(--network con:8-14,causes=12,failure=.5-.8,observed=40 --samples 2000 --seed 1)
make sample "${weak[@]}" -o weak.h5
accepts 'grown causes are independent: they are refined' -- learn quartet weak.h5 --threads 1 -v -o refined_grown.h5
check 'a network of dependent causes is grown' grep -q 'edges among causes' <("$orrery" info grown.h5)
marginal=(--polytope marginal)
command -v toulbar2 >/dev/null || marginal+=(--integer-program cbc)
make "${anchored[@]}" --em 2 --labels labels.h5 "${marginal[@]}" --structure indegree:2 --threads 1 -o em.h5
make "${anchored[@]}" --method imputation --threads 1 -o imputed.h5
make infer anchored.h5 joined.h5 --threads 1 -o causes_of_rows.h5

# Categories: structures by expectation propagation (EM has a script of its own).
grades=(--network categorical:2,3,12 --samples 200 --missing-share .05)
make sample "${grades[@]}" --threads 1 -o grades.h5
make learn sep grades.h5 --causes 2 --parents 2 --restarts 1 --max-iterations 5 --threads 1 -o sep.h5
three=(--causes 2 --cardinality 3 --restarts 2 --max-iterations 5)
make learn sep grades.h5 "${three[@]}" --threads 1 -o three.h5
plain=(--causes 2 --start random --restarts 2 --max-iterations 5)
make learn sep grades.h5 "${plain[@]}" --threads 1 -o plain.h5
make infer sep.h5 grades.h5 --threads 1 -o states_of_rows.h5

same() { cmp -s "$1" "$2" || same_data "$1" "$2"; }

done_with() {  # LETTERS NAME COMMAND...: on $ranks, $threads, $kernel, into split.h5
  local letters=$1 name=$2
  shift 2
  [[ $letters =~ [$letter] ]] || return 0
  local -a start=()
  if ((ranks > 1)); then start=("$ORRERY_MPIRUN" --oversubscribe -np "$ranks"); fi
  rm -f split.h5
  ORRERY_KERNEL=$kernel "${start[@]}" "$orrery" "$@" --threads "$threads" -q -o split.h5 \
    >"$outside/all" 2>&1 || fail "$name, $split: $(cat "$outside/all")"
  check "$name: $split" same "$name.h5" split.h5
}

for split in "${splits[@]}"; do
  read -r letter ranks threads kernel <<<"$split"
  if ((ranks > 1)) && [[ -z ${ORRERY_MPIRUN:-} ]]; then continue; fi
  if ! has_kernel "$kernel"; then
    echo "without $kernel: this machine has no such instructions"
    kernel=scalar
  fi
  split="$ranks ranks, $threads threads, $kernel"
  done_with AC data sample --network img --samples $rows
  done_with BC blocks sample --network bars:4 --samples 300001 --flip .1:4
  done_with A numbers sample "${numbers[@]}"
  done_with B answers sample "${answers[@]}"
  done_with AC causes learn linear numbers.h5
  done_with B coupling learn linear driven.h5 --model effective-depth-one
  done_with C joined sample "${joined[@]}"
  done_with AC anchored "${anchored[@]}"
  done_with BC em "${anchored[@]}" --em 2 --labels labels.h5 "${marginal[@]}" --structure indegree:2
  done_with A imputed "${anchored[@]}" --method imputation
  done_with A causes_of_rows infer anchored.h5 joined.h5
  done_with AC sep learn sep grades.h5 --causes 2 --parents 2 --restarts 1 --max-iterations 5
  done_with B three learn sep grades.h5 "${three[@]}"
  done_with A plain learn sep grades.h5 "${plain[@]}"
  done_with C states_of_rows infer sep.h5 grades.h5
  done_with ABC moments moments data.h5 --order 3
  done_with ABC model learn quartet data.h5
  done_with A stable learn quartet data.h5 --refine none --stability 3
  done_with AC params params data.h5 --structure img
  done_with BC signatures learn quartet rare.h5 --search signatures
  done_with AB behind_leaks learn quartet dense.h5 --search signatures
  done_with AC often_signatures learn quartet often.h5 --search signatures
  done_with AC variational learn vem data.h5 "${vem[@]}"
  done_with B gaps_variational learn vem gaps.h5 --restarts 3 --max-iterations 6
  done_with C gaps_model learn quartet gaps.h5 --test rank --tau-q 0.01 --stability 2
  done_with B set_aside learn quartet repeated.h5
  done_with AC grown learn quartet fewer_joined.h5
  done_with B refined_grown learn quartet weak.h5
  done_with A gaps_signatures learn quartet rare_gaps.h5 --search signatures
  done_with B gaps_params params gaps.h5 --structure gaps_model.h5
  done_with AC tree learn tree chain.h5 --crossover auto
  done_with B free_tree learn tree chain.h5 --crossover auto --marginals free
  done_with C gaps_tree learn tree gaps.h5 --crossover .02 --marginals free
  done_with A gaps_forest learn tree gaps.h5 --alpha .01
  done_with A signs sample --network tree:recursive:70 --crossover .1 --samples $rows
  done_with B hidden infer signs.h5 signs.h5
  done_with C predicted infer signs.h5 signs.h5 --given x1,x2,x3 --predict x0,x69
  done_with AC gaps_posterior infer gaps_model.h5 gaps.h5 --method sample --samples 200
  if [[ ${3:-} == --all ]]; then
    done_with ABC ranked learn quartet data.h5 --test rank
    done_with ABC coherent learn quartet data.h5 --test coherence --tau-q 0.01
  fi
  done_with ABC posterior infer model.h5 data.h5 --top 2
  check "$split is what ran" grep -q "$kernel" <("$orrery" info split.h5)
done

# The comparison can fail.
check 'causes are compared' grep -q ',' <("$orrery" export gaps_model.h5 --format csv -o - | tail -n +2)
make sample --network img --samples $rows --seed 2 -o other.h5
check 'signatures find causes' grep -q ',' <("$orrery" export signatures.h5 --format csv -o - | tail -n +2)
make learn tree chain.h5 --crossover .1 -o other.h5
check 'another tree is seen' test "$(same tree.h5 other.h5; echo $?)" != 0
check 'another seed is seen' test "$(same_data data.h5 other.h5; echo $?)" != 0
make sample "${numbers[@]}" --seed 2 -o other.h5
make learn linear numbers.h5 --causes 7 -o seven.h5
make "${anchored[@]}" --structure independent -o alone.h5
check 'another anchored network is seen' test "$(same anchored.h5 alone.h5; echo $?)" != 0
check 'another linear network is seen' test "$(same causes.h5 seven.h5; echo $?)" != 0
check 'another seed of numbers is seen' test "$(same numbers.h5 other.h5; echo $?)" != 0
make learn sep grades.h5 --causes 3 -o other.h5
check 'another posterior of structures is seen' test "$(same sep.h5 other.h5; echo $?)" != 0
make sample "${answers[@]}" --seed 2 -o other.h5
check 'another seed of answers is seen' test "$(same answers.h5 other.h5; echo $?)" != 0
make learn quartet data.h5 --max-depth 0 -o other.h5
check 'another model is seen' test "$(same_data model.h5 other.h5; echo $?)" != 0
make sample --network img --samples $rows --threads 2 -o other.h5
check 'another /run is not' same_data data.h5 other.h5
finish
