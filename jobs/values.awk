# awk -v names="a b.c" -f values.awk JSON: the values of these members, by their paths, with commas
# between; empty where there is none. Of JSON as orrery writes it, a member a line.
function key(line) { gsub(/^ *"|":.*$/, "", line); return line }
/[{[]$/ { path[++depth] = /":/ ? key($0) : ""; next }
/^ *[]}],?$/ { --depth; next }
/":/ {
  name = ""
  for (i = 2; i <= depth; ++i) name = name path[i] "."
  text = $0
  sub(/^[^:]*: */, "", text)
  sub(/,$/, "", text)
  value[name key($0)] = text == "null" ? "" : text
}
END {
  n = split(names, wanted, " ")
  for (i = 1; i <= n; ++i) printf "%s%s", value[wanted[i]], i < n ? "," : "\n"
}
