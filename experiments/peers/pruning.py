#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Should causal trees be pruned to the least error on held-out folds, or within one standard error of it?

    cmake --preset experiments && cmake --build --preset experiments --target peer_pruning
    python3 experiments/peers/pruning.py build/experiments/peer_pruning

Both rules on the same rows of D1 to D6. Writes results/pruning.csv and prints a table in Markdown: accuracy, regret and
leaves by either rule, and the mean of the paired differences with its standard error.
"""

import argparse
import csv
import io
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def mean_and_error(values):
    return statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seeds", default="1-5", help="FIRST-LAST")
    options = parser.parse_args()
    said = subprocess.run([options.program.resolve(), *options.seeds.split("-")], check=True, capture_output=True,
                          text=True).stdout
    (HERE / "results/pruning.csv").write_text(said, encoding="utf-8")
    found = {}
    for row in csv.DictReader(io.StringIO(said)):
        rules = found.setdefault((row["data"], row["scheme"]), {"0": [], "1": []})
        rules[row["errors"]].append([float(row[key]) for key in ("accuracy", "regret", "leaves")])
    print("| | accuracy, least error | within one s.e. | difference | regret, least error | within one s.e. "
          "| difference | leaves, least error | within one s.e. |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (data, scheme), rules in found.items():
        least, within = (list(zip(*rules[errors], strict=True)) for errors in ("0", "1"))
        cells = []
        for number, digits in ((0, 2), (1, 4)):
            mean, error = mean_and_error([b - a for a, b in zip(least[number], within[number], strict=True)])
            cells += [f"{statistics.mean(least[number]):.{digits}f}", f"{statistics.mean(within[number]):.{digits}f}",
                      f"{mean:+.{digits}f} ± {error:.{digits}f}"]
        cells += [f"{statistics.mean(each[2]):.1f}" for each in (least, within)]
        print(f"| {data}{'' if scheme == 'plain' else ' ' + scheme} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
