# awk -v mode=loadings|graphs|noise -f recovery.awk MODE.csv: means over networks, as a table of
# Markdown with a column per number of rows; "(+- x)" is the standard error of the mean. Of graphs:
# precision and recall of all networks' edges together. Runs that were refused have no part in the
# means, and are counted in brackets.
BEGIN { FS = "," }
NR == 1 { next }
!($2 in known) { known[$2] = 1; sizes[++n_sizes] = $2 }
{
  line = $1 FS $4 FS $5
  if (!(line in seen)) lines[++n_lines] = line
  seen[line] = 1
  key = line FS $2
  if ($17 == 1) {
    ++refused[key]
    next
  }
  ++n[key]
  for (column = 6; column <= 19; ++column) {
    sum[key, column] += $column
    squares[key, column] += $column * $column
    if ($column != "") ++filled[key, column]
  }
}
function mean(key, column) { return sum[key, column] / n[key] }
function error(key, column,    spread) {
  if (n[key] < 2) return 0
  spread = (squares[key, column] - n[key] * mean(key, column) ^ 2) / (n[key] - 1)
  return sqrt(spread > 0 ? spread / n[key] : 0)
}
# Infinite in networks that give a state of the causes no chance: said, and not averaged.
function divergence(key) {
  if (filled[key, 15] == 0) return "infinite"
  return sprintf("%.4f%s", sum[key, 15] / filled[key, 15], \
    filled[key, 15] < n[key] ? " and infinite (" n[key] - filled[key, 15] ")" : "")
}
function share(part, whole) { return whole > 0 ? part / whole : 0 }
function cell(key,    text) {
  if (n[key] == 0) return refused[key] > 0 ? "[" refused[key] " refused]" : ""
  if (mode == "loadings") {
    text = sprintf("%.4f (+- %.4f); %.4f", mean(key, 6), error(key, 6), mean(key, 8))
  } else if (mode == "noise") {
    text = sprintf("%.4f, %.4f; %.4f", mean(key, 18), mean(key, 19), mean(key, 6))
  } else {
    text = sprintf("%.2f, %.2f; %s", share(sum[key, 12], sum[key, 11]), share(sum[key, 12], sum[key, 10]), \
      divergence(key))
  }
  return text (refused[key] > 0 ? " [" refused[key] " refused]" : "")
}
# Of the largest number of rows that was not refused.
function seconds(line,    s, key, found) {
  for (s = 1; s <= n_sizes; ++s) {
    key = line FS sizes[s]
    if (n[key] > 0) found = sprintf("%.2f", mean(key, 16))
  }
  return found
}
END {
  if (mode == "loadings") {
    head = "| network | structure | estimator | edges kept |"
    rule = "|---|---|---|---|"
  } else {
    head = mode == "noise" ? "| network | rates |" : "| network | structure |"
    rule = "|---|---|"
  }
  for (s = 1; s <= n_sizes; ++s) {
    head = head " " sizes[s] (s == 1 ? " rows" : "") " |"
    rule = rule "---|"
  }
  print head " seconds |"
  print rule "---|"
  for (l = 1; l <= n_lines; ++l) {
    split(lines[l], part, FS)
    gsub(/;/, ",", part[1])
    if (mode == "loadings") {
      split(part[2], by, "/")
      part[2] = by[1] " | " by[2] " | " part[3]
    }
    printf "| `%s` | %s |", part[1], part[2]
    for (s = 1; s <= n_sizes; ++s) printf " %s |", cell(lines[l] FS sizes[s])
    printf " %s |\n", seconds(lines[l])
  }
}
