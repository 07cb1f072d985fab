# means.csv as SVG: a row of plots a set; recovered causes, extra causes, held-out log-likelihood
# and time against the number of samples, a line a method.
BEGIN {
  FS = ","
  width = 210; height = 110; left = 150; top = 70; x_gap = 60; y_gap = 34
  split("#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000 #999999", colours, " ")
  n_measures = split("recovered extra log_likelihood_gap processor_seconds", measures, " ")
  split("causes recovered;extra causes;held-out gap to the truth, nats a row;" \
    "processor seconds", titles, ";")
  is_log["log_likelihood_gap"]; is_log["processor_seconds"]
}

NR == 1 {
  for (i = 1; i <= NF; ++i) at[$i] = i
  next
}

{
  if (!($at["set"] in set_number)) sets[set_number[$at["set"]] = ++n_sets] = $at["set"]
  if (!($at["method"] in method_number))
    methods[method_number[$at["method"]] = ++n_methods] = $at["method"]
  if (!($at["samples"] in size_number)) sizes[size_number[$at["samples"]] = ++n_sizes] = $at["samples"]
  if ($at["true_causes"] > causes[$at["set"]]) causes[$at["set"]] = $at["true_causes"]
  for (i = 1; i <= n_measures; ++i) {
    value = $at[measures[i]]
    if (value == "") continue
    values[$at["set"], $at["samples"], $at["method"], i] = value
    if (!(i in used) || value + 0 > most[i]) most[i] = value + 0
    if ((!(i in used) || value + 0 < least[i])) least[i] = value + 0
    used[i] = 1
    shown[$at["set"], i] = 1
  }
}

function sort_sizes(    i, j, swap) {
  for (i = 1; i <= n_sizes; ++i)
    for (j = i + 1; j <= n_sizes; ++j)
      if (sizes[j] + 0 < sizes[i] + 0) { swap = sizes[i]; sizes[i] = sizes[j]; sizes[j] = swap }
}

function text(x, y, style, what) {
  printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what
}

function rule(x, y, to_x, to_y, style) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x, y, to_x, to_y, style
}

# The scale of measure i in the row of `set`: low and high; logarithms where is_log says so.
function find_scale(i, set,    ten) {
  ten = log(10)
  low = 0
  high = i == 1 ? causes[set] : most[i]
  if (measures[i] in is_log) {  # whole decades; what is nearer to the truth than .001 is as good
    low = least[i] > 0.001 ? int(log(least[i]) / ten + 100) - 100 : -3
    high = most[i] > 0.001 ? int(log(most[i]) / ten + 100.9999) - 100 : -2
  }
  if (high <= low) high = low + 1
}

function y_of(i, value, bottom) {
  if (measures[i] in is_log) value = value > 0.001 ? log(value) / log(10) : -3
  if (value < low) value = low
  return bottom - (value - low) / (high - low) * height
}

function x_of(size, x) { return n_sizes == 1 ? x + width / 2 : x + (size - 0.5) / n_sizes * width }

function draw_axes(i, x, bottom, last,    tick, step, size) {
  step = high - low > 4 ? int((high - low) / 4 + 0.5) : high - low > 1.5 || measures[i] in is_log ? 1 : 0.5
  for (tick = low; tick <= high + 1e-9; tick += step) {
    y = bottom - (tick - low) / (high - low) * height
    rule(x, y, x + width, y, "grid")
    text(x - 6, y + 4, "right", measures[i] in is_log ? sprintf("%g", 10 ^ tick) : sprintf("%g", tick))
  }
  rule(x, bottom, x + width, bottom, "axis")
  for (size = 1; size <= n_sizes && last; ++size)
    text(x_of(size, x), bottom + 16, "middle", sizes[size])
}

function draw_line(i, set, m, x, bottom,    size, points, key, y, px) {
  for (size = 1; size <= n_sizes; ++size) {
    key = set SUBSEP sizes[size] SUBSEP methods[m] SUBSEP i
    if (!(key in values)) continue
    px = x_of(size, x) + 2 * (m - (n_methods + 1) / 2)  # side by side, or they would hide each other
    y = y_of(i, values[key], bottom)
    points = points sprintf("%.1f,%.1f ", px, y)
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s, %s, %s: %s</title></circle>\n", \
      px, y, colours[(m - 1) % 8 + 1], set, methods[m], sizes[size], values[key]
  }
  if (points != "")
    printf "<polyline points=\"%s\" stroke=\"%s\"/>\n", points, colours[(m - 1) % 8 + 1]
}

function draw_row(s,    i, m, x, bottom, column, set) {
  set = sets[s]
  bottom = top + s * (height + y_gap) - y_gap
  text(10, bottom - height / 2, "head", set)
  for (i = 1; i <= n_measures; ++i) {
    if (!(i in used)) continue
    x = left + column++ * (width + x_gap)
    if (s == 1) text(x, top - 14, "small", titles[i])
    if (!((set, i) in shown)) continue
    find_scale(i, set)
    draw_axes(i, x, bottom, s == n_sets)
    for (m = 1; m <= n_methods; ++m) draw_line(i, set, m, x, bottom)
  }
}

END {
  sort_sizes()
  for (i = 1; i <= n_measures; ++i) n_columns += i in used
  full = left + n_columns * (width + x_gap)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", \
    full, top + n_sets * (height + y_gap), full, top + n_sets * (height + y_gap)
  print "<style>text{font:13px sans-serif;fill:#222}.right{text-anchor:end;font-size:11px}"
  print ".middle{text-anchor:middle;font-size:11px}.head{font-weight:bold}.small{font-size:12px}"
  print ".grid{stroke:#ddd}.axis{stroke:#444}polyline{fill:none;stroke-width:1.5}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", full, top + n_sets * (height + y_gap)
  for (m = 1; m <= n_methods; ++m) {
    printf "<circle cx=\"%d\" cy=\"20\" r=\"5\" fill=\"%s\"/>\n", left + (m - 1) * 160, colours[(m - 1) % 8 + 1]
    text(left + (m - 1) * 160 + 10, 25, "head", methods[m])
  }
  for (s = 1; s <= n_sets; ++s) draw_row(s)
  print "</svg>"
}
