# Figure 6 from figure6.csv: a column per network, the truth on top, then the posterior of the edges after
# 0, 1 and 2 conditionings; in a panel a row per cause and a column per variable, the darker the more
# probable. With -v table=1 the numbers instead, as a table.
BEGIN { FS = ","; cell = 9; left = 150; x_gap = 40; top = 60; y_gap = 34 }
NR == 1 { next }
{
  column = $1 SUBSEP $2
  if (!(column in has)) columns[has[column] = ++n_columns] = column
  if ($4 + 0 > n_causes) n_causes = $4 + 0
  if ($3 + 0 > n_conditionings) n_conditionings = $3 + 0
  i = ++seen[column, $3, $4]
  if (i > n_variables) n_variables = i
  q[column, $3, $4, i] = $6
  truth[column, $4, i] = $7
  gap = $6 - $7
  expected[column, $3] += gap < 0 ? -gap : gap
  if ($7) true_edges[column, $3] += 1 - $6; else extra[column, $3] += $6
  if ($6 > .05 && $6 < .95) ++unsure[column, $3]
  wrong[column, $3] = $8
}
function text(x, y, style, what) { printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what }
function panel(x, y, column, c,    k, i, value) {
  for (k = 1; k <= n_causes; ++k) for (i = 1; i <= n_variables; ++i) {
    value = c < 0 ? truth[column, k, i] : q[column, c, k, i]
    if (value >= .005) printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill-opacity=\"%.2f\"/>\n", \
      x + (i - 1) * cell, y + (k - 1) * 2 * cell, cell - .5, 2 * cell - 1, value
  }
  printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"frame\"/>\n", x, y, n_variables * cell, n_causes * 2 * cell
}
function start_name(column,    parts) {
  split(column, parts, SUBSEP)
  return "network " parts[1] ", " (parts[2] == "random" ? "plain: from random messages" : "our search")
}
END {
  if (table) {
    print "| network | start | conditionings | expected edges of one network alone | of them true ones | of the most probable network | edges with a probability between 0.05 and 0.95 |"
    print "|---|---|---|---|---|---|---|"
    for (n = 1; n <= n_columns; ++n) {
      split(columns[n], parts, SUBSEP)
      for (c = 0; c <= n_conditionings; ++c) printf "| %s | %s | %d | %.2f | %.2f | %d | %d |\n", parts[1], \
        parts[2], c, expected[columns[n], c], true_edges[columns[n], c], wrong[columns[n], c], unsure[columns[n], c]
    }
    exit
  }
  wide = n_variables * cell
  high = n_causes * 2 * cell
  full = left + n_columns * (wide + x_gap)
  down = top + (n_conditionings + 2) * (high + y_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.head{font-weight:bold}.frame{fill:none;stroke:#999}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (c = -1; c <= n_conditionings; ++c) {
    y = top + (c + 1) * (high + y_gap)
    text(10, y + high / 2, "", c < 0 ? "truth" : c == 0 ? "no conditioning" : c == 1 ? "1 conditioning" : c " conditionings")
    for (n = 1; n <= n_columns; ++n) {
      x = left + (n - 1) * (wide + x_gap)
      if (c < 0) text(x, 24, "head", start_name(columns[n]))
      else text(x, y - 6, "", sprintf("%.1f edges expected to be wrong", expected[columns[n], c]))
      panel(x, y, columns[n], c)
    }
  }
  print "</svg>"
}
