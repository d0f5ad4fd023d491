#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is our personalisation tree the one that its definition says, and what do its settings make of it?

    cmake --preset experiments && cmake --build --preset experiments --target peer_personalisation_tree
    experiments/peers/.venv/bin/python experiments/peers/personalisation.py build/release/polyrx

Fits our tree and a literal one (below: every cut of every feature, nothing clever) to the same 10,000 rows with the
same settings, and compares into which leaf each row goes, and the treatment of each of 10,000 others (simulate, seed +
1000). Writes results/personalisation.csv; exits 1 unless all trees are the same.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from forests import HERE, accuracy, numbers, simulated, write

GRID = [(5, 10), (5, 20), (0, 10), (0, 20)]  # depth (0 is no limit), rows of every treatment on each side


class Literal:
    """Kallus 2017: cut where |L| I(L) + |R| I(R) is least, I being the least mean outcome of a treatment."""

    def __init__(self, x, t, y, treatments, depth, least):
        self.x, self.y, self.least, self.limit = x, y, least, depth
        self.is_given = t[:, None] == np.arange(treatments)
        self.leaves = []
        self.root = self.grow(np.arange(len(y)), 0)

    def grow(self, rows, depth):
        given = self.is_given[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(given.any(axis=0), given.T @ self.y[rows] / given.sum(axis=0), np.inf)
        best = (len(rows) * means.min(), None)
        if self.limit == 0 or depth < self.limit:
            for feature in range(self.x.shape[1]):
                best = min(best, self.best_cut(rows, feature, best), key=lambda each: each[0])
        # A sum in another order may be smaller by rounding alone.
        if best[1] is None or best[0] > len(rows) * means.min() - 1e-12 * len(rows) * np.abs(self.y[rows]).max():
            self.leaves.append(int(means.argmin()))
            return len(self.leaves) - 1
        feature, cut = best[1]
        left = self.x[rows, feature] <= cut
        return feature, cut, self.grow(rows[left], depth + 1), self.grow(rows[~left], depth + 1)

    def best_cut(self, rows, feature, best):
        order = rows[np.argsort(self.x[rows, feature], kind="stable")]
        values = self.x[order, feature]
        counts = self.is_given[order].cumsum(axis=0)
        sums = (self.is_given[order] * self.y[order, None]).cumsum(axis=0)
        ends = np.flatnonzero(values[:-1] < values[1:])
        ends = ends[((counts[ends] >= self.least) & (counts[-1] - counts[ends] >= self.least)).all(axis=1)]
        if len(ends) == 0:
            return best
        left = (sums[ends] / counts[ends]).min(axis=1)
        right = ((sums[-1] - sums[ends]) / (counts[-1] - counts[ends])).min(axis=1)
        cost = (ends + 1) * left + (len(rows) - ends - 1) * right
        i = int(cost.argmin())
        return float(cost[i]), (feature, (values[ends[i]] + values[ends[i] + 1]) / 2)

    def leaf_of(self, x):
        leaf = np.empty(len(x), dtype=int)
        todo = [(self.root, np.arange(len(x)))]
        while todo:
            node, rows = todo.pop()
            if isinstance(node, int):
                leaf[rows] = node
            else:
                feature, cut, left, right = node
                goes = x[rows, feature] <= cut
                todo += [(left, rows[goes]), (right, rows[~goes])]
        return leaf


def same_partition(one, other):
    return len({*zip(one, other, strict=True)}) == len({*one}) == len({*other})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path,
                        default=HERE.parents[1] / "build/experiments/peer_personalisation_tree")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    polyrx, features = options.polyrx.resolve(), [f"x{j}" for j in range(1, 21)]
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for data in "123456":
            for seed in range(1, options.seeds + 1):
                truth, labels, _ = simulated(polyrx, folder, data, seed)
                train = numbers(folder / "train.csv", [*features, "treatment", "outcome"])
                test = numbers(folder / "test.csv", [*features, *truth])
                for depth, least in GRID:
                    said = subprocess.run([options.program.resolve(), folder / "train.csv", folder / "test.csv",
                                           str(depth), str(least)], check=True, capture_output=True, text=True)
                    leaf, treatment = np.array(said.stdout.split(), dtype=int).reshape(-1, 2).T
                    tree = Literal(train[:, :20], train[:, 20].astype(int), train[:, 21], len(labels), depth, least)
                    prescribed = np.array(tree.leaves)[tree.leaf_of(test[:, :20])]
                    same = (same_partition(leaf[:len(train)], tree.leaf_of(train[:, :20]))
                            and bool((treatment[len(train):] == prescribed).all()))
                    lines.append([f"D{data}", seed, depth, least, accuracy(treatment[len(train):], test[:, 20:]),
                                  accuracy(prescribed, test[:, 20:]), len(tree.leaves), "yes" if same else "no"])
            write(HERE / "results/personalisation.csv", ["data", "seed", "depth", "treatment_rows", "polyrx", "literal",
                                                         "leaves", "same"], lines)
    print(f"{'':18}" + "".join(f"{f'D{d}':>14}" for d in "123456"))
    for depth, least in GRID:
        shown = []
        for data in "123456":
            values = [100 * line[4] for line in lines if (line[0], *line[2:4]) == (f"D{data}", depth, least)]
            shown.append(f"{statistics.mean(values):6.2f} ±{statistics.stdev(values):5.2f}")
        print(f"depth {depth or 'none':>4}, {least} rows" + "".join(f"{each:>14}" for each in shown))
    differ = sum(line[-1] == "no" for line in lines)
    print(f"{len(lines) - differ} of {len(lines)} trees are the same")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
