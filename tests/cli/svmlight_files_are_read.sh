#!/usr/bin/env bash
# import of SVMlight: what dump_svmlight_file of scikit-learn wrote is the matrix that it was given,
# value by value, whether its first column has index 0 or 1.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

printf '+1 1:1 3:1 # LIBSVM\n-1 2:1\n' >t.svm
accepts '2 rows of 3 variables read as svmlight' 'labels are left out; --label' -- import t.svm -o t.h5
accepts '2 rows of 4 variables' -- import t.svm --label class --on 1 --off -1 -o t.h5
accepts -- export t.h5 --format csv -o t.csv
check 'the label is a column' cmp t.csv <(printf 'class,x0,x1,x2\n1,1,0,1\n0,0,1,0\n')
printf '1 1:1 2:3\n' >three.svm
refuses_to_write out.h5 3 three.svm 'row 1 (line 1)' "column 2 ('x1')" '--threshold' -- \
  import three.svm -o out.h5
refuses_to_write out.h5 2 '--label' 'csv' -- import t.csv --label class -o out.h5
refuses_to_write out.h5 2 '--zero-based' 'auto, yes or no' -- import t.svm --zero-based 0 -o out.h5

python=/usr/bin/python3
$python -c 'import sklearn, scipy' 2>/dev/null ||
  { ((failures == 0)) || finish; skip 'scikit-learn (python3-sklearn) writes the files'; }
cat >write.py <<'END'
import numpy as np, scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
rng = np.random.default_rng(3)
bits = (rng.random((300, 70)) < .1).astype(float)
bits[:, 0] = rng.random(300) < .5
bits[:, -1] = rng.random(300) < .5
labels = rng.integers(-1, 3, 300)
numbers = np.where(rng.random((200, 9)) < .5, rng.normal(size=(200, 9)) * 10.0 ** rng.integers(-9, 9, (200, 9)), 0)
for zero in (True, False):
    name = 'zero' if zero else 'one'
    dump_svmlight_file(sp.csr_matrix(bits), labels, f'bits_{name}.svmlight', zero_based=zero,
                       comment='by scikit-learn', query_id=np.arange(300))
    dump_svmlight_file(numbers, labels[:200], f'numbers_{name}.svmlight', zero_based=zero)
# Without labels and values a row would be a blank line, which scikit-learn itself does not read.
sets = [[(0, 2), (1,), ()][i % 3] if bits[i].any() else (1,) for i in range(300)]
dump_svmlight_file(bits, sp.csr_matrix(np.array([[c in s for c in range(3)] for s in sets], int)),
                   'multilabel.svmlight', multilabel=True)
header = lambda n: ','.join(f'x{i}' for i in range(n))
np.savetxt('bits.csv', bits, '%d', ',', header=header(70), comments='')
with open('numbers.csv', 'w') as file:
    print(header(9), file=file)
    for row in numbers:
        print(*('%.16g' % x for x in row), sep=',', file=file)
np.savetxt('labels.csv', np.c_[labels, bits], '%d', ',', header='class,' + header(70), comments='')
END
check 'scikit-learn writes the files' $python write.py

# as_csv FILE OPTION...: imported and exported.
as_csv() {
  local file=$1
  shift
  accepts 'read as svmlight' -- import "$file" "$@" -o out.h5
  accepts -- export out.h5 --format csv -o out.csv
}
# Numbers are compared as numbers: the texts have as many digits as each program likes.
same_numbers() {
  # shellcheck disable=SC2317  # check calls it
  $python -c 'import sys, numpy as np
a, b = (np.loadtxt(f, delimiter=",", skiprows=1) for f in sys.argv[1:])
sys.exit(a.shape != b.shape or not np.allclose(a, b, rtol=1e-15, atol=0))' "$@"
}
for first in zero one; do
  as_csv bits_$first.svmlight
  check "the matrix whose first index is $first" cmp bits.csv out.csv
  as_csv numbers_$first.svmlight --numeric
  check "the numbers whose first index is $first" same_numbers numbers.csv out.csv
done
as_csv bits_one.svmlight --numeric --label class
check 'the labels' same_numbers labels.csv out.csv
as_csv bits_one.svmlight --zero-based yes
check 'a first column that is always 0' cmp <(tail -n +2 bits.csv | sed 's/^/0,/') <(tail -n +2 out.csv)
as_csv multilabel.svmlight
check 'several labels' cmp bits.csv out.csv
finish
