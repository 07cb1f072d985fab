# A page from cells.csv: for each family F1 of edges and relative error of loadings against rows, and
# F1 against causes at the largest number of rows; then all as a table.
BEGIN {
  FS = ","
  split("orrery;factor analysis + varimax;factor analysis + geomin;FastICA;ALGORITHM 1 to the letter;its programs, the sparsest", methods, ";")
  split("#0072b2 #d55e00 #cc79a7 #009e73 #e69f00 #56b4e9", colours, " ")
  title["bipartite"] = "bipartite, normal causes of correlation .5"
  title["skewed"] = "bipartite, skewed causes of correlation .5"
  title["independent"] = "bipartite, independent skewed causes"
  title["ternary"] = "ternary tree, normal"
  title["caterpillar"] = "caterpillar, skewed"
  title["symmetric"] = "caterpillar, heavy tails"
  title["polytree"] = "polytree, skewed"
  title["tree"] = "trees of 4 and 5 children, normal"
  title["many"] = "up to half as many causes, normal"
  width = 260; height = 170; left = 56; x_gap = 60; y_gap = 70; top = 74
  ten = log(10)
}
NR == 1 { next }
{
  if (!($1 in number)) families[number[$1] = ++n_families] = $1
  family[++n_cells] = $1
  network[n_cells] = $2; causes[n_cells] = $3; law[n_cells] = $4; correlation[n_cells] = $5
  rows[n_cells] = $6; runs[n_cells] = $7; refused[n_cells] = $8; above[n_cells] = $9
  for (m = 1; m <= 6; ++m)
    for (i = 1; i <= 4; ++i) value[n_cells, m, i] = $(9 + 4 * (m - 1) + i)  # f1, good, error, seconds
  if (!(($1, $2) in sizes)) { sizes[$1, $2] = 0; }
  ++sizes[$1, $2]
  if (sizes[$1, $2] > sizes[$1, main[$1]]) main[$1] = $2  # the network with the most numbers of rows
  if ($6 + 0 > most_rows[$1]) most_rows[$1] = $6 + 0
}

function log10(x) { return log(x) / ten }
function text(x, y, style, what) { printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what }
function rule(x, y, to_x, to_y, style) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x, y, to_x, to_y, style
}
function power(d) { return d < 4 && d > -4 ? 10 ^ d : "10<tspan dy=\"-5\" font-size=\"9\">" d "</tspan>" }
function px(x, v) {
  if (kind == 3) return x + (high == low ? width / 2 : (v - low) / (high - low) * width)
  return x + (high == low ? width / 2 : (log10(v) - low) / (high - low) * width)
}
function py(bottom, v) {
  if (kind == 2) return bottom - (log10(v < floor ? floor : v > 1 ? 1 : v) - log10(floor)) / -log10(floor) * height
  return bottom - v * height
}
# kind 1: F1 against rows, 2: relative error against rows, 3: F1 against causes
function in_panel(c, f) {
  if (family[c] != f) return 0
  return kind == 3 ? rows[c] + 0 == most_rows[f] : network[c] == main[f]
}
function axes(f, x, bottom,    c, d, at) {
  low = 1e9; high = -1e9
  for (c = 1; c <= n_cells; ++c) if (in_panel(c, f)) {
    at = kind == 3 ? causes[c] + 0 : log10(rows[c])
    if (at < low) low = at
    if (at > high) high = at
  }
  floor = 1e-3
  if (kind == 3) {
    for (c = 1; c <= n_cells; ++c) if (in_panel(c, f)) {
      rule(px(x, causes[c]), bottom, px(x, causes[c]), bottom - height, "grid")
      text(px(x, causes[c]), bottom + 16, "middle", causes[c])
    }
  } else for (d = int(low + .999); d <= high + 1e-9; ++d) {
    rule(px(x, 10 ^ d), bottom, px(x, 10 ^ d), bottom - height, "grid")
    text(px(x, 10 ^ d), bottom + 16, "middle", power(d))
  }
  if (kind == 2) for (d = -3; d <= 0; ++d) {
    rule(x, py(bottom, 10 ^ d), x + width, py(bottom, 10 ^ d), "grid")
    text(x - 6, py(bottom, 10 ^ d) + 4, "right", 10 ^ d)
  } else for (d = 0; d <= 5; ++d) {
    rule(x, bottom - d / 5 * height, x + width, bottom - d / 5 * height, "grid")
    text(x - 6, bottom - d / 5 * height + 4, "right", d / 5)
  }
  rule(x, bottom, x + width, bottom, "axis")
  text(x + width / 2, bottom + 34, "middle", kind == 3 ? "causes, " most_rows[f] " rows" : "rows")
}
function draw_panel(f, x, bottom,    c, m, v, n, i, j, at, points, spot) {
  axes(f, x, bottom)
  for (m = 6; m >= 1; --m) {
    n = 0
    for (c = 1; c <= n_cells; ++c) if (in_panel(c, f) && value[c, m, 1] != "") {
      v = value[c, m, kind == 2 ? 3 : 1]
      spot[++n] = c
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s, %s, %d rows: %s %.3f</title></circle>\n", \
        px(x, kind == 3 ? causes[c] : rows[c]), py(bottom, v), colours[m], methods[m], network[c], rows[c], \
        kind == 2 ? "relative error" : "F1", v
    }
    for (i = 2; i <= n; ++i)  # from the left
      for (j = i; j > 1 && (causes[spot[j]] + 0 < causes[spot[j - 1]] + 0 || \
           causes[spot[j]] == causes[spot[j - 1]] && rows[spot[j]] + 0 < rows[spot[j - 1]] + 0); --j) {
        at = spot[j]; spot[j] = spot[j - 1]; spot[j - 1] = at
      }
    points = ""
    for (i = 1; i <= n; ++i)
      points = points sprintf("%.1f,%.1f ", px(x, kind == 3 ? causes[spot[i]] : rows[spot[i]]), \
        py(bottom, value[spot[i], m, kind == 2 ? 3 : 1]))
    if (points != "") printf "<polyline points=\"%s\" stroke=\"%s\"/>\n", points, colours[m]
  }
}
function number_of(v, format) { return v == "" ? "" : sprintf(format, v) }
function table(    c, m, i, line) {
  print "<table><thead><tr><th rowspan=\"2\">network</th><th rowspan=\"2\">causes</th><th rowspan=\"2\">rows</th><th rowspan=\"2\">seeds</th>" \
    "<th colspan=\"4\">orrery</th><th colspan=\"4\">factor analysis + varimax</th><th colspan=\"4\">factor analysis + geomin</th><th colspan=\"4\">FastICA</th><th colspan=\"4\">ALGORITHM 1 to the letter</th><th colspan=\"4\">its programs, the sparsest</th>" \
    "<th rowspan=\"2\">couplings or levels: largest error</th><th rowspan=\"2\">refused</th></tr><tr>"
  for (m = 1; m <= 6; ++m) print "<th>F1</th><th>&#8805; .95</th><th>error</th><th>seconds</th>"
  print "</tr></thead><tbody>"
  for (c = 1; c <= n_cells; ++c) {
    line = "<tr><td>" network[c] "</td><td>" law[c] (correlation[c] + 0 ? ", correlation " correlation[c] : "") \
      "</td><td>" rows[c] "</td><td>" runs[c] "</td>"
    gsub(/;/, ",", line)
    for (m = 1; m <= 6; ++m)
      line = line "<td>" number_of(value[c, m, 1], "%.3f") "</td><td>" \
        (value[c, m, 2] == "" ? "" : sprintf("%.0f %%", 100 * value[c, m, 2])) "</td><td>" \
        number_of(value[c, m, 3], "%.3g") "</td><td>" number_of(value[c, m, 4], "%.2f") "</td>"
    print line "<td>" number_of(above[c], "%.3g") "</td><td>" refused[c] "</td></tr>"
  }
  print "</tbody></table>"
}
END {
  print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Linear networks with hidden causes</title>"
  print "<style>body{font:15px/1.5 sans-serif;max-width:100rem;margin:2rem auto;padding:0 1rem;color:#222}"
  print "svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:13px}"
  print "td,th{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left}</style></head><body>"
  print "<h1>Linear networks with hidden causes</h1>"
  print "<p>All methods know the number of causes. ALGORITHM 1 is the paper&#8217;s: noise by blocks, the first independent solutions of its n programs, or the sparsest of them. Columns of loadings are matched to the true ones up to order and sign. " \
    "Factor analysis, with uncorrelated factors (varimax) and with correlated ones (geomin, an oblique rotation), and FastICA have no test of a loading: their columns are also scaled as near to the true ones as can be, and their " \
    "loadings count as edges beyond the one threshold that makes F1 largest. Seconds on one processor: orrery&#8217;s with start, " \
    "reading and standard errors, the others&#8217; of the fit alone. Runs that orrery refuses count as F1 0 and error 1. " \
    "Point at a dot for its numbers.</p>"
  full = left + n_families * (width + x_gap)
  down = top + 3 * (height + y_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}.middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#444}polyline{fill:none;stroke-width:1.5}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (m = 1; m <= 6; ++m) {
    printf "<circle cx=\"%d\" cy=\"16\" r=\"5\" fill=\"%s\"/>\n", left + (m - 1) * 220, colours[m]
    text(left + (m - 1) * 220 + 10, 21, "head", methods[m])
  }
  split("F1 of edges;relative error of loadings;F1 of edges", panel, ";")
  for (i = 1; i <= n_families; ++i) {
    x = left + (i - 1) * (width + x_gap)
    text(x, 46, "head", families[i] in title ? title[families[i]] : families[i])
    for (kind = 1; kind <= 3; ++kind) {
      bottom = top + kind * (height + y_gap) - y_gap
      text(x, bottom - height - 6, "", panel[kind])
      draw_panel(families[i], x, bottom)
    }
  }
  print "</svg>"
  table()
  print "</body></html>"
}
