# shellcheck shell=bash
# The work that the tests disturb: a network of overlapping causes, sampled.

# network CAUSES VARIABLES CHILDREN: JSON of random causes (awk's random numbers, a fixed seed).
network() {
  awk -v causes="$1" -v variables="$2" -v children="$3" '
    function list(n, text, separator, i) {
      for (i = 0; i < n; ++i) { printf "%s" text, separator, i; separator = ",\n" }
    }
    BEGIN {
      srand(1)
      printf "{\"format\": \"orrery-network-1\",\n\"causes\": ["
      list(causes, "{\"name\": \"cause%d\", \"prior\": 0.15}")
      printf "],\n\"observed\": ["
      list(variables, "{\"name\": \"symptom%d\", \"leak\": 0.01}")
      printf "],\n\"edges\": ["
      for (c = 0; c < causes; ++c) {
        left = children
        for (v = 0; v < variables; ++v) {
          # Selection sampling: exactly `children` of the variables.
          if (rand() * (variables - v) >= left) continue
          --left
          printf "%s[%d, %d, %.2f]", separator, c, v, 0.2 + 0.4 * rand()
          separator = ",\n"
        }
      }
      print "]}"
    }'
}

# make_work SECONDS: data.h5, on which two ranks are busy for about that long, and model.h5, what
# they find when nothing disturbs them; sets $elapsed. The work grows with the fourth power of the
# variables (quartets), and machines differ: so it is tried and corrected.
# shellcheck disable=SC2154  # orrery, scratch and skip are lib.sh's
make_work() {
  local seconds=$1 variables=300 try start
  for try in 1 2 3 4; do
    network 8 "$variables" $((variables / 4)) >network.json
    "$orrery" sample --network network.json --samples 50000 -o data.h5 -q || exit 4
    start=$EPOCHREALTIME
    mpirun --oversubscribe -np 2 "$orrery" learn quartet --test rank "$scratch/data.h5" -o model.h5 -q \
      >log 2>&1 || { cat log && exit 4; }
    elapsed=$(awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.2f", to - from }')
    variables=$(awk -v variables="$variables" -v elapsed="$elapsed" -v wanted="$seconds" 'BEGIN {
      ratio = wanted / elapsed
      print (ratio > 0.7 && ratio < 1.5) ? 0 : int(variables * ratio ^ 0.25 + 0.5) }')
    ((variables)) || break
    ((try < 4)) && rm -f data.h5 model.h5
  done
  echo "the work: $(stat -c %s data.h5) bytes of data; 2 ranks undisturbed take $elapsed s"
}
