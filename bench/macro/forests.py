#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forests and causal trees against scikit-learn and EconML, on the same rows, one after the other, and as rows grow.

polyrx is timed through its program; what counts is the stage `train` of `fit --json`, without reading and writing, as the
others are timed from memory. Needs experiments/peers/setup; without it, polyrx is timed alone.
"""

import argparse
import csv
import json
import pathlib
import resource
import subprocess
import tempfile
import time

from training.worker import ROOT, Report

POLYRX = ROOT / "build/bench/polyrx"
PEERS = ROOT / "experiments/peers/.venv/bin/python"
ROWS = 10_000

PEER = """
import csv, json, sys, time
import numpy as np
from sklearn.ensemble import RandomForestRegressor
rows = list(csv.reader(open(sys.argv[1])))
data = np.array([[float(cell) for cell in row] for row in rows[1:]])
x, t, y = data[:, :-2], data[:, -2].astype(int), data[:, -1]
jobs, method = int(sys.argv[2]), sys.argv[3]
def forest(**options):
    return RandomForestRegressor(n_jobs=jobs, random_state=1, **options)
def rc_rf():
    for k in range(t.max() + 1):
        forest().fit(x[t == k], y[t == k])
def cf():
    from econml.grf import CausalForest
    halves = np.random.default_rng(1).permutation(len(y)) % 2
    treated, outcome = np.empty(len(y)), np.empty(len(y))
    for half in (0, 1):
        here, there = halves == half, halves != half
        treated[here] = t[here] - forest(min_samples_leaf=5).fit(x[there], t[there]).predict(x[here])
        outcome[here] = y[here] - forest(min_samples_leaf=5).fit(x[there], y[there]).predict(x[here])
    CausalForest(n_estimators=100, criterion="het", max_samples=0.45, min_samples_leaf=5, inference=False, n_jobs=jobs,
                 random_state=1).fit(x, treated, outcome)
start = time.perf_counter()
{"rc-rf": rc_rf, "cf": cf}[method]()
print(json.dumps(time.perf_counter() - start))
"""


def simulate(path, rows, data="1", columns=20):
    """Rows of a simulated study, with some features once more if it should have more of them."""
    subprocess.run([POLYRX, "simulate", data, "-n", str(rows), "-q", "-o", path], check=True)
    if columns == 20:
        return
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(",") for line in file]
    extra = columns - 20
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"z{i}" for i in range(extra)] + lines[0])
        # Features of the row before: as many values, and no part in the outcome.
        writer.writerows(lines[i - 1 if i > 1 else -1][:extra] + line for i, line in enumerate(lines[1:], 1))


def polyrx(path, method, threads, model):
    """Seconds of learning."""
    run = subprocess.run([POLYRX, "fit", path, "--treatment", "treatment", "--outcome", "outcome", "--method", method,
                          "--threads", str(threads), "--json", "-q", "-o", model], check=True, capture_output=True)
    return json.loads(run.stdout)["timings"]["train"]


def against_peers(report, folder, turns):
    path, model = folder / "rows.csv", folder / "model.json"
    simulate(path, ROWS)
    report(f"{ROWS:,} x 20 (simulate 1, two treatments), least of {turns} turns\n"
           f"{'':10}{'threads':>8}{'polyrx s':>10}{'peer s':>9}{'ratio':>7}{'target':>8}")
    for method, target in (("rc-rf", 3), ("cf", 5)):
        for threads in (1, 2):
            ours, theirs = [], []
            for _ in range(turns):
                ours.append(polyrx(path, method, threads, model))
                if PEERS.exists():
                    said = subprocess.run([PEERS, "-c", PEER, path, str(threads), method], check=True,
                                          capture_output=True)
                    theirs.append(json.loads(said.stdout))
            peer = f"{min(theirs):9.2f}{min(theirs) / min(ours):7.1f}" if theirs else f"{'-':>9}{'-':>7}"
            report(f"{method:10}{threads:8}{min(ours):10.3f}{peer}{target:8}")
    for method in ("ct", "pt"):
        ours = min(polyrx(path, method, 1, model) for _ in range(turns))
        report(f"{method:10}{1:8}{ours:10.3f}{'':16}{'1 s':>8}")


def growth(report, folder):
    report(f"\nrc-rf as rows grow, x 25, two threads\n{'rows':>10}{'train s':>9}{'whole s':>9}{'peak MB':>9}")
    for rows in (10_000, 100_000, 1_000_000):
        path, model = folder / "rows.csv", folder / "model.json"
        simulate(path, rows, columns=25)
        start = time.perf_counter()
        seconds = polyrx(path, "rc-rf", 2, model)
        whole = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        report(f"{rows:10,}{seconds:9.2f}{whole:9.2f}{peak:9.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["peers", "growth"], help="peers, growth; both if none is named")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, help="also written there")
    options = parser.parse_args()
    report = Report(options.output)
    with tempfile.TemporaryDirectory() as name:
        if "peers" in options.parts:
            against_peers(report, pathlib.Path(name), options.turns)
        if "growth" in options.parts:
            growth(report, pathlib.Path(name))
    report.save()


if __name__ == "__main__":
    main()
