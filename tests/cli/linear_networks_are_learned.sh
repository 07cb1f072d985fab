#!/usr/bin/env bash
# learn linear: what it refuses, and names; what it makes of missing values, of no cause, of units.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

# numbers ROWS COLUMNS: a table of independent numbers after a program for each row, in $1.
numbers() {
  awk -v rows="$2" 'BEGIN { srand(7); for (i = 0; i < rows; ++i) { h = rand(); g = rand(); '"$1"' } }'
}
triple='h + rand() "," h + rand() "," h + rand()'

numbers 'print rand() "," rand() "," rand() "," 7' 300 >constant.csv
make import constant.csv --numeric --header no -o constant.h5
refuses 3 'constant.h5' 'one value in all rows' '(x3)' '--drop' -- learn linear constant.h5 -o model.h5

numbers 'print rand() "," rand() "," rand() "," 1e-300 * rand()' 300 >tiny.csv
make import tiny.csv --numeric --header no -o tiny.h5
refuses 3 'tiny.h5' 'variance' 'too small or too large' '(x3)' 'another unit' '--drop' -- learn linear tiny.h5 -o model.h5

numbers 'print rand() "," rand() "," rand() "," 1e-200 * rand()' 300 >small.csv
make import small.csv --numeric --header no -o small.h5
refuses 3 'small.h5' 'variance' 'too small or too large' '(x3)' -- learn linear small.h5 --standardize no -o model.h5

# Copies but for a thousandth: no column can have less noise than the least.
numbers 'print h + 1e-3 * rand() "," h + 1e-3 * rand() "," h + 1e-3 * rand()' 300 >copies.csv
make import copies.csv --numeric --header no -o copies.h5
make learn linear copies.h5 --causes 1 -o copies.model.h5

numbers 'print h "," rand() "," g "," h + g' 300 >collinear.csv
make import collinear.csv --numeric --header no -o collinear.h5
refuses 3 'collinear.h5' 'collinear' 'x3' 'x2' 'x0' '--drop' -- learn linear collinear.h5 -o model.h5

numbers 'print rand() "," rand() "," rand() "," rand()' 4 >few.csv
make import few.csv --numeric --header no -o few.h5
refuses 3 'few.h5' '4 rows of 4 columns' -- learn linear few.h5 -o model.h5

numbers 'print rand() "," rand()' 100 >two.csv
make import two.csv --numeric --header no -o two.h5
refuses 3 'two.h5' '2 column(s)' -- learn linear two.h5 -o model.h5

numbers "print $triple \",\" rand() \",\" rand() \",\" rand()" 3000 >one.csv
make import one.csv --numeric --header no -o one.h5
refuses 3 'one.h5' '--causes 3 of 6 columns' '2 at most' -- learn linear one.h5 --causes 3 -o model.h5
refuses 3 'one.h5' 'Condition 2' 'rank 2' -- learn linear one.h5 --causes 2 -o model.h5
make sample --network linear:caterpillar:4,4 --samples 5000 -o normal.h5
refuses 3 'normal.h5' 'skewness' 'h1, h2, h3, h4' -- learn linear normal.h5 --model effective-depth-one -o model.h5
refuses 3 'normal.h5' 'no excess kurtosis' 'h1, h2, h3, h4' -- \
  learn linear normal.h5 --model effective-depth-one --cumulant auto -o model.h5
# Symmetric causes with heavy tails: third moments say nothing, fourth cumulants the order.
make sample --network linear:caterpillar:4,4 --cause-law heavy-tailed --samples 20000 -o tails.h5
refuses 3 'tails.h5' 'no skewness' '--cumulant' -- learn linear tails.h5 --model effective-depth-one -o model.h5
accepts '4 causes' -- learn linear tails.h5 --model effective-depth-one --cumulant kurtosis -o kurtosis.h5
accepts 'the structure is exact' 'couplings found 3 of 3' -- evaluate kurtosis.h5 --truth tails.h5
accepts 'their order is told by excess kurtosis' -- \
  learn linear tails.h5 --model effective-depth-one --cumulant auto -o auto.h5
make export kurtosis.h5 --format csv -o kurtosis.csv
make export auto.h5 --format csv -o auto.csv
check 'auto is kurtosis here' cmp kurtosis.csv auto.csv
accepts '4 causes' -- learn linear --moments tails.h5 --model effective-depth-one --cumulant kurtosis -o moments.h5
accepts 'couplings found 3 of 3' -- evaluate moments.h5 --truth tails.h5
refuses 2 '--cumulant loud' -- learn linear tails.h5 --cumulant loud -o model.h5
refuses 2 '--causes 0' -- learn linear one.h5 --causes 0 -o model.h5
refuses 2 '--alpha 1' -- learn linear one.h5 --alpha 1 -o model.h5
refuses 2 '--model tree' -- learn linear one.h5 --model tree -o model.h5
refuses 2 '--noise loud' -- learn linear one.h5 --noise loud -o model.h5
check 'nothing was written' test ! -e model.h5

# One cause of the first three columns.
accepts '1 cause' '3 edges' -- learn linear one.h5 -o one_model.h5
accepts 'x0' 'x1' 'x2' -- evaluate one_model.h5
make sample --network linear:caterpillar:3,4 --samples 3000 -o three.h5
accepts '2 causes' 'there are more' -- learn linear three.h5 --causes 2 -o three_model.h5
# The unit of a column is that of its loading.
awk -F, -v OFS=, '{ $2 *= 1e6; $3 *= 1e-6; print }' one.csv >units.csv
make import units.csv --numeric --header no -o units.h5
make learn linear units.h5 -o units_model.h5
"$orrery" export one_model.h5 --format csv -q -o one_edges.csv
"$orrery" export units_model.h5 --format csv -q -o units_edges.csv
check 'loadings are in the units of their columns' awk -F, '
  FNR == 1 { next } NR == FNR { loading[$2] = $3; next }
  { scale = $2 == "x1" ? 1e6 : $2 == "x2" ? 1e-6 : 1
    ratio = $3 / (loading[$2] * scale); if (ratio < .999 || ratio > 1.001) exit 1; ++n }
  END { if (n != 3) exit 1 }' one_edges.csv units_edges.csv

# A tenth of the values missing.
awk -F, -v OFS=, 'BEGIN { srand(3) } { for (c = 1; c <= NF; ++c) if (rand() < .1) $c = "NA"; print }' \
  one.csv >gaps.csv
make import gaps.csv --numeric --header no -o gaps.h5
accepts 'are missing' '1 cause' '3 edges' -- learn linear gaps.h5 -o gaps_model.h5

numbers 'print rand() "," rand() "," rand() "," rand()' 3000 >none.csv
make import none.csv --numeric --header no -o none.h5
accepts 'no cause' -- learn linear none.h5 -o none_model.h5
accepts '0 causes' -- info none_model.h5

accepts '3 causes' -- learn linear --moments linear:ternary:3 --model multilevel -o levels.h5
refuses 3 'img' 'a network of numbers is needed here' -- learn linear --moments img -o model.h5

# More causes than a third of the columns: without three blocks.
make sample --network linear:bipartite:40,16,.2 --samples 30000 --seed 2 -o many.h5
refuses 3 many.h5 '--causes 16 of 40 columns' '13 at most' '--noise trace' -- learn linear many.h5 --causes 16 -o out.h5
refuses 3 many.h5 '--causes 21 of 40 columns' '20 at most' -- learn linear many.h5 --causes 21 --noise trace -o out.h5
accepts '16 causes' -- learn linear many.h5 --causes 16 --noise trace -o many_model.h5
accepts '16 of 16 causes matched' -- evaluate many_model.h5 --truth many.h5

# Few rows of causes that are much alike: more partitions are tried before one is refused, and what
# can be estimated without a sure one is, with a remark.
make sample --network linear:bipartite:60,8,.3 --cause-correlation .8 --samples 2000 --seed 2 -o alike.h5
accepts '8 causes' -- learn linear alike.h5 -o alike_model.h5
accepts 'the structure is exact' -- evaluate alike_model.h5 --truth alike.h5
make sample --network linear:bipartite:60,8,.3 --cause-correlation .9 --samples 2000 --seed 3 -o twins.h5
accepts 'Condition 2) is in doubt' -- learn linear twins.h5 -o twins_model.h5
accepts 'the structure is exact' -- evaluate twins_model.h5 --truth twins.h5
refuses 3 twins.h5 'Condition 2) fails' '--partitions N' -- \
  learn linear twins.h5 --noise blocks -o out.h5
finish
