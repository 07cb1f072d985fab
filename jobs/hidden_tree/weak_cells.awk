# cells.csv from runs.csv of weak_edges: what the seeds of one weakest correlation, crossover and
# number of samples have in common. excess: log loss of the learned tree's predictions beyond that of
# the true tree's, of the same rows.
BEGIN {
  FS = OFS = ","
  print "weakest,q,samples,runs,exact,mean_missing,mean_sstv,greatest_sstv,mean_symmetric_kl," \
    "excess_log_loss,true_log_loss"
}
NR == 1 { next }
{
  key = $1 FS $2 FS $3
  if (!(key in runs)) keys[++n_keys] = key
  ++runs[key]
  exact[key] += $5
  missing[key] += $6
  sum[key] += $7
  if ($7 > most[key]) most[key] = $7
  if ($8 == "") infinite[key] = 1
  kl[key] += $8
  excess[key] += $9 - $10
  truth[key] += $10
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    n = runs[key]
    print key, n, exact[key] / n, missing[key] / n, sprintf("%.6f", sum[key] / n), \
      sprintf("%.6f", most[key]), key in infinite ? "" : sprintf("%.6f", kl[key] / n), \
      sprintf("%.6f", excess[key] / n), sprintf("%.6f", truth[key] / n)
  }
}
