# A network as skewed as the paper's clinical data, for `orrery sample`: -805 nats for 101 rows of 71
# variables (its Table 3) are 0.11 nats per value, where the networks of Tables 1 and 2 have 1.2.
#   awk -v variables=71 -f clinical.awk >network.json
# Four causes, each present in 8 % of the rows; without its cause a variable is negative but in one of
# 1,000 rows; with it it is positive in 10 to 70 % of them, so that some components have few positive
# tests; half of these are low, 30 % medium, 20 % high. Two fifths of the variables are the first cause's,
# then 28, 20 and 12 %. Of 100,000 rows a value has 0.104 nats under the network itself, and 0.173 if the
# variables were independent (orrery sample --network network.json --samples 100000 --seed 1 -o rows.h5;
# orrery evaluate network.json --data rows.h5): under a learned network it is somewhat more.
function row(positive) {
  return sprintf("[%.8f, %.8f, %.8f, %.8f]", 1 - positive, .5 * positive, .3 * positive, .2 * positive)
}
BEGIN {
  print "{\n  \"format\": \"orrery-categorical-1\",\n  \"causes\": ["
  for (k = 1; k <= 4; ++k) printf "    {\"name\": \"cause %d\", \"prior\": [0.92, 0.08]}%s\n", k, k < 4 ? "," : ""
  print "  ],\n  \"observed\": ["
  for (i = 0; i < variables; ++i) {
    at = (i + .5) / variables
    parent = at < .4 ? 0 : at < .68 ? 1 : at < .88 ? 2 : 3
    # Strengths go through all of their range below each cause.
    strength = .1 + .6 * (i * 7 % 13) / 12
    printf "    {\"name\": \"x%d\", \"categories\": [\"0\", \"1\", \"2\", \"3\"], \"parents\": [%d], \"table\": [%s, %s]}%s\n", \
      i + 1, parent, row(.001), row(strength), i + 1 < variables ? "," : ""
  }
  print "  ]\n}"
}
