# awk -v mode=loadings|graphs|noise -f recovery.awk MODE.csv: means over networks, as a table of Markdown;
# "(+- x)" is the standard error of the mean. Runs that were refused are counted, and have no part in
# the means. Of graphs: precision and recall of all networks' edges together.
BEGIN {
  FS = ","
  if (mode == "loadings") {
    print "| network | rows | structure | estimator | edges kept | networks | error of failures | median error |" \
      " error of leaks | edges too many | seconds | refused |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  } else if (mode == "noise") {
    print "| network | rows | rates | networks | error of off | error of on | error of failures | error of leaks |" \
      " seconds | refused |"
    print "|---|---|---|---|---|---|---|---|---|---|"
  } else {
    print "| network | rows | structure | networks | true edges | found | right | precision | recall |" \
      " divergence | seconds | refused |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  }
}
NR == 1 { next }
{
  key = $1 FS $2 FS $4 FS $5
  if (!(key in seen)) keys[++n_keys] = key
  seen[key] = 1
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
function mean(key, column) { return n[key] > 0 ? sum[key, column] / n[key] : 0 }
function error(key, column,    spread) {
  if (n[key] < 2) return 0
  spread = (squares[key, column] - n[key] * mean(key, column) ^ 2) / (n[key] - 1)
  return sqrt(spread > 0 ? spread / n[key] : 0)
}
function with_error(key, column) {
  return sprintf("%.4f (+- %.4f)", mean(key, column), error(key, column))
}
# Infinite in networks that give a state of the causes no chance: said, and not averaged.
function divergence(key) {
  if (filled[key, 15] == 0) return "infinite"
  return sprintf("%.4f%s", sum[key, 15] / filled[key, 15], \
    filled[key, 15] < n[key] ? ", infinite in " n[key] - filled[key, 15] : "")
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    split(key, part, FS)
    gsub(/;/, ",", part[1])
    if (mode == "noise" && n[key] == 0) {
      printf "| `%s` | %s | %s | 0 | | | | | | %d |\n", part[1], part[2], part[3], refused[key]
    }
    if (n[key] == 0) continue
    if (mode == "loadings") {
      split(part[3], by, "/")
      printf "| `%s` | %s | %s | %s | %s | %d | %s | %.4f | %s | %.1f | %.3f | %d |\n", part[1], part[2], \
        by[1], by[2], part[4], n[key], with_error(key, 6), mean(key, 7), with_error(key, 8), \
        mean(key, 9), mean(key, 16), refused[key]
    } else if (mode == "noise") {
      printf "| `%s` | %s | %s | %d | %s | %s | %s | %s | %.3f | %d |\n", part[1], part[2], part[3], n[key], \
        with_error(key, 18), with_error(key, 19), with_error(key, 6), with_error(key, 8), mean(key, 16), \
        refused[key]
    } else {
      printf "| `%s` | %s | %s | %d | %d | %d | %d | %.3f | %.3f | %s | %.3f | %d |\n", part[1], part[2], \
        part[3], n[key], sum[key, 10], sum[key, 11], sum[key, 12], \
        (sum[key, 11] > 0 ? sum[key, 12] / sum[key, 11] : 0), \
        (sum[key, 10] > 0 ? sum[key, 12] / sum[key, 10] : 0), divergence(key), mean(key, 16), refused[key]
    }
  }
}
