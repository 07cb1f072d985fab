#!/usr/bin/env bash
# import --format long: lines of a row and a variable, as hospitals and shops have them. What R's
# table() says of the same lines is what comes out.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

cat >visits.csv <<'END'
date,patient,code,n
2020-01-05,ann,J45,1
2020-02-01,bob,I10,2
2020-02-01,ann,E11,1
2021-03-09,ann,J45,4
2021-03-10,cid,,
END
long=(--format long --row patient --column code)
as_csv() {  # OPTION...
  accepts 'read as long' -- import visits.csv "${long[@]}" "$@" -o out.h5
  rows_of out.h5 >out.csv
  tail -n +2 out.csv | tr '\n' ' '
}
check 'bits' test "$(as_csv)" = '1,0,1 0,1,0 0,0,0 '
check 'how many lines' test "$(as_csv --numeric)" = '1,0,2 0,1,0 0,0,0 '
check 'sums of values' test "$(as_csv --numeric --value n)" = '1,0,5 0,2,0 0,0,0 '
check 'a threshold' test "$(as_csv --value n --threshold 1.5)" = '0,0,1 0,1,0 0,0,0 '
check 'an interval' test "$(as_csv --time date --from 2020-01-06 --before 2021-01-01)" = '0,1 1,0 '
accepts '3 rows of 2 variables' -- import visits.csv "${long[@]}" --drop E11 -o out.h5
refuses_to_write out.h5 3 visits.csv "--row 'person'" "'date', 'patient'" -- \
  import visits.csv --format long --row person --column code -o out.h5
refuses_to_write out.h5 2 '--row' '--column' -- import visits.csv --format long -o out.h5
refuses_to_write out.h5 2 '--row' 'long' -- import visits.csv --row patient --column code -o out.h5
refuses_to_write out.h5 3 visits.csv 'row 2 (line 3)' "column 4 ('n')" "'2' is not binary" \
  '--threshold' -- import visits.csv "${long[@]}" --value n -o out.h5
refuses_to_write out.h5 3 visits.csv 'in 2 rows or more' '--min-documents' -- \
  import visits.csv "${long[@]}" --min-documents 2 -o out.h5
refuses_to_write out.h5 2 '--min-documents 0' -- \
  import visits.csv "${long[@]}" --min-documents 0 -o out.h5
refuses_to_write out.h5 2 '--from' 'dates (ISO 8601' -- \
  import visits.csv "${long[@]}" --time date --from spring -o out.h5

command -v Rscript >/dev/null ||
  { ((failures == 0)) || finish; skip 'R (r-base-core) counts the lines'; }
cat >write.R <<'END'
set.seed(2)
n <- 20000
lines <- data.frame(patient = paste0("p", sample(800, n, TRUE)),
                    code = sample(c("A 1", "B,2", "C\"3", letters), n, TRUE))
write.csv(lines, "lines.csv", row.names = FALSE)
write.table(lines, "lines.tsv", row.names = FALSE, sep = "\t", qmethod = "double")
rows <- factor(lines$patient, unique(lines$patient))
columns <- factor(lines$code, sort(unique(lines$code), method = "radix"))
write.table(unclass(table(rows, columns)), "counts.csv", sep = ",", row.names = FALSE,
            col.names = FALSE)
END
check 'R writes the lines' Rscript write.R
for table in lines.csv lines.tsv; do
  accepts '800 rows of 29 numbers read as long' -- \
    import $table --format long --row patient --column code --numeric -o counts.h5
  rows_of counts.h5 >out.csv
  check "the counts of R in $table" cmp counts.csv <(tail -n +2 out.csv)
  accepts '800 rows of 29 variables read as long' -- \
    import $table --format long --row patient --column code -o bits.h5
  rows_of bits.h5 >out.csv
  check "what R counts in $table" cmp <(sed -E 's/[1-9][0-9]*/1/g' counts.csv) <(tail -n +2 out.csv)
done
check 'the names' test "$(head -1 out.csv)" = "A 1,\"B,2\",\"C\"\"3\",$(printf '%s,' {a..y})z"
finish
