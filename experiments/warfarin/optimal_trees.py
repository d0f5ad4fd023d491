#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Optimal prescriptive trees of the warfarin cohort: accuracy, size and time on ten random 70/30 splits.

    optimal_trees.py --iwpc IWPC.csv [--program build/release/polyrx] [--only opt,opt-l]    # adds to results/optimal_trees.csv
    optimal_trees.py --table

Splits and doses are those that accuracy.py had at first. Each of the four variants learns from 70 % of the patients, with settings chosen
on a quarter of these; what it prescribes to the others is compared with the right dose. Beside it the paper's times (appendix H).
"""

import json

from splits import OPTIMAL_TREE_SEEDS, cohort_parser, measure_missing
from laboratory import Results, mean_and_deviation  # splits knows where it is

PAPER_MINUTES = {"opt": "2.6", "opt-l": "5.2", "opt-h": "31.6", "opt-hl": "> 840"}
FIELDS = ["seed", "method", "accuracy", "leaves", "terms", "seconds", "settings"]


def size(model):
    """Leaves, and inputs with a weight in splits, of a model file."""
    nodes = json.loads(model.read_text(encoding="utf-8"))["baseline"]["nodes"]
    splits = [node for node in nodes if "constant" in node]
    return len(nodes) - len(splits), sum(weight != 0 for node in splits for weight in node["weights"])


def measure(split, methods, results):
    for method in methods:
        fitted = split.fit("--method", method)
        leaves, terms = size(split.folder / "model.json")
        results.add(seed=split.seed, method=method, accuracy=f"{split.accuracy('model.json'):.4f}", leaves=leaves, terms=terms,
                    seconds=f"{fitted['seconds']:.1f}",
                    settings=" ".join(f"{name} {value}" for name, value in fitted["options"].items() if name != "method"))


def print_table(results):
    """Means over the splits, with the deviation between them."""
    print("| method | splits | accuracy % | leaves | terms | seconds | paper's minutes |\n|---|---|---|---|---|---|---|")
    for method in PAPER_MINUTES:
        rows = results.where(method=method)
        if rows:
            means = [f"{sum(numbers) / len(rows):.1f}" for numbers in (results.numbers(name, method=method) for name in ("leaves", "terms", "seconds"))]
            print(f"| `{method}` | {len(rows)} | {mean_and_deviation([100 * float(row['accuracy']) for row in rows])} | {' | '.join(means)} | "
                  f"{PAPER_MINUTES[method]} |")


def main():
    parser = cohort_parser(__file__, __doc__, PAPER_MINUTES, OPTIMAL_TREE_SEEDS)
    parser.set_defaults(jobs=1)  # they are timed, on all cores
    arguments = parser.parse_args()
    results = Results(arguments.results / "optimal_trees.csv", FIELDS, ["seed", "method"])
    if not arguments.table:
        measure_missing(arguments, results, "method", measure)
    print_table(results)


if __name__ == "__main__":
    main()
