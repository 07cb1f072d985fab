# results.md from paper.csv and cells.csv: every table beside the paper's figures.
BEGIN { FS = "," }
FNR == 1 { ++file; next }
file == 1 { paper[$1, $2, $3, "sep"] = $4; paper[$1, $2, $3, "sem"] = $5; next }
$1 == "table" && $4 != 50 { other_size = 1 }  # than the paper's
$1 == "plain" { $1 = "table" }  # of the same networks: methods ep and one
{
  cell = $1 SUBSEP $2 SUBSEP $3 SUBSEP $5 SUBSEP $6  # kind, parents, causes, rows, method
  networks[cell] = $7; refused[cell] = $8
  difference[cell] = $9; difference_error[cell] = $10; n_true[cell] = $11
  held_out[cell] = $13; held_out_error[cell] = $14; loss[cell] = $15; loss_error[cell] = $16
  seconds[cell] = $17
  marginal[cell] = $18; marginal_error[cell] = $19; marginal_loss[cell] = $20; marginal_loss_error[cell] = $21
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
BEGIN { n_methods = split("sep one ep sem plain", methods, " ") }
function method_of(m) { return methods[m] }
function name_of(m, p) {
  return m == 1 ? "sep" p : m == 2 ? "sep" p ", one start" : m == 3 ? "sep" p ", plain" : m == 4 ? "sem" : "sem, plain"
}
# "13", or "2 to 4" where cells have different numbers.
function networks_of(p, r, method,    k, cell, least, most) {
  for (k = 1; k <= n_causes; ++k) {
    cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method
    if (!(cell in networks)) continue
    if (least == "" || networks[cell] + 0 < least) least = networks[cell] + 0
    if (networks[cell] + 0 > most) most = networks[cell] + 0
  }
  return least == most ? least : least " to " most
}
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
# "sep1 at or below the paper's sep in 16 of 16"
function beside_paper(p, m,    r, k, cell, n, not_above) {
  for (r = 1; r <= n_rows; ++r) for (k = 1; k <= n_causes; ++k) {
    cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method_of(m)
    if (difference[cell] == "" || !((p, causes[k], rows[r], "sep") in paper)) continue
    ++n
    not_above += difference[cell] + 0 <= paper[p, causes[k], rows[r], "sep"] + 0
  }
  return n ? sprintf("%s is at or below the paper's sep in %d of %d cells", name_of(m, p), not_above, n) : ""
}
function table_of(p,    r, k, m, method, line, cell, known, theirs) {
  printf "\n## Table %d: up to %s\n\n", p, p == 1 ? "one parent" : "two parents"
  print "Edges of one network alone, mean and standard error" (other_size ? "" : "; in brackets the paper's mean") ".\n"
  print heads("| rows | learner |") " networks |"
  print dashes(n_causes + 3)
  for (r = 1; r <= n_rows; ++r) for (m = 1; m <= n_methods; ++m) {
    method = method_of(m)
    theirs = method == "ep" ? "sep" : method
    line = sprintf("| %d | %s |", rows[r], name_of(m, p))
    known = 0
    for (k = 1; k <= n_causes; ++k) {
      cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method
      line = line " " pm(difference[cell], difference_error[cell], "%.2f")
      if ((p, causes[k], rows[r], theirs) in paper) line = line " (" paper[p, causes[k], rows[r], theirs] ")"
      line = line " |"
      known += cell in networks
    }
    if (known) print line " " networks_of(p, r, method) " |"
  }
  printf "\nsep%d is below %s.", p, compared(p, 4)
  for (m = 1; m <= 3; m += 2) if (beside_paper(p, m) != "") printf " %s.", beside_paper(p, m)
  print ""
}
# What rows lose by the learned network beside the true one: `lost` per cell.
function losses(p, lost, lost_error,    r, k, m, method, line, cell, known) {
  print heads("| rows | learner |")
  print dashes(n_causes + 2)
  for (r = 1; r <= n_rows; ++r) for (m = 1; m <= n_methods; ++m) {
    method = method_of(m)
    line = sprintf("| %d | %s |", rows[r], name_of(m, p))
    known = 0
    for (k = 1; k <= n_causes; ++k) {
      cell = "table" SUBSEP p SUBSEP causes[k] SUBSEP rows[r] SUBSEP method
      line = line " " pm(lost[cell], lost_error[cell], "%.3f") " |"
      known += lost[cell] != ""
    }
    if (known) print line
  }
}
function figure_of(p) {
  printf "\n## Figure %d: up to %s\n\n", p + 3, p == 1 ? "one parent" : "two parents"
  print "The paper's measure: log marginal likelihood of 1,000 new rows given the structure alone, parameters integrated out by expectation propagation (`evaluate --marginal-likelihood`); of the true structure less that of the learned one, nats per row.\n"
  losses(p, marginal_loss, marginal_loss_error)
  print "\nOurs, of structure and parameters: log likelihood of a new row under the true network less that under the learned one, nats.\n"
  losses(p, loss, loss_error)
}
function times(    p, m, method, k, line, cell, last) {
  last = rows[n_rows]
  printf "\n## Time\n\nSeconds of processor time (one thread), mean, %d rows; the paper (1,000 rows, 3 causes): SEP1 10 min, SEP2 42 min, SEM 10 and 16 min.\n\n", last
  print heads("| parents | learner |")
  print dashes(n_causes + 2)
  for (p = 1; p <= 2; ++p) for (m = 1; m <= n_methods; ++m) {
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
# A measure of Table 3, a line per learner; `scale`: rows that it is summed over.
function clinical_lines(value, error, scale, format,    i, k, line, cell, method, best, parts, known) {
  print heads("| learner |") " best |"
  print dashes(n_causes + 2)
  for (i = 1; i <= n_clinical; ++i) {
    method = clinical_methods[i]
    best = ""
    known = 0
    line = "| " (method == "plain" ? "sem, plain" : method ~ /^ep/ ? "sep" substr(method, 3) ", plain" : method) " |"
    for (k = 1; k <= n_causes; ++k) {
      cell = "clinical" SUBSEP 1 SUBSEP causes[k] SUBSEP clinical_rows SUBSEP method
      known += value[cell] != ""
      line = line " " pm(value[cell] == "" ? "" : value[cell] * scale, error[cell] == "" ? "" : error[cell] * scale, format) " |"
      if (value[cell] != "" && (best == "" || value[cell] + 0 > value[best] + 0)) best = cell
    }
    split(best, parts, SUBSEP)
    if (known) print line " K = " parts[3] " |"
  }
}
function clinical(    n_test, cell) {
  if (clinical_rows == "") return
  n_clinical = split("sem plain sep1 ep1 sep2 ep2", clinical_methods, " ")
  n_test = clinical_rows == 120 ? 101 : 30
  cell = "clinical" SUBSEP 1 SUBSEP causes[1] SUBSEP clinical_rows SUBSEP "sep1"
  printf "\n## Table 3: a clinical-like set, %d variables, learned from %d rows\n\n", clinical_variables, clinical_rows
  printf "The set is as skewed as the paper's (`clinical.awk`), and has four causes; %d splits. With sep, variables whose parents have a probability below 0.5 count as independent, as in the paper. The paper's data are not public; its figures: K = 2 SEM -837.7, SEP1 -836.9, SEP2 -845.3; 3: -819.2, -821.8, -828.0; 4: -809.8, -805.9, -812.7; 5: -804.8, -805.0, -800.9.\n\n", networks[cell]
  printf "The paper's measure: log marginal likelihood of the %d other rows given the structure alone, mean and standard error over splits.\n\n", n_test
  clinical_lines(marginal, marginal_error, n_test, "%.1f")
  printf "\nOurs, of structure and parameters: log likelihood of these %d rows under the learned network.\n\n", n_test
  clinical_lines(held_out, held_out_error, n_test, "%.1f")
}
END {
  if (other_size) delete paper
  sort(causes, n_causes)
  sort(rows, n_rows)
  printf "# Structures of categorical data\n\n%d networks (splits) a cell, where a table does not say so itself. `one start`: our search with --restarts 1. `plain`: expectation propagation from random messages, one start, no damping, the paper's own way (--start random --restarts 1 --damping 1). The picture is sep.svg.\n", most_networks
  if (n_refused) printf "\n%d data sets were refused by a learner; they are in no mean.\n", n_refused
  for (p = 1; p <= 2; ++p) table_of(p)
  for (p = 1; p <= 2; ++p) figure_of(p)
  times()
  gaps()
  clinical()
}
