#!/usr/bin/env bash
# FOFC beside orrery, with a stand-in for the Java program: its clusters are matched with the causes
# and scored as edges, the best of its settings is told, and a run that is there is not made again.
# shellcheck disable=SC2016  # backquotes of Markdown
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
"$python" -c 'import h5py, scipy' 2>/dev/null || skip 'python3-h5py and python3-scipy are not here'

# In both networks of --quick the causes have four variables each, in order. The stand-in finds all of
# them with one setting, misses one variable with another, and finds none with the rest.
mkdir bin
cat >bin/java <<'END'
#!/usr/bin/env bash
n=$(wc -l <"$4")
shift 5
for setting; do
  printf '%s\t' "$setting"
  for ((first = 0; first < n; first += 4)); do
    if ((first == 0)); then last=; else last=$((first + 3)); fi
    case $setting in
      TETRAD_WISHART:GAP:0.001) printf '%d %d %d %d ;' $((first + 2)) "$first" $((first + 1)) $((first + 3)) ;;
      TETRAD_DELTA:SAG:0.01) printf '%d %d %d %s ;' "$first" $((first + 1)) $((first + 2)) "$last" ;;
    esac
  done
  echo
done
END
chmod +x bin/java
export PATH=$PWD/bin:$PATH TETRAD=tetrad.jar

check 'it runs' "$python" "$jobs/linear/fofc" --quick small
check 'two networks are compared' test "$(grep -c '^| `' small/fofc.md)" = 2
check 'the default and the best setting are told, with its clusters' \
  grep -qE '^\| `tree:4,3` \| 1000 \| 1 \| [01]\.[0-9]{3} \| 0\.968 \| 1\.000 \| 4\.0, 4 \| Wishart, GAP, 0\.001 \|$' small/fofc.md
# f1 NETWORK SETTING
f1() { grep -F "$1,1000,1,$2," small/runs.csv | awk -F, '{ print $(NF - 2) }'; }
check 'a variable without its cluster costs an edge' test "$(f1 '"tree:4,3"' TETRAD_DELTA:SAG:0.01)" = 0.967742
check 'no clusters, no edges' test "$(f1 '"tree:4,3"' TETRAD_WISHART:SAG:0.01)" = 0.000000
check 'orrery has a line per network' test "$(grep -c ,orrery, small/runs.csv)" = 2
check 'and every setting one' test "$(wc -l <small/runs.csv)" = $((1 + 2 * 17))

rm bin/java
cp small/runs.csv kept.csv
check 'a run that is there is not made again' "$python" "$jobs/linear/fofc" --quick small
check 'and tells the same' cmp small/runs.csv kept.csv
refuses 4 './nowhere: No such file or directory' -- env ORRERY=./nowhere "$python" "$jobs/linear/fofc" --quick other
refuses 4 'TETRAD is not set' -- env -u TETRAD "$python" "$jobs/linear/fofc" --quick other
finish
