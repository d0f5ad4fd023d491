#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The best policy tree of depth 2 against EconML's greedy DRPolicyTree, on the same rows, one after the other.

polyrx is timed through its program; what counts is the stage `train` of `fit --json`: doubly robust scores by five-fold
forests, and the search. EconML is given scikit-learn's forests with the same settings. The search alone is timed by
peer_policy_tree (cmake --preset experiments) on scores of the same size, if it was built. Needs experiments/peers/setup;
without it, polyrx is timed alone.
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import tempfile

from training.worker import ROOT, Report

PEERS = ROOT / "experiments/peers/.venv/bin/python"
SEARCH = ROOT / "build/experiments/peer_policy_tree"
ROWS, FEATURES = 10_000, 30

PEER = """
import csv, json, sys, time
import numpy as np
from econml.policy import DRPolicyTree
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
data = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
x, t, y = data[:, :-2], data[:, -2].astype(int), data[:, -1]
jobs = int(sys.argv[2])
start = time.perf_counter()
DRPolicyTree(model_regression=RandomForestRegressor(min_samples_leaf=5, n_jobs=jobs, random_state=1),
             model_propensity=RandomForestClassifier(min_samples_leaf=20, n_jobs=jobs, random_state=1),
             cv=5, max_depth=2, honest=False, random_state=1).fit(-y, t, X=x)
print(json.dumps(time.perf_counter() - start))
"""


def study(path, treatments):
    draw = random.Random(treatments)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(1, FEATURES + 1)), "treatment", "outcome"])
        for _ in range(ROWS):
            x = [draw.gauss(0, 1) for _ in range(FEATURES)]
            t = draw.randrange(treatments)
            writer.writerow([*x, t, t * (1 if x[0] > 0 else -1) * (1 if x[1] > 0 else -0.5) + x[2] + draw.gauss(0, 1)])


def scores(path, treatments):
    draw = random.Random(treatments)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"s{k}" for k in range(treatments)), *(f"x{j}" for j in range(1, FEATURES + 1))])
        writer.writerows([draw.gauss(0, 1) for _ in range(treatments + FEATURES)] for _ in range(ROWS))


def polyrx(program, path, threads, model):
    """Seconds of learning."""
    run = subprocess.run([program, "fit", path, "--treatment", "treatment", "--outcome", "outcome", "--method",
                          "policytree", "--threads", str(threads), "--json", "-q", "-o", model], check=True,
                         capture_output=True)
    return json.loads(run.stdout)["timings"]["train"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--polyrx", type=pathlib.Path, default=ROOT / "build/bench/polyrx")
    parser.add_argument("--search", type=pathlib.Path, default=SEARCH)
    parser.add_argument("--peers", type=pathlib.Path, default=PEERS)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, help="also written there")
    options = parser.parse_args()
    report = Report(options.output)
    report(f"policy tree of depth 2, {ROWS:,} x {FEATURES} continuous, least of {options.turns} turns; EconML's is greedy\n"
           f"{'treatments':>10}{'threads':>9}{'search s':>10}{'polyrx s':>10}{'EconML s':>10}{'ratio':>7}{'target':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for treatments in (2, 3):
            study(folder / "rows.csv", treatments)
            scores(folder / "scores.csv", treatments)
            for threads in (1, 2):
                search, ours, theirs = [], [], []
                for _ in range(options.turns):
                    ours.append(polyrx(options.polyrx, folder / "rows.csv", threads, folder / "model.json"))
                    if options.search.exists():
                        said = subprocess.run([options.search, folder / "scores.csv", "2", str(threads)], check=True,
                                              capture_output=True, text=True)
                        search.append(float(said.stdout.split()[0]))
                    if options.peers.exists():
                        said = subprocess.run([options.peers, "-c", PEER, folder / "rows.csv", str(threads)], check=True,
                                              capture_output=True)
                        theirs.append(json.loads(said.stdout))
                alone = f"{min(search):10.2f}" if search else f"{'-':>10}"
                peer = f"{min(theirs):10.2f}{min(theirs) / min(ours):7.1f}" if theirs else f"{'-':>10}{'-':>7}"
                report(f"{treatments:10}{threads:9}{alone}{min(ours):10.2f}{peer}{'60 s':>8}")
    report.save()


if __name__ == "__main__":
    main()
