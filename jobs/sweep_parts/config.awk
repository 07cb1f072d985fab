# A sweep's CONFIG, checked, a fact a line:
#   held_out ROWS | set NAME NETWORK OPTION... | method NAME LEARNER OPTION... |
#   task SET SAMPLES METHOD SEED
function fail(what) {
  printf "jobs/sweep: error: %s: %s\n", FILENAME, what >"/dev/stderr"
  failed = 3
  exit failed
}

# "1-3 7" becomes "1 2 3 7".
function expand_seeds(text,    i, n, parts, ends, s, out) {
  n = split(text, parts, " ")
  for (i = 1; i <= n; ++i) {
    if (parts[i] !~ /^[0-9]+(-[0-9]+)?$/) fail(place "seeds: " parts[i] " is neither as 7 nor as 1-20")
    if (split(parts[i], ends, "-") == 1) ends[2] = ends[1]
    if (ends[1] + 0 > ends[2] + 0) fail(place "seeds: " parts[i] " is empty; turn it round")
    for (s = ends[1] + 0; s <= ends[2] + 0; ++s) out = out " " s
  }
  return substr(out, 2)
}

function check_set(text,    words, n, i) {
  n = split(text, words, " ")
  for (i = 2; i <= n; i += 2) {
    if (words[i] !~ /^--(seed|flip|score)$/)
      fail(place words[i] " is none of a set's options: --seed S, --flip SHARE:STEP, --score NETWORK")
    if (i == n) fail(place words[i] " has no value")
    if (words[i] == "--seed" && words[i + 1] !~ /^[0-9]+$/)
      fail(place "--seed " words[i + 1] ": a whole number, please")
    if (words[i] == "--score" && words[i + 1] ~ /,/)
      fail(place "--score " words[i + 1] ": no commas, please; it is a value of the CSV")
  }
}

function check_method(text,    words, n, i) {
  n = split(text, words, " ")
  if (words[1] ~ /^-/) fail(place words[1] " is no learner; `orrery learn --help` lists them")
  for (i = 2; i <= n; ++i) {
    if (words[i] ~ /^(-o|--(output|threads|checkpoint|resume|config))/)
      fail(place words[i] " is for jobs/sweep to say")
  }
}

{
  place = "line " NR ": "
  sub(/#.*/, "")
  gsub(/[ \t\r]+/, " ")
  gsub(/^ | $/, "")
}

$0 == "" { next }

/^\[/ {
  if ($0 !~ /^\[(sets|methods)\]$/) fail(place $0 " is neither [sets] nor [methods]")
  section = substr($0, 2, length($0) - 2)
  next
}

{
  at = index($0, "=")
  name = substr($0, 1, at - 1)
  text = substr($0, at + 1)
  sub(/ $/, "", name)
  sub(/^ /, "", text)
  if (at == 0) fail(place "\"" $0 "\" is not name = value")
  if (section == "" && name !~ /^(samples|seeds|held-out)$/)
    fail(place "\"" name "\" is none of samples, seeds, held-out")
  if (name !~ /^[A-Za-z0-9][A-Za-z0-9.+-]*$/)
    fail(place "\"" name "\" is no name: letters, digits, and . + - after the first")
  if ((section, name) in value) fail(place "a second line for " name)
  if (text == "") fail(place name " has no value")
  if (text !~ /^[A-Za-z0-9 .,:=_+\/{}-]+$/)
    fail(place name ": letters, digits, blanks and . , : = _ + - / { } alone, please")
  if (name == "seeds" && section == "") text = expand_seeds(text)
  else if (section == "" && text !~ (name == "held-out" ? "^[1-9][0-9]*$" : "^[1-9][0-9]*( [1-9][0-9]*)*$"))
    fail(place name " = " text ": whole numbers, please")
  if (section == "sets") check_set(text)
  if (section == "methods") check_method(text)
  value[section, name] = text
  names[section, ++n_names[section]] = name
}

function require(where, what) {
  if (where == "" ? !((where, what) in value) : !n_names[where])
    fail("no line `" what " = ...`" (where == "" ? "" : " under [" where "]"))
}

END {
  if (failed) exit failed
  require("", "samples")
  require("", "seeds")
  require("sets", "NAME")
  require("methods", "NAME")
  if (("", "held-out") in value) print "held_out", value["", "held-out"]
  for (i = 1; i <= n_names["sets"]; ++i) print "set", names["sets", i], value["sets", names["sets", i]]
  for (k = 1; k <= n_names["methods"]; ++k)
    print "method", names["methods", k], value["methods", names["methods", k]]
  n_samples = split(value["", "samples"], samples, " ")
  n_seeds = split(value["", "seeds"], seeds, " ")
  for (i = 1; i <= n_names["sets"]; ++i)
    for (j = 1; j <= n_samples; ++j)
      for (k = 1; k <= n_names["methods"]; ++k)
        for (l = 1; l <= n_seeds; ++l)
          print "task", names["sets", i], samples[j], names["methods", k], seeds[l]
}
