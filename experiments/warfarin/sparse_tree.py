#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trees of the warfarin cohort that people can read: accuracy on ten random 70/30 splits.

    sparse_tree.py --iwpc IWPC.csv [--program build/release/polyrx] [--only "10 terms,20 terms"]    # adds to results/sparse_tree.csv
    sparse_tree.py --table

Splits and doses are those of accuracy.py. A model learns from 70 % of the patients (--recipe auto); polyrx distill makes trees of it, of
the paper's shape (Section 5.3: 1x5, one weight for each neuron, at most 5 leaves) and of any shape within 10, 20 and 40 terms; what they
prescribe to the other patients is compared with the right dose. Beside them, how far classifiers of that size come that are told the
right dose of every training patient (full feedback), which nobody who prescribes knows.
"""

import importlib.util
import sys

from splits import SHARED, cohort_parser, measure_missing
from laboratory import Results, difference, mean_and_deviation  # splits knows where it is

MODEL = "the model"  # that trees are made of
TREES = {
    "paper's shape": ["--neurons", "5", "--weights-per-neuron", "1", "--leaves", "5"],
    "10 terms": ["--leaves", "8", "--max-terms", "10"],
    "20 terms": ["--leaves", "8", "--max-terms", "20"],
    "40 terms": ["--leaves", "8", "--max-terms", "40"],
    "8 leaves": ["--leaves", "8"],
}
BOUNDS = {"classification tree of 5 leaves (full feedback)": 5, "logistic regression on 5 features (full feedback)": 5}
FIELDS = ["seed", "tree", "student", "leaves", "terms", "cross-validated accuracy", "accuracy"]


def with_full_feedback(split, bound):
    """Accuracy of a classifier. Features of the regression are added one by one, whichever is right most often in training."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    (train, right), (test, right_of_test) = split.full_feedback()
    if "tree" in bound:
        return DecisionTreeClassifier(max_leaf_nodes=BOUNDS[bound], random_state=split.seed).fit(train, right).score(test, right_of_test)
    scaler = StandardScaler().fit(train)
    train, test = scaler.transform(train), scaler.transform(test)

    def accuracy(features, rows, doses):
        return LogisticRegression(max_iter=500).fit(train[:, features], right).score(rows[:, features], doses)

    chosen = []
    for _ in range(BOUNDS[bound]):
        others = [j for j in range(train.shape[1]) if j not in chosen]
        chosen.append(max(others, key=lambda j: accuracy([*chosen, j], train, right)))
    return accuracy(chosen, test, right_of_test)


def measure(split, trees, results):
    for bound in [each for each in trees if each in BOUNDS]:
        results.add(seed=split.seed, tree=bound, accuracy=f"{with_full_feedback(split, bound):.4f}")
    trees = [each for each in trees if each in TREES]
    if not trees:
        return
    split.fit("--recipe", "auto", "--threads", "1")
    if not results.has(seed=split.seed, tree=MODEL):
        results.add(seed=split.seed, tree=MODEL, accuracy=f"{split.accuracy('model.json'):.4f}")
    for tree in trees:
        made = split.json("distill", "model.json", "train.csv", *TREES[tree], "--threads", "1")
        results.add(seed=split.seed, tree=tree, student=made["student"], leaves=made["leaves"], terms=made["terms"],
                    accuracy=f"{split.accuracy('distilled.json'):.4f}", **{"cross-validated accuracy": f"{1 - made['value']['value']:.4f}"})


def print_table(results):
    """Means over the splits, with the deviation between them."""
    if not results.rows:
        print("Not run yet.")
        return
    print("| tree | splits | leaves | terms | accuracy % | less the model, paired |\n|---|---|---|---|---|---|")
    whole = {row["seed"]: float(row["accuracy"]) for row in results.where(tree=MODEL)}
    for tree in [*TREES, *BOUNDS, MODEL]:
        rows = results.where(tree=tree)
        if not rows:
            continue
        sizes = [mean_and_deviation(results.numbers(size, tree=tree), 1) if rows[0][size] else "" for size in ("leaves", "terms")]
        lost = "" if tree == MODEL else difference([100 * (float(row["accuracy"]) - whole[row["seed"]]) for row in rows], 2, SHARED)
        print(f"| {tree} | {len(rows)} | {sizes[0]} | {sizes[1]} | {mean_and_deviation([100 * float(row['accuracy']) for row in rows])} | {lost} |")


def main():
    arguments = cohort_parser(__file__, __doc__, [*TREES, *BOUNDS]).parse_args()
    results = Results(arguments.results / "sparse_tree.csv", FIELDS, ["seed", "tree"])
    if not arguments.table:
        if not importlib.util.find_spec("sklearn"):
            print("classifiers are skipped: scikit-learn cannot be imported (experiments/peers/setup)", file=sys.stderr)
            arguments.only = [name for name in arguments.only if name in TREES]
        measure_missing(arguments, results, "tree", measure)
    print_table(results)


if __name__ == "__main__":
    main()
