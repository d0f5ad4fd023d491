#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many warfarin patients are prescribed the right dose: `polyrx fit` beside its rivals, on random 70/30 splits.

    accuracy.py IWPC.csv [--program build/release/polyrx] [--seeds 3001-3010] [--methods auto,paper]    # adds to results/accuracy.csv
    accuracy.py --table

"logistic regression" is told the right dose of every training patient (full feedback), which nobody who prescribes knows: an upper
bound. It needs scikit-learn (experiments/peers). What is there already is not run again. Split seeds 1 to 10 are for development.
"""

import argparse
import csv
import json
import pathlib
import statistics

from splits import ROLES, Split, mean_and_interval, seeds_of

HERE = pathlib.Path(__file__).resolve().parent
METHODS = {"auto": ["--recipe", "auto"], "fast": ["--recipe", "fast"], "paper": ["--recipe", "paper"], "rc-lr": ["--method", "rc-lr"],
           "rc-rf": ["--method", "rc-rf"], "constant": ["--method", "constant"]}
FULL = "logistic regression"
FIELDS = ["seed", "method", "accuracy", "seconds"]


def full_feedback(split):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    def features(rows):
        return [[float(value) for name, value in row.items() if name not in (*ROLES[1::2], "y0", "y1", "y2", "best")] for row in rows]

    train, test = split.rows("train.csv"), split.rows("test.csv")
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(features(train), [row["best"] for row in train])
    return model.score(features(test), [row["best"] for row in test])


def print_table(rows):
    cells = {}
    for row in rows:
        cells.setdefault(row["method"], {})[row["seed"]] = 100 * float(row["accuracy"])
    print("| | splits | accuracy % | auto less this, paired |\n|---|---|---|---|")
    for method in [*METHODS, FULL]:
        part = cells.get(method)
        if not part:
            continue
        gains = [cells["auto"][seed] - value for seed, value in part.items() if seed in cells["auto"]]
        middle, low, high = mean_and_interval(gains)
        print(f"| {method} | {len(part)} | {statistics.mean(part.values()):.2f} ±{statistics.stdev(part.values()):.2f} | "
              + ("" if method == "auto" else f"{middle:+.2f} [{low:+.2f}, {high:+.2f}]") + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("iwpc", type=pathlib.Path, nargs="?")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/polyrx"))
    parser.add_argument("--seeds", type=seeds_of, default=range(3001, 3011))
    parser.add_argument("--methods", type=lambda text: text.split(","), default=[*METHODS, FULL])
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "accuracy.csv")
    arguments = parser.parse_args()
    rows = []
    if arguments.results.exists():
        with open(arguments.results, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    if arguments.table:
        return print_table(rows)
    if not arguments.iwpc:
        parser.error("IWPC.csv is missing")
    known = {(row["seed"], row["method"]) for row in rows}
    if not rows:
        arguments.results.parent.mkdir(exist_ok=True)
        arguments.results.write_text(",".join(FIELDS) + "\n", encoding="utf-8")
    for seed in arguments.seeds:
        missing = [method for method in arguments.methods if (str(seed), method) not in known]
        if not missing:
            continue
        with Split(arguments.program.resolve(), arguments.iwpc.resolve(), seed) as split:
            for method in missing:
                seconds = "" if method == FULL else f"{json.loads(split.fit(*METHODS[method]))['seconds']:.1f}"
                accuracy = full_feedback(split) if method == FULL else split.accuracy("model.json")
                print(f"split {seed} {method}: {100 * accuracy:.2f}", flush=True)
                with open(arguments.results, "a", newline="", encoding="utf-8") as file:
                    csv.writer(file, lineterminator="\n").writerow([seed, method, f"{accuracy:.4f}", seconds])
    return None


if __name__ == "__main__":
    main()
