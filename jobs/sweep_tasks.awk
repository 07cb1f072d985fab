# The tasks of a sweep's CONFIG: "K NETWORK SAMPLES TEST TAU_Q TAU_Q2 TAU_E MAX_DEPTH SEED" a line.
# `default` stands for the program's default.
BEGIN {
  key_names = "network samples test tau-q tau-q2 tau-e max-depth seeds"
  n_keys = split(key_names, keys, " ")
}

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
  return out
}

# What the section says, or what stands above the first one.
function value_of(name) {
  if ((section, name) in value) return value[section, name]
  return ("", name) in value ? value["", name] : ""
}

# All combinations of the values of keys from `level` on; the last key, the seed, changes first.
function combine(level, line,    i, n, parts) {
  if (level > n_keys) {
    print n_tasks++ line
    return
  }
  n = split(value_of(keys[level]), parts, " ")
  for (i = 1; i <= n; ++i) combine(level + 1, line " " parts[i])
}

function end_of_section(    i) {
  for (i = 1; i <= n_keys; ++i) {
    if (value_of(keys[i]) != "") continue
    if (keys[i] ~ /^(network|samples|seeds)$/)
      fail((section == "" ? "" : "[" section "]: ") "no line `" keys[i] " = ...`")
    value[section, keys[i]] = "default"
  }
  combine(1, "")
}

{
  place = "line " NR ": "
  sub(/#.*/, "")
  gsub(/[ \t\r]+/, " ")
  gsub(/^ | $/, "")
}

$0 == "" { next }

/^\[.+\]$/ {
  if (section != "") end_of_section()
  section = substr($0, 2, length($0) - 2)
  if (section in sections) fail(place "a second " $0 "; sections have names of their own")
  sections[section] = 1
  next
}

{
  at = index($0, "=")
  name = substr($0, 1, at - 1)
  text = substr($0, at + 1)
  sub(/ $/, "", name)
  sub(/^ /, "", text)
  if (at == 0) fail(place "\"" $0 "\" is not name = value")
  if (name == "" || index(" " key_names " ", " " name " ") == 0)
    fail(place "\"" name "\" is none of " key_names)
  if ((section, name) in value) fail(place "a second line for " name)
  if (text == "") fail(place name " has no value")
  if (text ~ /[",\\]/) fail(place name ": blanks separate values; no commas, quotes, backslashes")
  if (name == "samples" && text !~ /^[1-9][0-9]*( [1-9][0-9]*)*$/)
    fail(place "samples = " text ": whole numbers, please")
  value[section, name] = name == "seeds" ? expand_seeds(text) : text
}

END {
  if (failed) exit failed
  end_of_section()
}
