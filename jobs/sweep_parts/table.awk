# means.csv as a table in Markdown (want=html: in HTML). A column that says nothing is left out.
BEGIN {
  FS = ","
  n_columns = split("set;samples;method;recovered, mean;all;all and nothing else;extra, mean;" \
    "runs with an extra;edge F1;log-likelihood below the true network's;priors covered;" \
    "failures covered;leaks covered;processor seconds", heads, ";")
}

NR == 1 {
  for (i = 1; i <= NF; ++i) at[$i] = i
  next
}

function of(name) { return $at[name] }
function of_runs(name) { return of(name) == "" ? "" : of(name) " of " of("runs") }
function real(form, name) { return of(name) == "" ? "" : sprintf(form, of(name)) }

function gap(    text) {
  text = real("%.4f", "log_likelihood_gap")
  if (of("impossible") > 0) text = text (text == "" ? "" : ", ") "infinite in " of("impossible")
  return text
}

{
  ++n_rows
  cell[n_rows, 1] = of("set")
  cell[n_rows, 2] = of("samples")
  cell[n_rows, 3] = of("method")
  cell[n_rows, 4] = sprintf("%.2f of %s", of("recovered"), of("true_causes"))
  cell[n_rows, 5] = of_runs("all")
  cell[n_rows, 6] = of_runs("all_and_no_extra")
  cell[n_rows, 7] = real("%.2f", "extra")
  cell[n_rows, 8] = of_runs("runs_with_extra")
  cell[n_rows, 9] = real("%.3f", "edge_f1")
  cell[n_rows, 10] = gap()
  cell[n_rows, 11] = real("%.3f", "prior_coverage")
  cell[n_rows, 12] = real("%.3f", "failure_coverage")
  cell[n_rows, 13] = real("%.3f", "leak_coverage")
  cell[n_rows, 14] = real("%.2f", "processor_seconds")
  for (i = 1; i <= n_columns; ++i) if (cell[n_rows, i] != "") used[i] = 1
}

function print_row(row, mark,    i, text) {
  for (i = 1; i <= n_columns; ++i) {
    if (!(i in used)) continue
    text = row == 0 ? heads[i] : cell[row, i]
    if (want == "html") printf "<%s>%s</%s>", mark, text, mark
    else printf "| %s ", text
  }
  print want == "html" ? "</tr>" : "|"
}

END {
  if (want == "html") printf "<table><tr>"
  print_row(0, "th")
  for (i = 1; i <= n_columns && want != "html"; ++i) if (i in used) rule = rule "|---"
  if (want != "html") print rule "|"
  for (k = 1; k <= n_rows; ++k) {
    if (want == "html") printf "<tr>"
    print_row(k, "td")
  }
  if (want == "html") print "</table>"
}
