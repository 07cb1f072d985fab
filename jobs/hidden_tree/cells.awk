# cells.csv from runs.csv: what the seeds of one tree, crossover and number of samples have in common.
BEGIN { FS = OFS = ","; print "tree,q,samples,runs,exact,mean_sstv,greatest_sstv" }
NR == 1 { next }
{
  key = $1 FS $2 FS $3
  if (!(key in runs)) keys[++n_keys] = key
  ++runs[key]
  exact[key] += $5
  sum[key] += $6
  if ($6 > most[key]) most[key] = $6
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    print key, runs[key], exact[key] / runs[key], sprintf("%.6f", sum[key] / runs[key]), \
      sprintf("%.6f", most[key])
  }
}
