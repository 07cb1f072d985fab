# sep.svg from paper.csv and cells.csv: against rows, a column a number of causes. The difference in
# structure (Tables 1 and 2, the paper's dashed), and what a held-out row is less likely than under
# the true network (Figures 4 and 5), which falls as rows come in: a scale of logarithms.
BEGIN {
  FS = ","
  n_methods = split("sep ep sem plain", methods, " ")
  colour["ep"] = "#56b4e9"; colour["sep"] = "#0072b2"; colour["sem"] = "#d55e00"; colour["plain"] = "#999"
  name["sep"] = "sep: expectation propagation"; name["ep"] = "sep, plain: from random messages"; name["sem"] = "sem: structural EM"
  name["plain"] = "sem, plain: from random rows"
  width = 210; height = 150; left = 58; x_gap = 46; y_gap = 84; top = 92
  ten = log(10)
}
FNR == 1 { ++file; next }
file == 1 { paper[$1, $2, $3, "sep"] = $4; paper[$1, $2, $3, "sem"] = $5; next }
$1 == "table" && $4 != 50 { other_size = 1 }  # than the paper's
$1 == "table" || $1 == "plain" && $6 == "ep" {
  value[1, $2, $3, $5, $6] = $9; error[1, $2, $3, $5, $6] = $10
  value[2, $2, $3, $5, $6] = $15; error[2, $2, $3, $5, $6] = $16
  if (!($3 in has_causes)) causes[has_causes[$3] = ++n_causes] = $3
  if (!($5 in has_rows)) rows[has_rows[$5] = ++n_rows] = $5
}
function sort(list, n,    i, j, at) {
  for (i = 2; i <= n; ++i)
    for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; --j) { at = list[j]; list[j] = list[j - 1]; list[j - 1] = at }
}
function text(x, y, style, what) { printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what }
function rule(x, y, to_x, to_y, style) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x, y, to_x, to_y, style
}
function px(x, n) { return x + 12 + (n_rows < 2 ? .5 : (log(n) - log(rows[1])) / (log(rows[n_rows]) - log(rows[1]))) * (width - 24) }
# what 1: edges, from 0 to `high`; 2: nats, logarithms of `low` to `high`
function py(bottom, v) {
  if (what == 1) return bottom - (v < high ? v : high) / high * height
  return bottom - (log(v < low ? low : v > high ? high : v) - log(low)) / (log(high) - log(low)) * height
}
function measured(p, k, r, m) { return value[what, p, causes[k], rows[r], methods[m]] }
# The scale of a row of panels.
function range(p,    k, r, m, v) {
  low = 1e9; high = 0
  for (k = 1; k <= n_causes; ++k) for (r = 1; r <= n_rows; ++r) for (m = 1; m <= n_methods; ++m) {
    v = measured(p, k, r, m)
    if (v != "" && v + 0 > high) high = v + 0
    if (v != "" && v + 0 > 0 && v + 0 < low) low = v + 0
    v = paper[p, causes[k], rows[r], methods[m]]
    if (what == 1 && v + 0 > high) high = v + 0
  }
  if (what == 1) { high = (int(high / 20) + 1) * 20; return }
  if (low > high) { low = .1; high = 1 }
  low = 10 ^ (floor_of(log(low) / ten)); high = 10 ^ -floor_of(-log(high) / ten)
  if (low == high) high *= 10
}
function floor_of(x) { return int(x) - (x < int(x)) }
function axes(x, bottom,    i, v) {
  printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n", x, bottom - height, width, height
  if (what == 1) for (v = 0; v <= high; v += high > 60 ? 20 : high > 20 ? 10 : 5) {
    rule(x, py(bottom, v), x + width, py(bottom, v), "grid")
    text(x - 6, py(bottom, v) + 4, "right", v)
  } else for (v = low; v <= high * 1.001; v *= 10) {
    rule(x, py(bottom, v), x + width, py(bottom, v), "grid")
    text(x - 6, py(bottom, v) + 4, "right", v)
  }
  for (i = 1; i <= n_rows; ++i) text(px(x, rows[i]), bottom + 16, "middle", rows[i])
}
function curve(x, bottom, p, k, m,    r, v, e, points, old) {
  for (r = 1; r <= n_rows; ++r) {
    v = paper[p, causes[k], rows[r], methods[m]]
    if (what == 1 && v != "") old = old sprintf("%.1f,%.1f ", px(x, rows[r]), py(bottom, v))
    v = measured(p, k, r, m)
    if (v == "" || (what == 2 && v + 0 <= 0)) continue
    points = points sprintf("%.1f,%.1f ", px(x, rows[r]), py(bottom, v))
    e = error[what, p, causes[k], rows[r], methods[m]] + 0
    printf "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\"/>\n", px(x, rows[r]), py(bottom, v - e), py(bottom, v + e), colour[methods[m]]
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s, %d causes, %d rows: %.3g</title></circle>\n", \
      px(x, rows[r]), py(bottom, v), colour[methods[m]], methods[m], causes[k], rows[r], v
  }
  if (old != "") printf "<polyline points=\"%s\" stroke=\"%s\" class=\"paper\"/>\n", old, colour[methods[m]]
  if (points != "") printf "<polyline points=\"%s\" stroke=\"%s\"/>\n", points, colour[methods[m]]
}
END {
  if (other_size) delete paper
  sort(causes, n_causes)
  sort(rows, n_rows)
  full = left + n_causes * (width + x_gap)
  if (full < left + n_methods * 250 + 120) full = left + n_methods * 250 + 120
  down = top + 4 * (height + y_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}.middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.frame{fill:#f7f6f2}.grid{stroke:#ddd}polyline{fill:none;stroke-width:1.8}.paper{stroke-dasharray:4 4;stroke-width:1.2;opacity:.75}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (m = 1; m <= n_methods; ++m) {
    printf "<line x1=\"%d\" y1=\"20\" x2=\"%d\" y2=\"20\" stroke=\"%s\" stroke-width=\"2\"/>\n", left + (m - 1) * 250, left + (m - 1) * 250 + 26, colour[methods[m]]
    text(left + (m - 1) * 250 + 34, 24, "", name[methods[m]])
  }
  if (!other_size) text(left + n_methods * 250, 24, "", "dashed: the paper")
  for (i = 1; i <= 4; ++i) {
    p = i % 2 ? 1 : 2
    what = i <= 2 ? 1 : 2
    range(p)
    bottom = top + i * (height + y_gap) - y_gap
    text(left, bottom - height - 22, "head", (what == 1 ? "Table " p ": edges of one network alone" : "Figure " p + 3 ": nats a new row is less likely than in truth") ", up to " (p == 1 ? "one parent" : "two parents"))
    for (k = 1; k <= n_causes; ++k) {
      x = left + (k - 1) * (width + x_gap)
      text(x + width / 2, bottom - height - 6, "middle", causes[k] " causes")
      axes(x, bottom)
      for (m = n_methods; m >= 1; --m) curve(x, bottom, p, k, m)
    }
    text(left + width / 2, bottom + 32, "middle", "rows")
  }
  print "</svg>"
}
