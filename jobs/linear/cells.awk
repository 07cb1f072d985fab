# cells.csv from runs.csv: what the seeds of one network and number of rows have in common. Of each
# method: mean F1, share of runs with F1 of .95 at least, mean relative error, mean seconds; empty for
# a method that was not run.
BEGIN {
  FS = OFS = ","
  print "family,network,causes,law,correlation,rows,runs,refused,above,f1,good,error,seconds,fa_f1,fa_good,fa_error,fa_seconds,oblique_f1,oblique_good,oblique_error,oblique_seconds,ica_f1,ica_good,ica_error,ica_seconds,letter_f1,letter_good,letter_error,letter_seconds,programs_f1,programs_good,programs_error,programs_seconds,letter_refused,programs_refused"
  split("8 13 16 19 22 27", f1_at, " ")
  split("9 14 17 20 23 28", error_at, " ")
  split("12 15 18 21 26 31", seconds_at, " ")
}
NR == 1 { next }
{
  key = $1 FS $2 FS $3 FS $4 FS $5 FS $6
  if (!(key in runs)) keys[++n_keys] = key
  ++runs[key]
  refused[key] += $11
  letter_refused[key] += $25
  programs_refused[key] += $30
  if ($10 != "") { above[key] += $10; ++n_above[key] }
  for (m = 1; m <= 6; ++m) {
    if ($f1_at[m] == "") continue
    ++n[key, m]
    f1[key, m] += $f1_at[m]
    good[key, m] += $f1_at[m] >= .95
    error[key, m] += $error_at[m]
    seconds[key, m] += $seconds_at[m]
  }
}
END {
  for (k = 1; k <= n_keys; ++k) {
    key = keys[k]
    line = key OFS runs[key] OFS refused[key] OFS (n_above[key] ? sprintf("%.6f", above[key] / n_above[key]) : "")
    for (m = 1; m <= 6; ++m) {
      if (!n[key, m]) { line = line ",,,,"; continue }
      line = line OFS sprintf("%.6f,%.6f,%.6f,%.3f", f1[key, m] / n[key, m], good[key, m] / n[key, m], \
        error[key, m] / n[key, m], seconds[key, m] / n[key, m])
    }
    print line, letter_refused[key] + 0, programs_refused[key] + 0
  }
}
