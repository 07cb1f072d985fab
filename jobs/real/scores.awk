# A line of the table: sizes of the model (MODEL.json), its scores (of `evaluate --json`). A score
# that is not there is `-`: too many causes share a component for the exact likelihood.
FNR == 1 { ++file }
file == 1 && /"prior":/ { ++n_causes }
file == 1 && /"leak":/ { ++n_observed }
file == 2 && /^  "[a-z_]+": [-0-9n]/ {
  split($0, part, "\"")
  sub(/^[^:]*: /, "")
  sub(/,$/, "")
  value[part[2]] = $0
}

file == 2 && /^  "predictive_check"/ { in_check = 1 }
in_check && /^    "pairs"/ { in_pairs = 1 }
in_pairs && /^      "surprising":/ {
  sub(/^[^:]*: /, "")
  sub(/,$/, "")
  misfit = sprintf("%.1f %%", 100 * $0)
  in_check = in_pairs = 0
}

function score(name) {
  if (!(name in value)) return "-"
  return value[name] == "null" ? "-inf" : sprintf("%.4f", value[name])
}

END {
  printf "| %s | %d | %d | %d | %d | %s | %s | %s | %s (%d) | %s | %s | %.2f |\n", dataset, \
    n_observed, value["train_rows"], value["rows"], n_causes, score("log_likelihood"), \
    score("chow_liu_log_likelihood"), score("independent_log_likelihood"), \
    score("mixture_log_likelihood"), value["mixture_components"], published, misfit, seconds
}
