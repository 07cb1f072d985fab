#!/usr/bin/env bash
# import of ARFF: what write.arff of R's package foreign wrote is what R says it is, value by value:
# bits, numbers and categories. Sparse rows are those of the dense table.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# Sparse rows, by hand: the first value stands where nothing is written.
cat >dense.arff <<'END'
% Weka's weather, and more
@relation weather
@attribute outlook {sunny,overcast,rainy}
@attribute humid {no,yes}
@attribute 'play it' {yes,no}
@attribute wind real
@data
sunny,no,yes,0
rainy,yes,no,1
overcast,?,yes,0
END
cat >sparse.arff <<'END'
@RELATION weather
@ATTRIBUTE outlook {sunny,overcast,rainy}
@ATTRIBUTE humid {no,yes}
@ATTRIBUTE 'play it' {yes,no}
@ATTRIBUTE wind REAL
@DATA
{}
{0 rainy, 1 yes, 2 no, 3 1}
{0 overcast, 1 ?}
END
for form in dense sparse; do
  accepts '3 rows of 3 variables read as arff' '1 missing values' -- \
    import $form.arff --drop outlook -o $form.h5
  accepts -- export $form.h5 --format csv -o $form.csv
  accepts 'with 2 to 3 categories read as arff' -- import $form.arff --categorical -o categories.h5
  accepts -- export categories.h5 --format csv -o $form.categories.csv
done
printf 'humid,play it,wind\n0,1,0\n1,0,1\n,1,0\n' >expected.csv
check 'dense rows' cmp expected.csv dense.csv
check 'sparse rows' cmp expected.csv sparse.csv
check 'dense and sparse categories' cmp dense.categories.csv sparse.categories.csv
refuses_to_write out.h5 3 dense.arff 'row 1 (line 8)' "column 1 ('outlook')" "'sunny' is not binary" \
  '--categorical' "--drop 'outlook'" -- import dense.arff -o out.h5
refuses_to_write out.h5 3 dense.arff "'sunny' is not a number" '--drop' -- \
  import dense.arff --numeric -o out.h5

Rscript -e 'library(foreign)' 2>"$outside/R" ||
  { ((failures == 0)) || finish; skip 'R and its package foreign (r-cran-foreign) write the files'; }
cat >write.R <<'END'
library(foreign)
set.seed(5)
n <- 500
bits <- data.frame(
  fever = factor(sample(c("no", "yes"), n, TRUE)),
  smokes = sample(c(TRUE, FALSE, NA), n, TRUE),
  `dry cough` = as.numeric(sample(0:1, n, TRUE)),
  sex = factor(sample(c("male", "female"), n, TRUE)), check.names = FALSE)
write.arff(bits, "bits.arff")
coded <- bits
coded$fever <- as.integer(bits$fever == "yes")
coded$smokes <- as.integer(bits$smokes)
coded$sex <- as.integer(bits$sex == "male")
write.csv(coded, "bits.csv", row.names = FALSE, na = "", quote = FALSE)
write.arff(iris, "iris.arff", relation = "Fisher's iris")
write.csv(iris[1:4], "numbers.csv", row.names = FALSE, quote = FALSE)
grades <- data.frame(
  grade = factor(sample(c("low", "very high", "o'clock", "a,b", NA), n, TRUE)),
  size = factor(sample(c("10", "9"), n, TRUE), levels = c("9", "10")))
write.arff(grades, "grades.arff")
write.csv(grades, "grades.csv", row.names = FALSE, na = "", quote = FALSE)
writeLines(c(levels(grades$grade), levels(grades$size)), "levels.txt")
END
check 'R writes the files' Rscript write.R

accepts '500 rows of 4 variables read as arff' -- import bits.arff --on male --off female -o bits.h5
accepts -- export bits.h5 --format csv -o out.csv
check 'the bits that R wrote' cmp bits.csv out.csv
refuses_to_write out.h5 3 bits.arff "column 4 ('sex')" "--on 'male' --off 'female'" -- \
  import bits.arff -o out.h5

accepts '150 rows of 4 numbers read as arff' -- import iris.arff --numeric --drop Species -o iris.h5
accepts -- export iris.h5 --format csv -o out.csv
check 'the numbers that R wrote' cmp numbers.csv out.csv
accepts '150 rows of 4 variables read as arff' -- \
  import iris.arff --threshold 3 --drop Species -o iris.h5

accepts '500 rows of 2 variables' 'read as arff' -- import grades.arff --categorical -o grades.h5
accepts -- export grades.h5 --format csv -o out.csv
check 'the categories that R wrote' cmp <(sed 's/a,b/"a,b"/' grades.csv) out.csv
finish
