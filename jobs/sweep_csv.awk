# The lines of sweep.csv, for `names`, from the names of the tasks' JSON files on standard input. They
# have a member a line; those of the outermost object are indented by two.
BEGIN { n = split(names, name, " ") }

function read_members(file,    line, quoted) {
  split("", value)
  while ((getline line <file) > 0) {
    if (line !~ /^  "[a-z0-9_]+": /) continue
    split(line, quoted, "\"")
    sub(/^  "[a-z0-9_]+": /, "", line)
    gsub(/[",]/, "", line)
    value[quoted[2]] = line
  }
  close(file)
}

{
  read_members($0)
  for (i = 1; i <= n; ++i) {
    if (!(name[i] in value)) {
      printf "jobs/sweep: error: %s: no \"%s\"; remove it and run its task again\n", $0, \
        name[i] >"/dev/stderr"
      exit 3
    }
    if (name[i] ~ /^(mean_prior|max_failure)_error$/ && value["recovered"] == 0)
      value[name[i]] = ""  # of the recovered causes: there are none
    printf "%s%s", value[name[i]], i < n ? "," : "\n"
  }
}
