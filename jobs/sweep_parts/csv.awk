# The lines of sweep.csv, for `names`, from the names of the tasks' JSON files on standard input. A
# JSON has a member a line; those of the outermost object are indented by two. "coverage" holds a
# list [inside, total] for each kind of parameter.
BEGIN {
  n = split(names, name, " ")
  optional["scored"]; optional["scored_causes"]; optional["scored_recovered"]
  optional["log_likelihood"]; optional["true_log_likelihood"]
}

function read_members(file,    line, quoted, section, kind, k) {
  split("", value)
  while ((getline line <file) > 0) {
    if (line ~ /^  "/) {
      split(line, quoted, "\"")
      section = quoted[2]
      sub(/^  "[^"]*": /, "", line)
      gsub(/[",]/, "", line)
      value[section] = line
    } else if (section == "coverage" && line ~ /^    "/) {
      split(line, quoted, "\"")
      kind = quoted[2]
      k = 0
    } else if (section == "coverage" && line ~ /^      [0-9]/) {
      value["coverage_" kind (k++ ? "_total" : "_inside")] = line + 0
    }
  }
  close(file)
}

# Errors are of the recovered causes; a row that the model cannot produce has log-likelihood -inf,
# which JSON does not know.
function clean(what, text) {
  if (what == "set" || what == "method") return text
  if (what ~ /_error$/ && value["recovered"] == 0) return ""
  if (text == "null") return what ~ /log_likelihood$/ ? "-inf" : ""
  return text
}

{
  read_members($0)
  for (i = 1; i <= n; ++i) {
    if (!(name[i] in value) && !(name[i] in optional) && name[i] !~ /^coverage_/) {
      printf "jobs/sweep: error: %s: no \"%s\"; remove it and run its task again\n", $0, \
        name[i] >"/dev/stderr"
      exit 3
    }
    printf "%s%s", name[i] in value ? clean(name[i], value[name[i]]) : "", i < n ? "," : "\n"
  }
}
