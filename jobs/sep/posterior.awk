# The posterior of the edges in a learned network beside the truth, causes matched: lines
# "conditionings,cause,variable,probability,true" with the truth's numbers, cause after cause.
#   awk -v conditionings=N -f posterior.awk SCORES TRUTH MODEL
# SCORES: `evaluate MODEL --truth TRUTH --json`; TRUTH and MODEL: `export --format json`.
# An edge's probability is the sum over the sets of parents that it is in.
function numbers(text, list) {
  gsub(/[][ ]|,$/, "", text)
  return text == "" ? 0 : split(text, list, ",")
}
FNR == 1 { ++file; part = "" }
file == 1 && /"learned": "/ { split($0, words, "\""); partner = words[4] }
file == 1 && /"learned": null/ { partner = "" }
file == 1 && /"true": "/ { split($0, words, "\""); match_of[words[4]] = partner }
/^  "[a-z_]+": \[$/ { part = $1; gsub(/[":]/, "", part); next }
/^  \],?$/ { part = ""; next }
part == "causes" { split($0, words, "\""); cause[file, ++n_causes[file]] = words[4] }
file == 2 && part == "observed" {
  split($0, words, "\"")
  variable[++n_variables] = words[4]
  text = $0
  sub(/^.*"parents": \[/, "", text)
  sub(/\].*$/, "", text)
  n = numbers(text, parents)
  for (a = 1; a <= n; ++a) truth[parents[a] + 1, n_variables] = 1
}
file == 3 && part == "parent_sets" {
  ++n_sets
  n_in[n_sets] = numbers($0, parents)
  for (a = 1; a <= n_in[n_sets]; ++a) in_set[n_sets, a] = cause[3, parents[a] + 1]
}
file == 3 && part == "structure" {
  ++row
  n = numbers($0, shares)
  for (s = 1; s <= n; ++s) for (a = 1; a <= n_in[s]; ++a) edge[in_set[s, a], row] += shares[s]
}
END {
  for (k = 1; k <= n_causes[2]; ++k) for (i = 1; i <= n_variables; ++i) {
    partner = match_of[cause[2, k]]
    printf "%d,%d,%s,%.6f,%d\n", conditionings, k, variable[i], partner == "" ? 0 : edge[partner, i], truth[k, i]
  }
}
