"""Test errors of types by combinations of binary features, for jobs/sep/splice.

usage: splice.py FEATURES TYPES
FEATURES: CSV of `orrery infer` (columns "CAUSE = STATE"), or a table without heading of 0 and 1 whose last
column, a type, is left out. TYPES: a type per line.
"""

import collections
import csv
import random
import sys


def read_features(path):
    """The most probable state of each cause per row; or the numbers as they are."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    causes = collections.defaultdict(list)
    for column, name in enumerate(lines[0]):
        if " = " in name:
            causes[name.rsplit(" = ", 1)[0]].append(column)
    if not causes:
        return [tuple(line[:-1]) for line in lines]
    rows = []
    for line in lines[1:]:
        rows.append(tuple(max(range(len(at)), key=lambda j, at=at: float(line[at[j]]))
                          for at in causes.values()))
    return rows


def error(features, is_type, train, test):
    """Share of the test rows whose type is not the most frequent one of their features in training."""
    votes = collections.defaultdict(collections.Counter)
    for n in train:
        votes[features[n]][is_type[n]] += 1
    overall = collections.Counter(is_type[n] for n in train).most_common(1)[0][0]
    wrong = 0
    for n in test:
        known = votes.get(features[n])
        answer = known.most_common(1)[0][0] if known else overall
        wrong += answer != is_type[n]
    return wrong / len(test)


def main():
    features = read_features(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        types = file.read().split()
    if len(features) != len(types):
        sys.exit(f"splice.py: {len(features)} rows of features, but {len(types)} types")
    random.seed(1)
    train = random.sample(range(len(types)), -(-len(types) * 4 // 5))
    test = sorted(set(range(len(types))) - set(train))
    print(f"{len(features[0])} features, {len(set(features))} combinations; {len(test)} test rows")
    for value, name in (("1", "exon to intron"), ("2", "intron to exon"), ("3", "neither")):
        is_type = [kind == value for kind in types]
        print(f"{name}: {error(features, is_type, train, test):.4f} wrong")


main()
