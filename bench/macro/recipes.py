#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `polyrx fit` takes by its recipes, and by the searches of optimal trees, on one thread and on two.

10,000 x 20 rows of the paper's first study for the recipes; for optimal trees the warfarin cohort (with --warfarin IWPC.csv), with
the paper's times beside ours.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

from training.worker import ROOT, Report

POLYRX = ROOT / "build/bench/polyrx"
PAPER_SECONDS = {"opt": 2.6 * 60, "opt-l": 5.2 * 60, "opt-h": 31.6 * 60, "opt-hl": 14 * 3600}
TARGET_SECONDS = {"opt": 10, "opt-l": 30, "opt-h": 60, "opt-hl": 600}


def seconds(folder, data, *options):
    """Of a whole run, as polyrx says it."""
    run = subprocess.run([POLYRX, "fit", data, "--treatment", "treatment", "--outcome", "outcome", *options, "--json", "-q"],
                         cwd=folder, check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)["seconds"]


def recipes(folder, report):
    subprocess.run([POLYRX, "simulate", "1", "-n", "10000", "-q", "-o", "rows.csv"], cwd=folder, check=True)
    taken = {threads: seconds(folder, "rows.csv", "--recipe", "auto", "--threads", str(threads)) for threads in (1, 2)}
    report(f"auto, 10,000 x 20: {taken[1]:.1f} s on one thread, {taken[2]:.1f} s on two (target 60 s), "
           f"{taken[1] / taken[2]:.2f} times as fast (target 1.5)")
    for recipe, target in (("fast", "target 2 s"), ("paper", "no target")):
        report(f"{recipe}, 10,000 x 20: {seconds(folder, 'rows.csv', '--recipe', recipe, '--threads', '2'):.2f} s ({target})")


def optimal_trees(folder, iwpc, report):
    subprocess.run([POLYRX, "warfarin", iwpc, "--observe", "1", "-o", "patients.csv", "--schema", "doses.json", "-q"], cwd=folder, check=True)
    for method, paper in PAPER_SECONDS.items():
        taken = seconds(folder, "patients.csv", "--schema", "doses.json", "--method", method, "--threads", "2")
        report(f"{method}, warfarin 4,417 x 40: {taken:.1f} s on two threads (target {TARGET_SECONDS[method]} s), the paper's "
               f"{'at least ' if method == 'opt-hl' else ''}{paper / taken:.0f} times as long")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, help="also written there")
    parser.add_argument("--warfarin", type=pathlib.Path, metavar="IWPC.csv")
    arguments = parser.parse_args()
    report = Report(arguments.output)
    with tempfile.TemporaryDirectory() as folder:
        recipes(folder, report)
        if arguments.warfarin:
            optimal_trees(folder, arguments.warfarin.resolve(), report)
    report.save()


if __name__ == "__main__":
    main()
