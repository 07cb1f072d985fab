# A page from theory.csv (q, samples that suffice as published, as derived) and cells.csv: for each tree the share of runs
# that recover all of it, and the mean ssTV, against samples; then the same against samples times
# (1-2q)^4, on which all curves of recovery should lie.
BEGIN {
  FS = ","
  split("#0072b2 #009e73 #e69f00 #d55e00 #cc79a7 #000000 #56b4e9 #999999", colours, " ")
}

FNR == 1 { ++file }
file == 1 { sufficient[$1 + 0] = $2; derived[$1 + 0] = $3; next }
FNR == 1 { next }

{
  if (!($1 in tree_number)) trees[tree_number[$1] = ++n_trees] = $1
  q = $2 + 0
  if (!(q in q_number)) qs[q_number[q] = ++n_qs] = q
  cell[$1, q, ++n_cells[$1, q]] = $3
  exact[$1, q, $3] = $5
  sstv[$1, q, $3] = $6
  runs[$1, q, $3] = $4
  if (!least || $3 < least) least = $3
  if ($3 > most) most = $3
  if ($6 > worst) worst = $6
  if (!lowest || $6 < lowest) lowest = $6
}

function effective(q, n) { return n * (1 - 2 * q) ^ 4 }
function py(bottom, v) {
  if (logarithmic) return bottom - (log10(v > floor ? v : floor) - bottom_decade) / (top_decade - bottom_decade) * height
  return bottom - v * height
}

# kind 1: exact against n; 2: ssTV against n; 3: exact against n (1-2q)^4
function draw_panel(t, kind, x, bottom,    i, k, d, n, v, points, at, colour, what) {
  logarithmic = kind == 2
  floor = 1e-4
  bottom_decade = floor_of(log10(lowest > floor ? lowest : floor))
  top_decade = 0
  low = log10(least); high = log10(most)
  if (kind == 3) { low = 1; high = log10(most) < 5 ? log10(most) : 5 }
  else for (q in sufficient) if (log10(sufficient[q]) > high && log10(sufficient[q]) < 9) high = log10(sufficient[q])
  high = floor_of(high + .999)
  low = floor_of(low)
  draw_decades(x, bottom)
  if (logarithmic) for (d = bottom_decade; d <= top_decade; ++d) {
    rule(x, py(bottom, 10 ^ d), x + width, py(bottom, 10 ^ d), "grid")
    text(x - 6, py(bottom, 10 ^ d) + 4, "right", sprintf("%g", 10 ^ d))
  } else for (d = 0; d <= 4; ++d) {
    rule(x, bottom - d / 4 * height, x + width, bottom - d / 4 * height, "grid")
    text(x - 6, bottom - d / 4 * height + 4, "right", 25 * d " %")
  }
  rule(x, bottom, x + width, bottom, "axis")
  text(x + width / 2, bottom + 34, "middle", kind == 3 ? "samples &#183; (1 &#8722; 2q)&#8308;" : "samples")
  for (i = 1; i <= n_qs; ++i) {
    points = ""
    colour = colours[(i - 1) % 8 + 1]
    for (k = 1; k <= n_cells[t, qs[i]]; ++k) {
      n = cell[t, qs[i], k]
      at = kind == 3 ? effective(qs[i], n) : n
      if (log10(at) < low - 1e-9 || log10(at) > high + 1e-9) continue
      v = kind == 2 ? sstv[t, qs[i], n] : exact[t, qs[i], n]
      points = points sprintf("%.1f,%.1f ", px(x, at), py(bottom, v))
      what = kind == 2 ? sprintf("mean ssTV %.4f", v) : sprintf("%.0f %% of %d runs whole", 100 * v, runs[t, qs[i], n])
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>q = %s, %d samples: %s</title></circle>\n", \
        px(x, at), py(bottom, v), colour, qs[i], n, what
    }
    if (points != "") printf "<polyline points=\"%s\" stroke=\"%s\"/>\n", points, colour
    if (kind == 2 || !(qs[i] in sufficient)) continue
    at = kind == 3 ? effective(qs[i], sufficient[qs[i]]) : sufficient[qs[i]]
    if (log10(at) <= high && log10(at) >= low)
      printf "<path d=\"M%.1f %.1fv%d\" stroke=\"%s\" class=\"theory\"><title>q = %s: %d samples suffice, by Theorem 3.1</title></path>\n", \
        px(x, at), bottom - height, height, colour, qs[i], at
  }
}

function table(    t, i, k, n, row, name) {
  print "<table><thead><tr><th>tree</th><th>q</th><th>samples</th><th>runs</th><th>whole tree</th>" \
    "<th>mean ssTV</th><th>theory: sufficient, as published</th><th>as derived here</th></tr></thead><tbody>"
  for (t = 1; t <= n_trees; ++t)
    for (i = 1; i <= n_qs; ++i)
      for (k = 1; k <= n_cells[trees[t], qs[i]]; ++k) {
        n = cell[trees[t], qs[i], k]
        printf "<tr><td>%s</td><td>%s</td><td>%d</td><td>%d</td><td>%.0f %%</td><td>%.4f</td><td>%s</td><td>%s</td></tr>\n", \
          trees[t], qs[i], n, runs[trees[t], qs[i], n], 100 * exact[trees[t], qs[i], n], \
          sstv[trees[t], qs[i], n], (qs[i] in sufficient) ? sprintf("%.3g", sufficient[qs[i]]) : "", \
          (qs[i] in derived) ? sprintf("%.3g", derived[qs[i]]) : ""
      }
  print "</tbody></table>"
}

END {
  print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Hidden trees</title>"
  print_style()
  print "<h1>Hidden trees from noisy signs</h1>"
  printf "<p>%d variables, correlations of .2 to .8. Each sign is observed as its opposite with probability q; the learner (Chow-Liu-CC) knows q. Dashed: samples that suffice for the whole tree with probability .95 by Theorem 3.1 of Nikolakakis, Kalogerias, Sarwate 2018 (where they are within the plot). The third column scales the samples by (1 &#8722; 2q)&#8308;, by which theory says they count: the curves of all q fall together. Point at a dot for its numbers.</p>\n", p
  full = left + 3 * (width + x_gap)
  down = top + n_trees * (height + y_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}.middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#444}polyline{fill:none;stroke-width:1.5}.theory{stroke-dasharray:5 4;stroke-width:1.2;fill:none}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (i = 1; i <= n_qs; ++i) {
    printf "<circle cx=\"%d\" cy=\"16\" r=\"5\" fill=\"%s\"/>\n", left + (i - 1) * 90, colours[(i - 1) % 8 + 1]
    text(left + (i - 1) * 90 + 10, 21, "head", "q = " qs[i])
  }
  for (t = 1; t <= n_trees; ++t) {
    bottom = top + t * (height + y_gap) - y_gap
    text(left, bottom - height - 8, "head", trees[t] ": runs that recover the whole tree")
    text(left + width + x_gap, bottom - height - 8, "head", trees[t] ": mean ssTV of pairs")
    text(left + 2 * (width + x_gap), bottom - height - 8, "head", trees[t] ": whole trees, samples scaled")
    draw_panel(trees[t], 1, left, bottom)
    draw_panel(trees[t], 2, left + width + x_gap, bottom)
    draw_panel(trees[t], 3, left + 2 * (width + x_gap), bottom)
  }
  print "</svg>"
  table()
  print "</body></html>"
}
