# The causes of a model (`export --format csv`), most frequent first, each named by its three strongest
# children, with the strongest and the probability that it switches them on.
BEGIN {
  FS = ","
  n_shown = 8
}

NR == 1 {
  for (i = 1; i <= NF; ++i) at[$i] = i
  next
}

{
  cause = $at["cause"]
  if (!(cause in prior)) causes[++n] = cause
  prior[cause] = $at["prior"]
  child[cause, ++n_children[cause]] = $at["observed"]
  strength[cause, n_children[cause]] = 1 - $at["failure"]
}

# The next strongest child of a cause; it is not found again.
function strongest(cause,    i, best) {
  for (i = 1; i <= n_children[cause]; ++i)
    if (!((cause, i) in taken) && (!best || strength[cause, i] > strength[cause, best])) best = i
  taken[cause, best] = 1
  return best
}

END {
  printf "\n%s: %d causes, by frequency; children by 1 - failure\n\n", dataset, n
  for (i = 1; i <= n; ++i)
    for (j = i + 1; j <= n; ++j)
      if (prior[causes[j]] > prior[causes[i]]) { swap = causes[i]; causes[i] = causes[j]; causes[j] = swap }
  for (i = 1; i <= n; ++i) {
    cause = causes[i]
    name = list = ""
    for (k = 1; k <= n_shown && k <= n_children[cause]; ++k) {
      j = strongest(cause)
      if (k <= 3) name = name (k > 1 ? ", " : "") child[cause, j]
      list = list sprintf("%s %s %.2f", (k > 1 ? "," : ""), child[cause, j], strength[cause, j])
    }
    printf "- %.3f **%s**:%s", prior[cause], name, list
    more = n_children[cause] - n_shown
    print (more > 0 ? "; and " more " more" : "")
  }
}
