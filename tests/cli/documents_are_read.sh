#!/usr/bin/env bash
# import --format text: the commonest words of documents. What CountVectorizer of scikit-learn makes
# of the same documents is what comes out.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

printf 'The cat sat.\n\nthe Dog ran, the dog ran\nA cat; the ran\n' >pets.txt
as_csv() {  # OPTION...
  accepts 'read as text' -- import pets.txt --format text --min-documents 1 "$@" -o out.h5
  accepts -- export out.h5 --format csv -o out.csv
  tr '\n' ' ' <out.csv
}
check 'bits' test "$(as_csv)" = 'the,cat,ran,dog,sat 1,1,0,0,1 0,0,0,0,0 1,0,1,1,0 1,1,1,0,0 '
check 'counts' test "$(as_csv --numeric --vocabulary 3)" = 'the,cat,ran 1,1,0 0,0,0 2,0,2 1,1,1 '
check 'without stop words' test "$(as_csv --stop-words english --vocabulary 2)" = \
  'cat,ran 1,0 0,0 0,1 1,1 '
refuses_to_write out.h5 3 pets.txt 'in 20 documents' '--min-documents' -- \
  import pets.txt --format text -o out.h5
refuses_to_write out.h5 2 '--vocabulary 1' '2 or more' -- \
  import pets.txt --format text --vocabulary 1 -o out.h5
refuses_to_write out.h5 2 '--stop-words' 'english' -- \
  import pets.txt --format text --stop-words latin -o out.h5
refuses_to_write out.h5 3 pets.txt 'not recognised' -- import pets.txt -o out.h5
refuses_to_write out.h5 3 "$orrery" 'line 1 is not UTF-8' -- import "$orrery" --format text -o out.h5

python=/usr/bin/python3
$python -c 'import sklearn' 2>/dev/null ||
  { ((failures == 0)) || finish; skip 'scikit-learn (python3-sklearn) counts the words'; }
cat >count.py <<'END'
import random, sys
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
random.seed(4)
letters = 'abcdefghijklmnopqrstuvwxyzABCDEFÄÖüéßñЖжΩω09'
words = [''.join(random.choices(letters, k=random.randint(1, 7))) for _ in range(3000)]
weights = [1 / (i + 1) for i in range(len(words))]
marks = [' ', ' ', ' ', ', ', '. ', '-', '_', '\'', '„', '“', '…', '\t', ' 🙂 ', ' (', ') ']
documents = [''.join(w + random.choice(marks) for w in random.choices(words, weights, k=random.randint(0, 60)))
             for _ in range(1500)]
with open('documents.txt', 'w', encoding='utf-8') as file:
    file.writelines(d + '\n' for d in documents)
vectorizer = CountVectorizer(token_pattern=r'[^\W_]{2,}', min_df=20)
counts = vectorizer.fit_transform(documents).toarray()
names = vectorizer.get_feature_names_out()
order = sorted(range(len(names)), key=lambda i: (-(counts[:, i] > 0).sum(), names[i].encode()))
assert len(names) > 200
for name, table in ('counts.csv', counts), ('bits.csv', (counts > 0).astype(int)):
    np.savetxt(name, table[:, order], '%d', ',', header=','.join(names[order]), comments='', encoding='utf-8')
END
check 'scikit-learn counts the words' $python count.py
accepts '1,500 rows of' 'read as text' -- import documents.txt --format text -o bits.h5
accepts -- export bits.h5 --format csv -o out.csv
check 'the words of scikit-learn' cmp bits.csv out.csv
accepts '1,500 rows of' -- import documents.txt --format text --numeric -o counts.h5
accepts -- export counts.h5 --format csv -o out.csv
check 'the counts of scikit-learn' cmp counts.csv out.csv
finish
