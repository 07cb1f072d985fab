# cells.csv from results.csv: what the seeds of one cell have in common. Means, and standard errors of
# means. "loss": what a held-out row is less likely, in nats, than under the true network; "marginal" and
# "marginal_loss": the same of the marginal likelihood given the structure alone.
BEGIN {
  FS = OFS = ","
  print "kind,parents,causes,variables,rows,method,networks,refused,difference,difference_error,true_edges,learned_edges,held_out,held_out_error,loss,loss_error,seconds,marginal,marginal_error,marginal_loss,marginal_loss_error"
}
function add(what, value) {
  ++n[key, what]
  sum[key, what] += value
  squares[key, what] += value * value
}
function mean(what) { return n[key, what] ? sprintf("%.6f", sum[key, what] / n[key, what]) : "" }
function error(what,    m, variance) {
  m = n[key, what]
  if (m < 2) return ""
  variance = (squares[key, what] - sum[key, what] ^ 2 / m) / (m - 1)
  return sprintf("%.6f", sqrt((variance > 0 ? variance : 0) / m))
}
NR == 1 { next }
{
  key = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $7
  if (!(key in runs)) keys[++n_keys] = key
  ++runs[key]
  refused[key] += $14
  add("seconds", $13)
  if ($14 + 0) next
  if ($8 != "") { add("difference", $8); add("true_edges", $9); add("learned_edges", $10) }
  if ($11 != "") add("held_out", $11)
  if ($11 != "" && $12 != "") add("loss", $12 - $11)
  if ($15 != "") add("marginal", $15)
  if ($15 != "" && $16 != "") add("marginal_loss", $16 - $15)
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    print key, runs[key], refused[key], mean("difference"), error("difference"), mean("true_edges"), \
      mean("learned_edges"), mean("held_out"), error("held_out"), mean("loss"), error("loss"), \
      mean("seconds"), mean("marginal"), error("marginal"), mean("marginal_loss"), \
      error("marginal_loss")
  }
}
