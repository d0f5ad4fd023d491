#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many warfarin patients are prescribed the right dose: `polyrx fit` beside its rivals, on random 70/30 splits (Tables 3, 5 and 6 of the paper).

    accuracy.py --iwpc IWPC.csv [--seeds 7001-7010] [--only auto,paper]      # adds to results/accuracy.csv
    accuracy.py --table [--name accuracy_first_freeze.csv]

Classifiers are told the right dose of every training patient (full feedback), which nobody who prescribes knows. They need
scikit-learn and XGBoost (experiments/peers). Their settings are chosen by three-fold cross-validation on the training patients, as the
paper does. What is there already is not run again. Split seeds 1 to 10 are for development; 3001 to 3010
were looked at before auto changed. Of the schemes of CT and CF the one that the training patients speak for is shown too, by doubly robust
value on three folds, where the paper takes the best by the truth. Optimal trees are in optimal_trees.py.
"""

import statistics
import sys

from splits import SHARED, cohort_parser, measure_missing
from laboratory import Results, chosen_variants, difference, mean_and_deviation  # splits knows where it is

RECIPES = {"auto": ["--recipe", "auto"], "fast": ["--recipe", "fast"], "paper": ["--recipe", "paper"]}
CT, CF = ["ct-1va", "ct-1v1a", "ct-1v1b"], ["cf-1va", "cf-1v1a", "cf-1v1b"]
CHOSEN = {"CT, chosen": CT, "CF, chosen": CF}
SHOWN = [*RECIPES, "rc-lr", "rc-rf", *CT, "CT, chosen", *CF, "CF, chosen", "pt", "pf", "policytree", "constant"]
METHODS = RECIPES | {name: ["--method", name] for name in SHOWN if name not in [*RECIPES, *CHOSEN]}
# The grids are ours: the paper does not print its own.
FULL = {
    "logistic regression": {"logisticregression__C": [0.01, 0.1, 1]},
    "random forest": {"randomforestclassifier__max_depth": [8, None], "randomforestclassifier__min_samples_leaf": [1, 5, 20]},
    "support vectors": {"svc__C": [0.3, 1, 3], "svc__gamma": ["scale", 0.003]},
    "k nearest": {"kneighborsclassifier__n_neighbors": [11, 31, 61]},
    "XGBoost": {"xgbclassifier__max_depth": [2, 3, 5], "xgbclassifier__learning_rate": [0.03, 0.1]},
}
PRINTED = {"rc-rf": 65.43, "rc-lr": 66.68, "ct-1va": 47.58, "cf-1va": 64.80, "ct-1v1a": 53.70, "cf-1v1a": 64.61, "ct-1v1b": 54.87, "cf-1v1b": 54.87,
           "pt": 55.43, "pf": 56.03, "paper": 68.27, "random forest": 66.08, "support vectors": 67.85, "logistic regression": 69.11,
           "k nearest": 65.72, "XGBoost": 67.27}


def classifier(name, seed):
    """With its grid searched; None where it cannot be imported."""
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC
        from xgboost import XGBClassifier
    except ImportError:
        return None
    made = {"logistic regression": lambda: LogisticRegression(max_iter=2000), "random forest": lambda: RandomForestClassifier(random_state=seed),
            "support vectors": SVC, "k nearest": KNeighborsClassifier, "XGBoost": lambda: XGBClassifier(random_state=seed, nthread=1)}
    return GridSearchCV(make_pipeline(StandardScaler(), made[name]()), FULL[name], cv=3)


def with_full_feedback(name, split):
    train, test = split.full_feedback()
    return classifier(name, split.seed).fit(*train).score(*test)


def measure(split, methods, results):
    for method in methods:
        seconds = ""
        if method in FULL:
            accuracy = with_full_feedback(method, split)
        else:
            seconds = f"{split.fit(*METHODS[method], '--threads', '1')['seconds']:.1f}"
            accuracy = split.accuracy("model.json")
        judged = split.value_in_folds(method) if method in [*CT, *CF] else ""
        results.add(seed=split.seed, method=method, accuracy=f"{accuracy:.4f}", seconds=seconds, judged=judged)


def print_table(results):
    auto = {row["seed"]: 100 * float(row["accuracy"]) for row in results.where(method="auto")}
    print("| | splits | accuracy % | auto less this, paired | printed in the paper | seconds |\n|---|---|---|---|---|---|")
    for method in [*SHOWN, *FULL]:
        rows = results.where(method=method)
        if not rows:
            continue
        gains = [auto[row["seed"]] - 100 * float(row["accuracy"]) for row in rows if row["seed"] in auto]
        gain = difference(gains, 2, SHARED) if method != "auto" else ""
        seconds = results.numbers("seconds", method=method)
        print(f"| {method} | {len(rows)} | {mean_and_deviation([100 * float(row['accuracy']) for row in rows])} | {gain} | "
              f"{f'{PRINTED[method]:.2f}' if method in PRINTED else ''} | {f'{statistics.mean(seconds):.1f}' if seconds else ''} |")


def main():
    parser = cohort_parser(__file__, __doc__, [*METHODS, *FULL])
    parser.add_argument("--name", default="accuracy.csv", help="of the table in the folder of results")
    arguments = parser.parse_args()
    results = Results(arguments.results / arguments.name, ["seed", "method", "accuracy", "seconds", "judged"], ["seed", "method"])
    if not arguments.table:
        if arguments.quick:
            arguments.only, arguments.seeds = ["rc-lr", "constant"], [1]
        if classifier("k nearest", 1) is None:
            print("classifiers are skipped: scikit-learn or XGBoost cannot be imported (experiments/peers/setup)", file=sys.stderr)
            arguments.only = [method for method in arguments.only if method not in FULL]
        measure_missing(arguments, results, "method", measure)
    results.rows += [row for name, group in CHOSEN.items() for row in chosen_variants(results, name, group)]
    print_table(results)


if __name__ == "__main__":
    main()
