# From sweep.csv, means over the seeds: as a table (want=table) or as a plot for gnuplot (want=plot).
# Of the settings, only those that vary are shown.
BEGIN { FS = "," }

NR == 1 {
  for (i = 1; i <= NF; ++i) {
    at[$i] = i
    heads[i] = $i
    gsub(/_/, "-", heads[i])
  }
  next
}

# A group is all seeds of one setting: columns 2 (network), 3 (samples), and the thresholds up to
# the seed's column.
{
  key = $2
  for (i = 3; i < at["seed"]; ++i) key = key FS $i
  if (!(key in runs)) groups[++n_groups] = key
  recovered = $at["recovered"]
  ++runs[key]
  sum[key] += recovered
  squares[key] += recovered * recovered
  extra[key] += $at["extra"]
  perfect[key] += recovered == $at["true_causes"] && $at["extra"] == 0
  causes[key] = $at["true_causes"]
  for (i = 2; i < at["seed"]; ++i) {
    if (!((i, $i) in known)) values[i, ++n_values[i]] = $i
    known[i, $i] = 1
  }
}

function deviation(key,    n, rest) {
  n = runs[key]
  rest = squares[key] - sum[key] * sum[key] / n
  return n > 1 && rest > 0 ? sqrt(rest / (n - 1)) : 0
}

function print_table(    i, g, part, rule) {
  for (i = 2; i < at["seed"]; ++i) {
    if (n_values[i] < 2) continue
    printf "| %s ", heads[i]
    rule = rule "|---"
  }
  print "| recovered, mean | extra, mean | all and nothing else |"
  print rule "|---|---|---|"
  for (g = 1; g <= n_groups; ++g) {
    key = groups[g]
    split(key, part, FS)
    for (i = 2; i < at["seed"]; ++i) if (n_values[i] > 1) printf "| %s ", part[i - 1]
    printf "| %.2f of %d | %.2f | %d of %d |\n", sum[key] / runs[key], causes[key],
      extra[key] / runs[key], perfect[key], runs[key]
  }
}

# The name of a line of the plot: the thresholds that vary.
function label_of(key,    part, i, out) {
  split(key, part, FS)
  for (i = 4; i < at["seed"]; ++i) {
    if (n_values[i] > 1) out = out (out == "" ? "" : ", ") heads[i] " " part[i - 1]
  }
  return out == "" ? "all seeds" : out
}

# Prints the points of line k of a network as a data block; returns what plots them, or "".
function line_of(network, k,    g, part, points) {
  for (g = 1; g <= n_groups; ++g) {
    key = groups[g]
    split(key, part, FS)
    if (part[1] != network || label_of(key) != labels[k]) continue
    # Lines stand side by side, or their bars would hide each other.
    points = points sprintf("%g %g %g\n", part[2] * 1.04 ^ (k - 1), sum[key] / runs[key],
                            deviation(key))
    n_seeds = runs[key]
    n_causes = causes[key]
  }
  if (points == "") return ""
  printf "$points%d << END\n%sEND\n", ++n_blocks, points
  return sprintf("$points%d with yerrorlines lc %d pt 7 ps 0.5 title \"%s\", ", n_blocks, k,
                 labels[k])
}

function print_panel(network,    k, i, lines, tics, least, most) {
  for (k = 1; k <= n_labels; ++k) lines = lines line_of(network, k)
  for (i = 1; i <= n_values[3]; ++i) {
    tics = tics (i > 1 ? ", " : "") sprintf("\"%s\" %s", values[3, i], values[3, i])
    if (i == 1 || values[3, i] + 0 < least) least = values[3, i] + 0
    if (values[3, i] + 0 > most) most = values[3, i] + 0
  }
  printf "set title \"%s: mean and standard deviation of %d seeds\"\n", network, n_seeds
  printf "set xtics (%s)\nset xrange [%g:%g]\n", tics, least / 1.4, most * 1.6
  printf "set yrange [0:%g]\nset ytics 1\n", n_causes + 0.6
  sub(/, $/, "", lines)
  print "plot " lines
}

function print_plot(    g, k, n, label) {
  for (g = 1; g <= n_groups; ++g) {
    label = label_of(groups[g])
    if (!(label in seen)) labels[++n_labels] = label
    seen[label] = 1
  }
  n = n_values[2]
  printf "set terminal svg noenhanced size %d,420 font \"sans-serif,13\" background \"white\"\n", 640 * n
  printf "set multiplot layout 1,%d\n", n
  print "set logscale x\nset border 3\nset tics nomirror\nset grid ytics lc \"#dddddd\""
  print "set key bottom right\nset xlabel \"samples\"\nset ylabel \"causes recovered\""
  for (k = 1; k <= n; ++k) print_panel(values[2, k])
  print "unset multiplot"
}

END {
  if (want == "table") print_table()
  if (want == "plot") print_plot()
}
