#!/usr/bin/env bash
# CSV as R, pandas, spreadsheets and SPSS write it by default: read in one command, value by value.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# What the table holds: fever and cough of three patients.
printf 'fever,cough\n1,0\n0,1\n1,\n' >plain.csv
with_names() { "$orrery" export "$1" --rows --format csv -q -o -; }
# reads WHAT FILE [OPTION...]: the table, whatever the file's dialect.
reads() {
  local what=$1
  shift
  accepts '3 rows of 2 variables' -- import "$@" -o read.h5
  check "$what: the same values" cmp plain.csv <(rows_of read.h5)
}

reads 'plain' plain.csv
printf '"","fever","cough"\n"ann",1,0\n"bob",0,1\n"cat",1,NA\n' >r.csv
reads 'R, write.csv' r.csv
printf '"fever" "cough"\n"ann" 1 0\n"bob" 0 1\n"cat" 1 NA\n' >r.txt
reads 'R, write.table' r.txt
printf ',fever,cough\n0,1.0,0.0\n1,0.0,1.0\n2,1.0,\n' >pandas.csv
reads 'pandas, to_csv' pandas.csv
printf 'Unnamed: 0,fever,cough\n0,1,0\n1,0,1\n2,1,\n' >again.csv
reads 'pandas, read and written again' again.csv
printf '\xEF\xBB\xBFfever;cough\r\n1,0;0,0\r\n0,0;1,0\r\n1,0;\r\n' >sheet.csv
reads 'a spreadsheet where commas are decimal' sheet.csv
printf 'fever\tcough\n1\t0\n0\t1\n1\t\n' >tabs.txt
reads 'tabs' tabs.txt
printf 'fever|cough\n1|0\n0|1\n1|\n' >bars.txt
reads 'bars' bars.txt
printf ' fever   cough\n   1       0\n   0       1\n   1       .\n' >blanks.txt
reads 'columns set apart by blanks' blanks.txt
printf 'fever,cough\r1,0\r0,1\r1,\r' >mac.csv
reads 'line ends of old Macs' mac.csv
printf 'fever#cough\n1#0\n0#1\n1#\n' >odd.txt
reads 'a delimiter that is named' odd.txt --delimiter '#'
reads 'a file by its columns' --keep 'f*' --keep cough r.csv
printf '%s\n' 'fever,id1,cough,id2' '1,7,0,8' '0,7,1,8' '1,7,,8' >more.csv
reads 'columns left out by a pattern' more.csv --drop 'id?'
printf ',ann,bob,cat\nfever,1,0,1\ncough,0,1,\n' >turned.csv
reads 'a table turned round' turned.csv --transpose
printf 'fever,cough\n38.5,36\n36.9,37.2\n39,NA\n' >warm.csv
reads 'numbers above a threshold' warm.csv --threshold 37
printf 'fever;cough\n38,5;36\n36,9;37,2\n39;NA\n' >warm2.csv
reads 'numbers with decimal commas above a threshold' warm2.csv --threshold 37

# From a pipe, and compressed through one.
for form in cat gzip; do
  $form <plain.csv | "$orrery" import - -o read.h5 -q
  check "$form: standard input" cmp plain.csv <(rows_of read.h5)
done

# Several files, their columns in any order.
head -2 plain.csv >first.csv
printf 'cough,fever\n1,0\n,1\n' >second.csv
reads 'two files' first.csv second.csv
printf 'cough,rash\n1,0\n' >other.csv
refuses 3 other.csv "no column 'fever'" first.csv -- import first.csv other.csv -o out.h5
printf 'cough,rash,fever\n1,0,1\n' >wider.csv
refuses 3 wider.csv "a column 'rash'" '--drop' -- import first.csv wider.csv -o out.h5

# The names of rows are kept beside the values.
names() { h5dump -d "$2/row_names" "$1" | grep -m 1 '(0):' | grep -o '"[^"]*"' | tr '\n' ' '; }
if command -v h5dump >/dev/null; then
  make import r.csv -o r.h5
  check 'row names of R' test "$(names r.h5 /samples)" = '"ann" "bob" "cat" '
  make import r.csv --numeric -o n.h5
  check 'row names of numbers' test "$(names n.h5 /dense)" = '"ann" "bob" "cat" '
  make import r.csv --categorical -o c.h5
  check 'row names of categories' test "$(names c.h5 /categorical)" = '"ann" "bob" "cat" '
  make import turned.csv --transpose -o t.h5
  check 'row names of a table turned round' test "$(names t.h5 /samples)" = '"ann" "bob" "cat" '
  printf 'who,fever,cough\nann,1,0\nbob,0,1\n' >who.csv
  make import who.csv --index who -o w.h5
  check 'row names of a named column' test "$(names w.h5 /samples)" = '"ann" "bob" '
fi
make import r.csv -o r.h5
check 'exported, row names are the first column again' cmp <(printf ',fever,cough\nann,1,0\nbob,0,1\ncat,1,\n') \
  <(with_names r.h5)
printf ',a,b\nx,1,0\nx,0,1\n' >twice.csv
refuses 3 twice.csv 'first column has no name' "rows 1 and 2 are both called 'x'" \
  "--drop 'row names'" -- import twice.csv -o twice.h5
accepts '2 rows of 2 variables' -- import twice.csv --drop 'row names' -o twice.h5
printf 'who,a,b\nx,1,0\nx,0,1\n' >named_twice.csv
accepts 'rows 1 and 2 are both called' 'left out' -- import named_twice.csv --index who -o twice.h5
refuses 3 who.csv "column 1 ('who')" -- import who.csv -o out.h5
refuses 3 r.csv '--index' "'nobody'" -- import r.csv --index nobody -o out.h5
refuses 3 r.csv 'column 1 has no name' -- import r.csv --index none -o out.h5
refuses 3 plain.csv '--keep' "'x*'" 'fever' -- import plain.csv --keep 'x*' -o out.h5
refuses 2 '--delimiter' "'ab'" -- import plain.csv --delimiter ab -o out.h5
refuses 2 '--threshold' -- import plain.csv --threshold 1 --numeric -o out.h5
printf '0101\n1100\n' >bits.rows
for option in '--threshold 1' '--index x0' '--delimiter ,'; do
  # shellcheck disable=SC2086  # an option and its value
  refuses 2 "${option%% *}" 'has no effect on rows of 0/1' -- import bits.rows --format rows $option -o out.h5
done
refuses 3 turned.csv "'ann'" -- import turned.csv -o out.h5 --header no

# As the variables of a model: others are left out, those that are no column are missing.
make sample --network con:2 --samples 50 --seed 1 -o drawn.h5
rows_of drawn.h5 >drawn.csv
awk -F, -v OFS=, '{ print NR == 1 ? "more" : 7, $3, $1 }' drawn.csv >some.csv
accepts '50 rows' -- import some.csv --like con:2 -o like.h5
check 'like a model: its columns in its order, and what is not there is missing' \
  cmp <(awk -F, -v OFS=, 'NR > 1 { $2 = ""; for (i = 4; i <= NF; ++i) $i = "" } { print }' drawn.csv) \
  <(rows_of like.h5)
# Rows of a table are asked about as it is, under their names.
accepts '50 rows read as csv' 'written to of_table.csv' -- infer con:2 some.csv -o of_table.csv
make infer con:2 like.h5 -o of_file.csv
check 'a table that is imported on the way has the posteriors of the file' \
  cmp of_table.csv of_file.csv
awk -F, -v OFS=, 'NR > 1 { $1 = "p" NR } { print NR == 1 ? "" : $1, $2, $3 }' some.csv >named.csv
make infer con:2 named.csv -o named_rows.csv
check 'with row names: a column more' \
  cmp <(awk -F, -v OFS=, '{ $1 = $1 OFS (NR == 1 ? "row_name" : "p" NR) } { print }' of_file.csv) \
  named_rows.csv
make infer con:2 named.csv -o named_rows.json
check 'and in JSON' grep -q '"row_name":"p2"' named_rows.json
check 'nothing is left beside the output' bash -c '! ls -A | grep -q "rows.*\.rows"'
refuses 2 '--dry-run' 'orrery import some.csv --like con:2' -- infer con:2 some.csv --dry-run
refuses 3 plain.csv 'no column is called' -- infer con:2 plain.csv -o out.csv
refuses 3 plain.csv 'no column is called as a variable of the model' -- \
  import plain.csv --like con:2 -o out.h5
refuses 2 '--like' '--numeric' -- import some.csv --like con:2 --numeric -o out.h5

# What the programs themselves write.
if command -v Rscript >/dev/null; then
  Rscript --vanilla -e 'x <- data.frame(fever = c(1, 0, 1), cough = c(0, 1, NA))' \
    -e 'write.csv(x, "1.csv"); write.csv2(x, "2.csv"); write.table(x, "3.txt")' \
    -e 'write.table(x, "4.txt", sep = "\t"); write.csv(x > 0, "5.csv")' >/dev/null
  for file in 1.csv 2.csv 3.txt 4.txt 5.csv; do reads "R wrote $file" $file; done
fi
for python in python3 /usr/bin/python3; do
  "$python" -c 'import pandas' 2>/dev/null || continue
  "$python" - <<'END'
import pandas
x = pandas.DataFrame({"fever": [1, 0, 1], "cough": [0, 1, None]})
x.to_csv("1.csv")
x.to_csv("2.csv", sep=";", decimal=",")
x.astype("Int64").to_csv("3.csv", sep="\t")
(x > 0.5).where(x.notna()).to_csv("4.csv")
x.to_csv("5.csv.gz", index=False)
END
  for file in 1.csv 2.csv 3.csv 4.csv 5.csv.gz; do reads "pandas wrote $file" $file; done
  break
done
finish
