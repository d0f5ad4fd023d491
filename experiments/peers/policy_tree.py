#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds our policy trees against a literal search for the best tree, and against EconML's, on the same scores.

The literal search tries every pair of cuts with NumPy, so its data are small. EconML's `PolicyTree` is greedy, and ours
is to be no worse on the rows that both learn from; by how much it is better, there and on others, is shown. Scores are
in whole numbers, so that sums are exact. Exits 1 if one of our trees is not the best.

    experiments/peers/setup
    cmake --preset experiments && cmake --build --preset experiments    # peer_policy_tree
    experiments/peers/.venv/bin/python experiments/peers/policy_tree.py [--small]

Writes results/policy_tree.csv.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from econml.policy import PolicyTree

HERE = Path(__file__).resolve().parent
COLUMNS = ["rows", "features", "treatments", "depth", "seed", "best", "polyrx", "econml", "polyrx_s", "econml_s",
           "exact", "passed"]


def simulate(rows, features, treatments, seed):
    """Features, some of them with ties, and scores (small is good) with more noise than effect, as such scores have."""
    rng = np.random.default_rng([seed, rows, features, treatments])
    x = rng.normal(size=(rows, features))
    x[:, ::2] = np.round(2 * x[:, ::2])
    side = np.where(x[:, 0] > 0, np.sign(x[:, 1]), -np.sign(x[:, -1]))
    scores = 3 * rng.normal(size=(rows, treatments)) + side[:, None] * np.arange(treatments)
    return x, np.round(100 * scores)


def best_cut(x, scores):
    """The least sum of scores of one split or none."""
    best = scores.sum(axis=0).min()
    for values in x.T:
        order = np.argsort(values, kind="stable")
        left = scores[order].cumsum(axis=0)
        ends = np.flatnonzero(np.diff(values[order]) > 0)
        if len(ends) > 0:
            best = min(best, (left[ends].min(axis=1) + (left[-1] - left[ends]).min(axis=1)).min())
    return best


def literal(x, scores, depth):
    if depth == 1:
        return best_cut(x, scores)
    best = best_cut(x, scores)
    for values in x.T:
        for cut in np.unique(values)[:-1]:
            left = values <= cut
            best = min(best, best_cut(x[left], scores[left]) + best_cut(x[~left], scores[~left]))
    return best


def ours(program, x, scores, depth):
    header = [f"s{k}" for k in range(scores.shape[1])] + [f"x{j}" for j in range(1, x.shape[1] + 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        np.savetxt(path, np.column_stack([scores, x]), fmt="%.17g", delimiter=",", header=",".join(header), comments="")
        said = subprocess.run([program, path, str(depth)], check=True, capture_output=True, text=True).stdout.split()
    return float(said[0]), said[1], np.array(said[2:], dtype=int)


def econml(x, scores, depth):
    from time import perf_counter
    start = perf_counter()
    tree = PolicyTree(max_depth=depth, min_samples_split=2, min_samples_leaf=1, min_balancedness_tol=0.5, honest=False,
                      random_state=1).fit(x, -scores)
    return perf_counter() - start, np.asarray(tree.predict(x)).ravel().astype(int)


def compare(program, rows, features, treatments, depth, seed, with_literal):
    x, scores = simulate(rows, features, treatments, seed)
    seconds, exact, prescribed = ours(program, x, scores, depth)
    their_seconds, theirs = econml(x, scores, depth)
    value, their_value = (scores[np.arange(rows), each].sum() for each in (prescribed, theirs))
    best = literal(x, scores, depth) if with_literal else ""
    passed = exact == "exact" and value <= their_value and (best == "" or value == best)
    return [rows, features, treatments, depth, seed, best, value, their_value, round(seconds, 4),
            round(their_seconds, 4), exact, "yes" if passed else "no"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=HERE.parents[1] / "build/experiments/peer_policy_tree")
    parser.add_argument("--small", action="store_true", help="without the rows that take longer")
    parser.add_argument("-o", "--output", default=HERE / "results/policy_tree.csv", type=Path)
    options = parser.parse_args()
    print(f"EconML {version('econml')}", file=sys.stderr)
    found = []
    for depth in (1, 2):
        for seed in range(1, 11):
            for treatments in (2, 3):
                found.append(compare(options.program, 150, 4, treatments, depth, seed, True))
        for seed in range(1, 4):
            found.append(compare(options.program, 1_000 if options.small else 10_000, 10, 3, depth, seed, False))
    with open(options.output, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *found])
    better = sum(line[6] < line[7] for line in found if line[3] == 2)
    passed = sum(line[-1] == "yes" for line in found)
    print(f"{passed} of {len(found)} trees are the best there is; of depth 2, {better} are better than EconML's of "
          f"{sum(line[3] == 2 for line in found)}")
    sys.exit(passed < len(found))


if __name__ == "__main__":
    main()
