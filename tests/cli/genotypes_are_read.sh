#!/usr/bin/env bash
# import of PLINK 1 files that plink1.9 wrote, against what plink itself says of them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
plink=$(command -v plink1.9 || command -v plink) || skip 'plink1.9 writes the files'

# 57 people and 23 variants, of which some genotypes are missing.
awk 'BEGIN {
  srand(5)
  for (i = 1; i <= 57; ++i) {
    printf "fam%d person%d 0 0 %d -9", i, i, 1 + i % 2
    for (j = 1; j <= 23; ++j) {
      if (rand() < .07) { printf "  0 0"; continue }
      printf "  %s %s", rand() < j / 40 ? "A" : "G", rand() < j / 40 ? "A" : "G"
    }
    print ""
  }
}' >toy.ped
awk 'BEGIN { for (j = 1; j <= 23; ++j) print "1 rs" j " 0 " 1000 * j }' >toy.map
"$plink" --file toy --make-bed --out toy >/dev/null || fail 'plink --make-bed'
"$plink" --bfile toy --recode A --out toy >/dev/null || fail 'plink --recode A'

# toy.raw: FID IID PAT MAT SEX PHENOTYPE rs1_A ...: copies of the counted allele, which is A1.
awk 'NR > 1 { $1 = $2 = $3 = $4 = $5 = $6 = ""; print }' toy.raw | sed 's/^ *//; s/ /,/g' >dosage.txt
sed 's/NA/?/g; s/2/1/g' dosage.txt >carriers.txt
for given in toy.bed toy; do
  accepts '57 rows of 23 variables read as plink' 'row names kept apart' -- import $given -o bits.h5
  rows_of bits.h5 >bits.csv
  check 'names of the variants' test "$(head -1 bits.csv)" = "$(awk '{ printf "%s%s", sep, $2; sep = "," }' toy.bim)"
  tail -n +2 bits.csv | sed -E ':a; s/(^|,)(,|$)/\1?\2/; ta' >read.txt
  check 'carriers, as plink counts alleles' cmp carriers.txt read.txt
done
accepts '57 rows of 23 numbers read as plink' -- import toy --numeric -o numbers.h5
rows_of numbers.h5 >numbers.csv
tail -n +2 numbers.csv | sed -E ':a; s/(^|,)(,|$)/\1NA\2/; ta' >read.txt
check 'dosages, as plink counts alleles' cmp dosage.txt read.txt

refuses_to_write out.h5 3 toy.bed '--categorical' -- import toy --categorical -o out.h5
head -c 100 toy.bed >cut.bed
cp toy.bim cut.bim
refuses_to_write out.h5 3 cut.fam 'does not exist' -- import cut.bed -o out.h5
cp toy.fam cut.fam
refuses_to_write out.h5 3 cut.bed 'truncated' '57 persons' -- import cut -o out.h5
finish
