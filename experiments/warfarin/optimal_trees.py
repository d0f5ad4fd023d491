#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Optimal prescriptive trees of the warfarin cohort: accuracy, size and time on ten random 70/30 splits.

    optimal_trees.py IWPC.csv [--program build/release/polyrx] [--seeds 3001-3010] > results/optimal_trees.csv
    optimal_trees.py --table results/optimal_trees.csv

Splits and doses are those of accuracy.py. Each of the four variants learns from 70 % of the patients, with settings chosen
on a quarter of these; what it prescribes to the others is compared with the right dose. Beside it the best of the paper's OPT
on its own splits, and its times (Section 5.3, appendix).
"""

import csv
import json
import statistics
import sys

from splits import Split, parser_of

METHODS = ["opt", "opt-l", "opt-h", "opt-hl"]
PAPER_MINUTES = {"opt": "2.6", "opt-l": "5.2", "opt-h": "31.6", "opt-hl": "> 840"}


def size(model):
    """Leaves, and inputs with a weight in splits, of a model file."""
    nodes = json.loads(model.read_text(encoding="utf-8"))["baseline"]["nodes"]
    splits = [node for node in nodes if "constant" in node]
    return len(nodes) - len(splits), sum(weight != 0 for node in splits for weight in node["weights"])


def print_table(path):
    """Means over the splits, with the deviation between them."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    print("| method | splits | accuracy % | leaves | terms | seconds | paper's minutes |\n|---|---|---|---|---|---|---|")
    for method in dict.fromkeys(row["method"] for row in rows):
        part = [row for row in rows if row["method"] == method]
        accuracies = [100 * float(row["accuracy"]) for row in part]
        deviation = f" ±{statistics.stdev(accuracies):.2f}" if len(part) > 1 else ""
        leaves, terms, seconds = (statistics.mean(float(row[name]) for row in part) for name in ("leaves", "terms", "seconds"))
        print(f"| `{method}` | {len(part)} | {statistics.mean(accuracies):.2f}{deviation} | {leaves:.1f} | {terms:.1f} | {seconds:.1f} | "
              f"{PAPER_MINUTES[method]} |")


def main():
    parser = parser_of(__doc__, METHODS)
    arguments = parser.parse_args()
    if arguments.table:
        return print_table(arguments.table)
    if not arguments.iwpc:
        parser.error("IWPC.csv is missing")
    program, iwpc = arguments.program.resolve(), arguments.iwpc.resolve()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["seed", "method", "accuracy", "leaves", "terms", "seconds", "settings"])
    for seed in arguments.seeds:
        with Split(program, iwpc, seed) as split:
            for method in arguments.only or METHODS:
                fitted = split.fit("--method", method)
                settings = " ".join(f"{name} {value}" for name, value in fitted["options"].items() if name != "method")
                out.writerow([seed, method, f"{split.accuracy('model.json'):.4f}", *size(split.folder / "model.json"),
                              f"{fitted['seconds']:.1f}", settings])
                sys.stdout.flush()
    return None


if __name__ == "__main__":
    main()
