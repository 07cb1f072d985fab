# cells.csv from runs.csv: of each figure, case, line and place on the abscissa the mean over seeds of
# what the figure shows, with its standard error; figure 4: log-likelihood of labels a row, figures 5
# and 6: share of last tags that are right. Processor seconds to learn where the line is a learner. Runs that were
# refused are counted, and have no part in the means.
BEGIN {
  FS = OFS = ","
  print "figure,case,network,line,at,runs,mean,error,seconds,refused"
}
NR == 1 { next }
$19 == 1 {
  ++refused[$1 FS $2 FS $3 FS ($1 == 6 ? "tree and EM" FS substr($6, 3) : $6 FS $4)]
  next
}
function add(line, at, value, seconds,    key) {
  if (value == "") return
  key = $1 FS $2 FS $3 FS line FS at
  if (!(key in n)) keys[++n_keys] = key
  ++n[key]
  sum[key] += value
  squares[key] += value * value
  time[key] += seconds
  if (seconds != "") timed[key] = 1
}
$1 == 4 {
  add($6, $4, $7, $18)
  if ($6 == "simplex") add("true network", $4, $8, "")
}
$1 == 5 {
  add($6, $4, $10, $18)
  if ($6 == "tree") {
    add("baseline", $4, $13, "")
    add("true network", $4, $12, "")
  }
}
$1 == 6 {
  at = substr($6, 3)
  add("tree and EM", at, $10, $18)
  if (at == 0) { add("baseline", 0, $13, ""); add("true network", 0, $12, "") }
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    mean = sum[key] / n[key]
    spread = n[key] > 1 ? (squares[key] - n[key] * mean * mean) / (n[key] - 1) : 0
    print key, n[key], sprintf("%.6f,%.6f", mean, sqrt(spread > 0 ? spread / n[key] : 0)), \
      timed[key] ? sprintf("%.3f", time[key] / n[key]) : "", refused[key] + 0
  }
}
