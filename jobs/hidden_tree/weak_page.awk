# A page from theory.csv (weakest correlation, q, samples that suffice for the very tree, samples that
# suffice for an ssTV of 0.1 whatever the weakest edge is) and cells.csv of weak_edges: for each
# crossover the share of whole trees, ssTV and the log loss of predictions against samples, a line a
# weakest correlation; then all cells as a table.
BEGIN {
  FS = ","
  split("#0072b2 #e69f00 #d55e00 #009e73 #cc79a7", colours, " ")
}

FNR == 1 { ++file }
file == 1 { by_tree[$1 + 0, $2 + 0] = $3; near[$1 + 0, $2 + 0] = $4; next }
FNR == 1 { next }

{
  weakest = $1 + 0
  q = $2 + 0
  if (!(q in q_number)) qs[q_number[q] = ++n_qs] = q
  if (!(weakest in weak_number)) weak[weak_number[weakest] = ++n_weak] = weakest
  cell[weakest, q, ++n_cells[weakest, q]] = $3
  runs[weakest, q, $3] = $4
  exact[weakest, q, $3] = $5
  missing[weakest, q, $3] = $6
  mean[weakest, q, $3] = $7
  greatest[weakest, q, $3] = $8
  divergence[weakest, q, $3] = $9
  excess[weakest, q, $3] = $10
  truth[weakest, q, $3] = $11
  if (!least || $3 < least) least = $3
  if ($3 > most) most = $3
}

function py(bottom, v) {
  if (lowest_decade == "") return bottom - v * height
  v = v > 0 ? log10(v) : lowest_decade
  if (v < lowest_decade) v = lowest_decade
  return bottom - (v - lowest_decade) / (top_decade - lowest_decade) * height
}

# `lowest_decade`: of a logarithmic axis up to `top_decade`; "" for shares.
function draw_axes(x, bottom,    d) {
  low = floor_of(log10(least)); high = floor_of(log10(most) + .999)
  draw_decades(x, bottom)
  if (lowest_decade == "") for (d = 0; d <= 4; ++d) {
    rule(x, bottom - d / 4 * height, x + width, bottom - d / 4 * height, "grid")
    text(x - 6, bottom - d / 4 * height + 4, "right", 25 * d " %")
  } else for (d = lowest_decade; d <= top_decade; ++d) {
    rule(x, py(bottom, 10 ^ d), x + width, py(bottom, 10 ^ d), "grid")
    text(x - 6, py(bottom, 10 ^ d) + 4, "right", sprintf("%g", 10 ^ d))
  }
  rule(x, bottom, x + width, bottom, "axis")
  text(x + width / 2, bottom + 34, "middle", "samples")
}

# A line a weakest correlation; `style` is a class of the line.
function draw_lines(values, what, q, x, bottom, style,    w, k, n, points) {
  for (w = 1; w <= n_weak; ++w) {
    points = ""
    for (k = 1; k <= n_cells[weak[w], q]; ++k) {
      n = cell[weak[w], q, k]
      points = points sprintf("%.1f,%.1f ", px(x, n), py(bottom, values[weak[w], q, n]))
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>from %s, q = %s, %d samples: %s %.4g</title></circle>\n", \
        px(x, n), py(bottom, values[weak[w], q, n]), colours[w], weak[w], q, n, what, values[weak[w], q, n]
    }
    printf "<polyline points=\"%s\" stroke=\"%s\" class=\"%s\"/>\n", points, colours[w], style
  }
}

function draw_row(q, bottom,    x) {
  x = left
  lowest_decade = ""
  text(x, bottom - height - 8, "head", "q = " q ": runs that recover the whole tree")
  draw_axes(x, bottom)
  draw_lines(exact, "whole trees, a share of", q, x, bottom, "mean")
  x += width + x_gap
  lowest_decade = -3; top_decade = 0
  text(x, bottom - height - 8, "head", "q = " q ": ssTV of pairs, mean and greatest (dashed)")
  draw_axes(x, bottom)
  draw_lines(mean, "mean ssTV", q, x, bottom, "mean")
  draw_lines(greatest, "greatest ssTV", q, x, bottom, "greatest")
  x += width + x_gap
  lowest_decade = -6; top_decade = -1
  text(x, bottom - height - 8, "head", "q = " q ": log loss beyond the true tree's, nats")
  draw_axes(x, bottom)
  draw_lines(excess, "log loss beyond the true tree's", q, x, bottom, "mean")
}

function table(    w, i, k, n, key) {
  print "<table><thead><tr><th>weakest</th><th>q</th><th>samples</th><th>runs</th><th>whole tree</th>" \
    "<th>edges missed</th><th>mean ssTV</th><th>greatest</th><th>symmetric KL</th>" \
    "<th>log loss beyond the true tree's</th><th>true tree's</th><th>theory: the very tree</th>" \
    "<th>ssTV of 0.1</th></tr></thead><tbody>"
  for (w = 1; w <= n_weak; ++w) for (i = 1; i <= n_qs; ++i) for (k = 1; k <= n_cells[weak[w], qs[i]]; ++k) {
    n = cell[weak[w], qs[i], k]
    key = weak[w] SUBSEP qs[i] SUBSEP n
    printf "<tr><td>%s</td><td>%s</td><td>%d</td><td>%d</td><td>%.0f %%</td><td>%.1f</td><td>%.4f</td><td>%.4f</td><td>%s</td><td>%.6f</td><td>%.4f</td><td>%.3g</td><td>%.3g</td></tr>\n", \
      weak[w], qs[i], n, runs[key], 100 * exact[key], missing[key], mean[key], greatest[key], \
      divergence[key] == "" ? "infinite" : sprintf("%.3g", divergence[key]), excess[key], truth[key], \
      by_tree[weak[w], qs[i]], near[weak[w], qs[i]]
  }
  print "</tbody></table>"
}

END {
  print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Weak edges</title>"
  print_style()
  print "<h1>Trees with edges too weak to be found</h1>"
  printf "<p>Random recursive trees of %d variables, correlations uniform between the weakest and 0.8; each sign is observed as its opposite with probability q, which the learner (Chow-Liu-CC) knows. The weaker the weakest edge, the fewer trees are whole; ssTV and the predictions of ten variables from all others are hardly worse.</p>\n", p
  full = left + 3 * (width + x_gap)
  down = top + n_qs * (height + y_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}.middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#444}polyline{fill:none;stroke-width:1.5}.greatest{stroke-dasharray:5 4}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (i = 1; i <= n_weak; ++i) {
    printf "<circle cx=\"%d\" cy=\"16\" r=\"5\" fill=\"%s\"/>\n", left + (i - 1) * 230, colours[i]
    text(left + (i - 1) * 230 + 10, 21, "head", "weakest correlation " weak[i])
  }
  for (i = 1; i <= n_qs; ++i) draw_row(qs[i], top + i * (height + y_gap) - y_gap)
  print "</svg>"
  table()
  print "</body></html>"
}
