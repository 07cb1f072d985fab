# results.md from paper.csv and cells.csv: every table beside the paper's figures.
BEGIN { FS = "," }
FNR == 1 { ++file; next }
file == 1 { paper[$1, $2, $3, "sep"] = $4; paper[$1, $2, $3, "sem"] = $5; next }
$1 == "table" && $4 != 50 { other_size = 1 }  # than the paper's
{
  cell = $1 SUBSEP $2 SUBSEP $3 SUBSEP $5 SUBSEP $6  # kind, parents, causes, rows, method
  networks[cell] = $7; refused[cell] = $8
  difference[cell] = $9; difference_error[cell] = $10; n_true[cell] = $11
  held_out[cell] = $13; held_out_error[cell] = $14; loss[cell] = $15; loss_error[cell] = $16
  seconds[cell] = $17
  n_refused += $8
  if (!($3 in has_causes)) causes[has_causes[$3] = ++n_causes] = $3
  if ($1 != "clinical" && !($5 in has_rows)) rows[has_rows[$5] = ++n_rows] = $5
  if ($1 == "clinical") { clinical_rows = $5; clinical_variables = $4 }
  if ($7 > most_networks) most_networks = $7
}
function sort(list, n,    i, j, at) {
  for (i = 2; i <= n; ++i)
    for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; --j) { at = list[j]; list[j] = list[j - 1]; list[j - 1] = at }
}
function pm(value, error, format) {
  if (value == "") return ""
  return sprintf(format, value) (error == "" ? "" : " ± " sprintf(format, error))
}
function heads(text,    k) {
  for (k = 1; k <= n_causes; ++k) text = text sprintf(" K = %d |", causes[k])
  return text
}
function dashes(n,    i, text) {
  text = "|"
  for (i = 0; i < n; ++i) text = text "---|"
  return text
}
function method_of(m) { return m == 1 ? "sep" : m == 2 ? "sem" : "plain" }
function name_of(m, p) { return m == 1 ? "sep" p : m == 2 ? "sem" : "sem, plain" }
# "sep1 is below sem in 11 of 16 cells (equal in 5)"
function compared(p, m,    r, k, cell, other, n, below, equal) {
  for (r = 1; r <= n_rows; ++r) for (k = 1; k <= n_causes; ++k) {
    cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP
    other = difference[cell method_of(m)]
    if (difference[cell "sep"] == "" || other == "") continue
    ++n
    below += difference[cell "sep"] + 0 < other + 0
    equal += difference[cell "sep"] + 0 == other + 0
  }
  return sprintf("%s in %d of %d cells%s", name_of(m), below, n, equal ? " (equal in " equal ")" : "")
}
function table_of(p,    r, k, m, method, line, cell, n_paper, not_above, known) {
  printf "\n## Table %d: up to %s\n\n", p, p == 1 ? "one parent" : "two parents"
  print "Edges of one network alone, mean and standard error" (other_size ? "" : "; in brackets the paper's mean") ".\n"
  print heads("| rows | learner |")
  print dashes(n_causes + 2)
  for (r = 1; r <= n_rows; ++r) for (m = 1; m <= 3; ++m) {
    method = method_of(m)
    line = sprintf("| %d | %s |", rows[r], name_of(m, p))
    known = 0
    for (k = 1; k <= n_causes; ++k) {
      cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method
      line = line " " pm(difference[cell], difference_error[cell], "%.2f")
      if ((p, causes[k], rows[r], method) in paper) line = line " (" paper[p, causes[k], rows[r], method] ")"
      line = line " |"
      known += cell in networks
      if (method != "sep" || difference[cell] == "") continue
      if ((p, causes[k], rows[r], method) in paper) {
        ++n_paper
        not_above += difference[cell] + 0 <= paper[p, causes[k], rows[r], method] + 0
      }
    }
    if (known) print line
  }
  printf "\nsep%d is below %s", p, compared(p, 2)
  if (n_paper) printf ", and at or below the paper's sep in %d of %d", not_above, n_paper
  print "."
}
function figure_of(p,    r, k, m, method, line, cell) {
  printf "\n## Figure %d: up to %s\n\n", p + 3, p == 1 ? "one parent" : "two parents"
  print "Log likelihood of a new row under the true network less that under the learned one, nats.\n"
  print heads("| rows | learner |")
  print dashes(n_causes + 2)
  for (r = 1; r <= n_rows; ++r) for (m = 1; m <= 3; ++m) {
    method = method_of(m)
    line = sprintf("| %d | %s |", rows[r], name_of(m, p))
    for (k = 1; k <= n_causes; ++k) {
      cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method
      line = line " " pm(loss[cell], loss_error[cell], "%.3f") " |"
    }
    print line
  }
}
function times(    p, m, method, k, line, cell, last) {
  last = rows[n_rows]
  printf "\n## Time\n\nSeconds of processor time (one thread), mean, %d rows; the paper (1,000 rows, 3 causes): SEP1 10 min, SEP2 42 min, SEM 10 and 16 min.\n\n", last
  print heads("| parents | learner |")
  print dashes(n_causes + 2)
  for (p = 1; p <= 2; ++p) for (m = 1; m <= 3; ++m) {
    method = method_of(m)
    line = sprintf("| %d | %s |", p, name_of(m, p))
    for (k = 1; k <= n_causes; ++k) {
      cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP last SUBSEP method
      line = line (seconds[cell] == "" ? "" : sprintf(" %.2f", seconds[cell])) " |"
    }
    print line
  }
}
function gaps(    p, k, last, whole, holes, all, some) {
  last = rows[n_rows]
  printf "\n## A tenth of the values missing, %d rows\n\nThe same rows with and without gaps; edges of one network alone.\n\n", last
  print "| parents | causes | all values | a tenth missing |\n|---|---|---|---|"
  for (p = 1; p <= 2; ++p) {
    all = some = 0
    for (k = 1; k <= n_causes; ++k) {
      whole = "table" SUBSEP p SUBSEP causes[k] SUBSEP last SUBSEP "sep"
      holes = "missing" SUBSEP p SUBSEP causes[k] SUBSEP last SUBSEP "sep"
      if (difference[whole] == "" || difference[holes] == "") continue
      all += difference[whole]
      some += difference[holes]
      printf "| %d | %d | %s | %s |\n", p, causes[k], pm(difference[whole], difference_error[whole], "%.2f"), \
        pm(difference[holes], difference_error[holes], "%.2f")
    }
    if (all > 0) printf "| %d | all | %.2f | %.2f (%+.0f %%) |\n", p, all, some, 100 * (some / all - 1)
  }
}
function clinical(    i, k, line, cell, method, best, methods) {
  if (clinical_rows == "") return
  printf "\n## Table 3: a clinical-like set, %d variables, learned from %d rows\n\n", clinical_variables, clinical_rows
  print "Mean log likelihood a row of the rows that were not learned from, and its standard error over splits; with sep, variables whose parents have a probability below .5 count as independent. The set has four causes. (The paper's data are not public; its figures, of 101 rows: K = 2 SEM -837.7, SEP1 -836.9, SEP2 -845.3; 3: -819.2, -821.8, -828.0; 4: -809.8, -805.9, -812.7; 5: -804.8, -805.0, -800.9.)\n"
  print heads("| learner |") " best |"
  print dashes(n_causes + 2)
  split("sem plain sep1 sep2", methods, " ")
  for (i = 1; i <= 4; ++i) {
    method = methods[i]
    best = ""
    line = "| " (method == "plain" ? "sem, plain" : method) " |"
    for (k = 1; k <= n_causes; ++k) {
      cell = "clinical" SUBSEP 1 SUBSEP causes[k] SUBSEP clinical_rows SUBSEP method
      line = line " " pm(held_out[cell], held_out_error[cell], "%.3f") " |"
      if (held_out[cell] != "" && (best == "" || held_out[cell] + 0 > held_out[best] + 0)) best = cell
    }
    split(best, parts, SUBSEP)
    print line " K = " parts[3] " |"
  }
}
END {
  if (other_size) delete paper
  sort(causes, n_causes)
  sort(rows, n_rows)
  printf "# Structures of categorical data\n\n%d networks (splits) a cell. The picture is sep.svg.\n", most_networks
  if (n_refused) printf "\n%d data sets were refused by a learner; they are in no mean.\n", n_refused
  for (p = 1; p <= 2; ++p) table_of(p)
  for (p = 1; p <= 2; ++p) figure_of(p)
  times()
  gaps()
  clinical()
}
