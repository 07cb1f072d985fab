# means.csv from sweep.csv: what the seeds of one set, sample size and method have in common. Where
# a set is also scored against a part of its network, that part follows as "SET/PART".
BEGIN {
  FS = OFS = ","
  heads = "set,samples,method,runs,true_causes,recovered,recovered_deviation,all,all_and_no_extra," \
    "extra,runs_with_extra,edge_f1,log_likelihood_gap,impossible,prior_coverage," \
    "failure_coverage,leak_coverage,seconds,processor_seconds"
  print heads
}

NR == 1 {
  for (i = 1; i <= NF; ++i) at[$i] = i
  next
}

function of(name) { return $at[name] }

function add(set, causes, recovered,    key) {
  key = set FS of("samples") FS of("method")
  if (!(key in runs)) keys[++n_keys] = key
  ++runs[key]
  true_causes[key] += causes
  found[key] += recovered
  squares[key] += recovered * recovered
  all[key] += recovered == causes
  return key
}

{
  key = add(of("set"), of("true_causes"), of("recovered"))
  whole[key] = 1
  extra[key] += of("extra")
  with_extra[key] += of("extra") > 0
  perfect[key] += of("recovered") == of("true_causes") && of("extra") == 0
  edge_f1[key] += of("edge_f1")
  seconds[key] += of("seconds")
  processor[key] += of("processor_seconds")
  if (of("log_likelihood") == "-inf") ++impossible[key]
  else if (of("log_likelihood") != "") {
    ++scored[key]
    gap[key] += of("true_log_likelihood") - of("log_likelihood")
  }
  for (i = 1; i <= split("priors,failures,leaks", kind); ++i) {
    inside[key, kind[i]] += of("coverage_" kind[i] "_inside")
    total[key, kind[i]] += of("coverage_" kind[i] "_total")
  }
  if (of("scored") != "") add(of("set") "/" of("scored"), of("scored_causes"), of("scored_recovered"))
}

function deviation(key,    n, rest) {
  n = runs[key]
  rest = squares[key] - found[key] * found[key] / n
  return n > 1 && rest > 0 ? sqrt(rest / (n - 1)) : 0
}

function ratio(form, part, of_all) { return of_all > 0 ? sprintf(form, part / of_all) : "" }
function coverage(key, kind) { return ratio("%.4f", inside[key, kind], total[key, kind]) }

END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    n = runs[key]
    line = key FS n FS sprintf("%.4g,%.4f,%.4f,%d", true_causes[key] / n, found[key] / n, \
                               deviation(key), all[key])
    if (!(key in whole)) {
      print line FS FS FS FS FS FS FS FS FS FS FS
      continue
    }
    print line, perfect[key], sprintf("%.4f", extra[key] / n), with_extra[key], \
      (true_causes[key] ? sprintf("%.4f", edge_f1[key] / n) : ""), ratio("%.5f", gap[key], scored[key]), impossible[key] + 0, \
      coverage(key, "priors"), coverage(key, "failures"), coverage(key, "leaks"), \
      sprintf("%.3f", seconds[key] / n), sprintf("%.3f", processor[key] / n)
  }
}
