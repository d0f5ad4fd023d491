#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long it takes to say what a policy is worth, against the targets: 100,000 rows x 20, three treatments.

What counts is the whole program on two threads: reading, prescribing, five-fold forests of outcomes and propensities, all
estimators, comparisons and tables. What the bootstrap takes is the difference to a run without; for that, rows are scored by
single trees, since the forests' time varies by more than the bootstrap takes. All estimators and comparisons share the draws.
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile
import time

from training.worker import ROOT, Report

POLYRX = ROOT / "build/bench/polyrx"


def seconds(*arguments, cwd):
    start = time.perf_counter()
    subprocess.run([POLYRX, *arguments], check=True, cwd=cwd, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, help="also written there")
    options = parser.parse_args()
    report = Report(options.output)
    with tempfile.TemporaryDirectory() as folder:
        seconds("simulate", "5", "-n", str(options.rows), "-q", "-o", "rows.csv", cwd=folder)
        seconds("simulate", "5", "-n", "10000", "--seed", "2", "-q", "-o", "train.csv", cwd=folder)
        seconds("fit", "train.csv", "--treatment", "treatment", "--outcome", "outcome", "--method", "rc-lr", "-q",
                cwd=folder)
        evaluation = ("evaluate", "model.json", "rows.csv", "--threads", "2", "-q")
        scored = (*evaluation, "--trees", "1", "--folds", "2", "--propensity-model", "logistic")
        whole = min(seconds(*evaluation, cwd=folder) for _ in range(options.turns))
        draws = {method: min(seconds(*scored, "--estimator", method, "--bootstrap", "2000", cwd=folder) for _ in range(3)) -
                 min(seconds(*scored, "--estimator", method, "--bootstrap", "0", cwd=folder) for _ in range(3))
                 for method in ("dr", "all")}
    report(f"{options.rows:,} rows x 20, three treatments, two threads, least of {options.turns} turns\n"
           f"{'':44}{'s':>7}{'target s':>10}\n"
           f"{'polyrx evaluate, all estimators':44}{whole:7.1f}{60:10}\n"
           f"{'2,000 draws, one estimator and comparisons':44}{draws['dr']:7.1f}{1:10}\n"
           f"{'2,000 draws, all estimators':44}{draws['all']:7.1f}\n"
           f"peak memory {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    report.save()


if __name__ == "__main__":
    main()
