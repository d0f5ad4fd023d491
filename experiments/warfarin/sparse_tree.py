#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trees of the warfarin cohort that people can read: accuracy on ten random 70/30 splits.

    sparse_tree.py IWPC.csv [--program build/release/polyrx] [--seeds 1-10] [--fit "--recipe auto"] > results/sparse_tree.csv
    sparse_tree.py --table results/sparse_tree.csv

Each split has doses of its own seed (polyrx warfarin --observe). A model learns from 70 % of the patients; polyrx distill
makes trees of it, of the paper's shape (Section 5.3: 1x5, one weight for each neuron, at most 5 leaves) and of any shape
within 10, 20 and 40 terms; what they prescribe to the other patients is compared with the right dose. Seeds 1 to 10 are
for development: whatever is reported in the end must be run on others.
"""

import csv
import statistics
import sys

from splits import Split, parser_of

PAPER = ["--neurons", "5", "--weights-per-neuron", "1", "--leaves", "5"]
TREES = {
    "paper's shape": PAPER,
    "10 terms": ["--leaves", "8", "--max-terms", "10"],
    "20 terms": ["--leaves", "8", "--max-terms", "20"],
    "40 terms": ["--leaves", "8", "--max-terms", "40"],
    "8 leaves": ["--leaves", "8"],
}


def print_table(path):
    """Means over the splits, with the deviation between them."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    print("| tree | splits | leaves | terms | accuracy % |\n|---|---|---|---|---|")
    for tree in dict.fromkeys(row["tree"] for row in rows):
        part = [row for row in rows if row["tree"] == tree]
        sizes = [f"{statistics.mean(float(row[size]) for row in part):.1f}" if part[0][size] else "" for size in ("leaves", "terms")]
        accuracies = [100 * float(row["accuracy"]) for row in part]
        print(f"| {tree} | {len(part)} | {sizes[0]} | {sizes[1]} | {statistics.mean(accuracies):.2f} ±{statistics.stdev(accuracies):.2f} |")


def main():
    parser = parser_of(__doc__, TREES)
    parser.add_argument("--fit", default="--recipe auto", help="options of the model that is distilled")
    parser.add_argument("--distill", default="", help="more options of polyrx distill")
    arguments = parser.parse_args()
    if arguments.table:
        return print_table(arguments.table)
    if not arguments.iwpc:
        parser.error("IWPC.csv is missing")
    program, iwpc = arguments.program.resolve(), arguments.iwpc.resolve()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["seed", "tree", "student", "leaves", "terms", "cross-validated accuracy", "accuracy"])
    for seed in arguments.seeds:
        with Split(program, iwpc, seed) as split:
            split.fit(*arguments.fit.split())
            out.writerow([seed, "the model", "", "", "", "", f"{split.accuracy('model.json'):.4f}"])
            for tree, options in TREES.items():
                if arguments.only and tree not in arguments.only:
                    continue
                made = split.json("distill", "model.json", "train.csv", *options, *arguments.distill.split())
                out.writerow([seed, tree, made["student"], made["leaves"], made["terms"], f"{1 - made['value']['value']:.4f}",
                              f"{split.accuracy('small.json'):.4f}"])
                sys.stdout.flush()
    return None


if __name__ == "__main__":
    main()
