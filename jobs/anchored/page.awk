# A page from cells.csv: a panel for each figure and case, a line for each learner with a bar of one
# standard error either way; then all as a table.
BEGIN {
  FS = ","
  split("#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #999933 #882255", colours, " ")
  title["4", "sure"] = "Figure 4: anchors are sure signs"
  title["4", "violated"] = "Figure 4: half the anchors are flawed"
  title["5", "tags"] = "Figure 5: the last tag"
  title["6", "known"] = "Figure 6: every cause has an anchor"
  title["6", "unknown"] = "Figure 6: causes that the model lacks"
  abscissa["4"] = abscissa["5"] = "rows to learn from"
  abscissa["6"] = "steps of EM"
  ordinate["4"] = "log-likelihood of true causes a row, nats"
  ordinate["5"] = ordinate["6"] = "last tags right"
  width = 300; height = 220; left = 64; x_gap = 80; top = 96; below = 60
  ten = log(10)
}
NR == 1 { next }
{
  panel = $1 SUBSEP $2
  if (!(panel in number)) { panels[number[panel] = ++n_panels] = panel; figure[panel] = $1; network[panel] = $3 }
  key = panel SUBSEP $4
  if (!(key in count)) lines[panel, ++n_lines[panel]] = $4
  ++count[key]
  at[key, count[key]] = $5; mean[key, count[key]] = $7; error[key, count[key]] = $8
  row[++n_rows] = $0
}

function log10(x) { return log(x) / ten }
function text(x, y, style, what) { printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what }
function rule(x, y, to_x, to_y, style) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x, y, to_x, to_y, style
}
function place(f, v) { return f == 6 ? v : log10(v) }
function px(x, f, v) { return x + (high == low ? width / 2 : (place(f, v) - low) / (high - low) * width) }
function py(bottom, v) { return bottom - (v - least) / (most - least) * height }
# Sets low, high, least, most and the step of the ordinate's marks.
function set_axes(p,    l, i, v, key) {
  low = least = 1e9; high = most = -1e9
  for (l = 1; l <= n_lines[p]; ++l) {
    key = p SUBSEP lines[p, l]
    for (i = 1; i <= count[key]; ++i) {
      v = place(figure[p], at[key, i])
      if (v < low) low = v
      if (v > high) high = v
      if (mean[key, i] - error[key, i] < least) least = mean[key, i] - error[key, i]
      if (mean[key, i] + error[key, i] > most) most = mean[key, i] + error[key, i]
    }
  }
  if (most - least < 1e-6) { most += .05; least -= .05 }
  mark = 10 ^ int(log10(most - least) - 1 + 1e-9)
  while ((most - least) / mark > 6) mark *= (index(sprintf("%e", mark), "2") == 1 ? 2.5 : 2)
  least = mark * (int(least / mark) - (least < 0 ? 1 : 0))
  most = mark * (int(most / mark) + (most > 0 ? 1 : 0))
}
function axes(p, x, bottom,    f, d, i, v, key, marks) {
  f = figure[p]
  for (v = least; v <= most + mark / 2; v += mark) {
    rule(x, py(bottom, v), x + width, py(bottom, v), "grid")
    text(x - 6, py(bottom, v) + 4, "right", sprintf("%.4g", v))
  }
  key = p SUBSEP lines[p, 1]
  for (i = 1; i <= count[key]; ++i) {
    v = at[key, i]
    rule(px(x, f, v), bottom, px(x, f, v), bottom - height, "grid")
    text(px(x, f, v), bottom + 16, "middle", f != 6 && v >= 1000 ? v / 1000 "k" : v)
  }
  rule(x, bottom, x + width, bottom, "axis")
  text(x + width / 2, bottom + 34, "middle", abscissa[f])
  text(x - 50, bottom - height - 26, "", ordinate[f])
}
function draw_line(p, l, x, bottom, colour,    key, i, points, f, y) {
  key = p SUBSEP lines[p, l]
  f = figure[p]
  if (count[key] == 1 && f == 6) {  # known before EM
    y = py(bottom, mean[key, 1])
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"5 3\"/>\n", x, y, x + width, y, colour
  }
  for (i = 1; i <= count[key]; ++i) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", px(x, f, at[key, i]), \
      py(bottom, mean[key, i] - error[key, i]), px(x, f, at[key, i]), py(bottom, mean[key, i] + error[key, i]), colour
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s at %s: %.4f (+- %.4f)</title></circle>\n", \
      px(x, f, at[key, i]), py(bottom, mean[key, i]), colour, lines[p, l], at[key, i], mean[key, i], error[key, i]
    points = points sprintf("%.1f,%.1f ", px(x, f, at[key, i]), py(bottom, mean[key, i]))
  }
  printf "<polyline points=\"%s\" stroke=\"%s\"/>\n", points, colour
}
function draw_panel(p, x,    bottom, l, colour, name) {
  bottom = top + height
  name = network[p]
  gsub(/;/, ",", name)
  text(x - 50, 24, "head", title[figure[p], substr(p, length(figure[p]) + 2)])
  text(x - 50, 42, "", name)
  set_axes(p)
  axes(p, x, bottom)
  for (l = 1; l <= n_lines[p]; ++l) {
    colour = lines[p, l] == "true network" ? "#444" : colours[(l - 1) % 8 + 1]
    draw_line(p, l, x, bottom, colour)
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x, bottom + below + 16 * (l - 1), colour
    text(x + 10, bottom + below + 5 + 16 * (l - 1), "", lines[p, l])
  }
}
function table(    i, cell) {
  print "<table><thead><tr><th>figure</th><th>case</th><th>network</th><th>line</th><th>rows or steps</th><th>runs</th>" \
    "<th>mean</th><th>standard error</th><th>processor seconds to learn</th><th>refused</th></tr></thead><tbody>"
  for (i = 1; i <= n_rows; ++i) {
    split(row[i], cell, ",")
    gsub(/;/, ",", cell[3])
    printf "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%.4f</td><td>%.4f</td><td>%s</td><td>%s</td></tr>\n", \
      cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7], cell[8], cell[9], cell[10]
  }
  print "</tbody></table>"
}
END {
  print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Anchored discrete factor analysis</title>"
  print "<style>body{font:15px/1.5 sans-serif;max-width:110rem;margin:2rem auto;padding:0 1rem;color:#222}"
  print "svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:13px}"
  print "td,th{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left}</style></head><body>"
  print "<h1>Anchored discrete factor analysis</h1>"
  print "<p>Generated data; means over data sets, with a standard error either way. Log-likelihoods are of rows that were not learned " \
    "from, with no probability nearer to 0 or 1 than 1 / (rows + 2). The baseline is the best of classifiers of the anchors and of the " \
    "anchors&#8217; noise rates. Data that the learner refuses, since nothing goes with an anchor, are left out and counted. Point at a dot for its numbers.</p>"
  full = left + n_panels * (width + x_gap)
  down = top + height + below + 16 * 8
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", full, down, full, down
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}.middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#444}polyline{fill:none;stroke-width:1.5}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, down
  for (i = 1; i <= n_panels; ++i) draw_panel(panels[i], left + (i - 1) * (width + x_gap))
  print "</svg>"
  table()
  print "</body></html>"
}
