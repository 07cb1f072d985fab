# shellcheck shell=bash disable=SC2154
# How each experiment is run, for jobs/reproduce, which sets $jobs, $folder and $quick. Each goes on
# from what is in its folder.

small=()
scale=full
if "$quick"; then
  small=(--quick)
  scale=small
fi

run_figure3() {
  "$jobs/figure3/run" "$folder/figure3"
}

run_quartet() {
  local -a parts=()
  if "$quick"; then parts=(depth known figure3); fi
  "$jobs/quartet/run" "${small[@]}" --folder "$folder/quartet" "${parts[@]}"
}

run_anchored() {
  local -a few=("${small[@]}")
  if "$quick"; then few+=(--seeds 1); fi
  "$jobs/anchored/run" "${small[@]}" "$folder/anchored"
  "$jobs/anchored/recovery" loadings "${few[@]}" "$folder/recovery"
  "$jobs/anchored/recovery" graphs "${few[@]}" "$folder/recovery"
}

run_linear() {
  "$jobs/linear/run" "${small[@]}" "$folder/linear"
  if [[ ! -e $folder/linear_exact.md ]]; then
    "$jobs/linear/exact" "${small[@]}" >"$folder/linear_exact.md.new"
    mv -- "$folder/linear_exact.md.new" "$folder/linear_exact.md"
  fi
}

run_sep() {
  if "$quick"; then export SEP_SCALE=small; fi
  "$jobs/sep/run" run "$folder/sep"
  "$jobs/sep/run" collect "$folder/sep"
}

run_hidden_tree() {
  "$jobs/hidden_tree/run" --scale "$scale" "$folder/hidden_tree"
  "$jobs/hidden_tree/weak_edges" --scale "$scale" "$folder/weak_edges"
  "$jobs/hidden_tree/unequal_noise" --scale "$scale" "$folder/unequal_noise"
}

run_qmr() {
  "$jobs/qmr/run" --scale "$scale" -o "$folder/qmr"
}

# The configuration of the benchmark's first sweep; the small one has one number of rows, one seed and the
# quick methods.
benchmark_config() {
  if ! "$quick"; then
    echo "$jobs/benchmark/benchmark.ini"
    return
  fi
  sed -E 's/^samples = .*/samples = 2000/; s/^seeds = .*/seeds = 1/; s/^held-out = .*//
    /^(calibrated|vem|paper-median) = /d' "$jobs/benchmark/benchmark.ini" >"$folder/benchmark.ini"
  echo "$folder/benchmark.ini"
}

run_benchmark() {
  local config
  config=$(benchmark_config)
  "$jobs/sweep" run "$config" "$folder/benchmark"
  "$jobs/sweep" collect "$config" "$folder/benchmark"
}

run_real() {
  local -a sets=()
  if "$quick"; then sets=(nltcs votes84); fi
  "$jobs/real/run" "$folder/real" "${sets[@]}"
}
