#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repeats 200 training steps of polyrx in PyTorch and compares the loss of every step.

parity_steps (steps.cpp) writes down the rows, the initial weights, the order of the rows and the losses; PyTorch starts
from the same weights, takes the same batches with torch.optim's own Adam or AdamW, and must see the same losses. Exits
1 if one of them is further off than the tolerance, unless the runs parted at an edge that only rounding decides
(replay.py); such runs are marked, and with --strict they count as missed too.

    experiments/peers/.venv/bin/python experiments/parity/steps.py
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch

import paper_recipe
from replay import follow_edges, relative_difference, replay

ROOT = Path(__file__).resolve().parents[2]
STEPS = 200
TOLERANCE = 1e-4  # relative, of each step's loss
COLUMNS = [
    "dataset",
    "case",
    "treatments",
    "rows",
    "batch",
    "steps",
    "worst",  # largest |polyrx - PyTorch| / |PyTorch|, both in float32
    "step",  # where, from 1
    "polyrx",  # the losses there
    "pytorch",
    "rounding",  # the same for PyTorch in float32 against PyTorch in float64: what float32 alone costs
    "exact",  # the same for polyrx against PyTorch in float64
    "edges",  # crossed to stay with polyrx (replay.py), and the furthest of them
    "distance",
    "beyond_edges",  # the largest difference then
    "passed",  # yes; edge: only with edges crossed; no
]


def doubts(run):
    """What in a record is not the recipe's: equal losses prove nothing about it, since PyTorch takes it over."""
    found = []
    inputs = np.array(run["inputs"])
    if not (np.abs(inputs.mean(axis=0)).max() < 1e-5 and np.abs(inputs.std(axis=0) - 1).max() < 1e-5):
        found.append("the inputs are not standardised")
    if abs(np.mean(run["weight"]) - 1) > 1e-5:
        found.append("the weights do not have mean 1")
    for order in run["orders"]:
        if sorted(order) != list(range(len(inputs))):
            found.append("an epoch does not visit every row once")
    if len(run["orders"]) > 1 and run["orders"][0] == run["orders"][1]:
        found.append("the rows are not reshuffled")
    for number, layer in enumerate(run["layers"], start=1):
        weights, bias = np.array(layer["weights"]), np.array(layer["bias"])
        bound = 1 / np.sqrt(weights.shape[1])
        values = np.concatenate([weights.ravel(), bias])
        if np.abs(values).max() > bound * (1 + 1e-6):
            found.append(f"layer {number} begins outside +-1/sqrt(fan_in)")
        # The variance of a uniform draw is bound^2/3, with a relative sd of 0.9/sqrt(n).
        if abs(values.var() / (bound**2 / 3) - 1) > 5 * 0.9 / np.sqrt(values.size):
            found.append(f"layer {number} does not begin uniform")
        if weights.shape[0] > 1 and not np.any(bias):
            found.append(f"layer {number} begins without biases")
    if len(run["losses"]) != STEPS:
        found.append(f"{len(run['losses'])} losses instead of {STEPS}")
    return found


def worst_difference(losses, reference):
    """The largest relative difference and the step where it is, from 0."""
    relative = relative_difference(losses, reference)
    return float(relative.max()), int(relative.argmax())


def compare(run):
    """One row of the result, and the losses it is about."""
    ours = np.array(run["losses"], dtype=float)
    theirs, _ = replay(run)
    worst, step = worst_difference(ours, theirs)
    exact, _ = replay(run, torch.float64)
    rounding, _ = worst_difference(theirs, exact)
    against_exact, _ = worst_difference(ours, exact)
    verdict, edges, beyond_edges = "yes", [], worst
    if worst > TOLERANCE:
        followed, edges = follow_edges(run, TOLERANCE)
        beyond_edges, _ = worst_difference(ours, followed)
        verdict = "edge" if beyond_edges <= TOLERANCE else "no"
    row = {
        "dataset": f"D{run['dataset']}",
        "case": run["case"],
        "treatments": run["options"]["treatments"],
        "rows": len(run["outcome"]),
        "batch": run["options"]["batch"],
        "steps": len(ours),
        "worst": f"{worst:.2e}",
        "step": step + 1,
        "polyrx": f"{ours[step]:.9g}",
        "pytorch": f"{theirs[step]:.9g}",
        "rounding": f"{rounding:.2e}",
        "exact": f"{against_exact:.2e}",
        "edges": len(edges),
        "distance": f"{max(edge.distance for edge in edges):.1e}" if edges else "",
        "beyond_edges": f"{beyond_edges:.2e}",
        "passed": "no" if doubts(run) else verdict,
    }
    return row, list(zip(ours, theirs))


def output_of(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"steps.py: {Path(program).name} {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def write_rows(path, columns, rows):
    beside = path.with_suffix(".part")
    with open(beside, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    os.replace(beside, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--program", type=Path, default=ROOT / "build/experiments/parity_steps", help="what writes the runs down"
    )
    parser.add_argument(
        "--results", type=Path, default=ROOT / "experiments/parity/results", help="where the output goes"
    )
    parser.add_argument("--datasets", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6], metavar="D")
    parser.add_argument("--strict", action="store_true", help="exit 1 also where the runs parted at an edge")
    parser.add_argument("--cases", nargs="+", metavar="CASE", help="all of them unless given")
    options = parser.parse_args()
    if not options.program.exists():
        sys.exit(
            f"steps.py: no {options.program.name}; cmake --preset experiments && cmake --build --preset experiments"
        )

    paper_recipe.one_thread()
    cases = options.cases or output_of(options.program, "--list").split()
    rows, followed = [], []
    print(f"{'':3} {'case':9} {'worst':>8} {'at':>4} {'polyrx':>13} {'PyTorch':>13} {'rounding':>9} {'exact':>8}")
    for dataset in options.datasets:
        for case in cases:
            run = json.loads(output_of(options.program, str(dataset), case))
            row, losses = compare(run)
            rows.append(row)
            if case == "paper":
                followed += [[row["dataset"], step, f"{a:.9g}", f"{b:.9g}"] for step, (a, b) in enumerate(losses, 1)]
            words = {"yes": "", "no": "  MISSED", "edge": f"  {row['beyond_edges']} with {row['edges']} crossed"}
            print(
                f"{row['dataset']:3} {case:9} {row['worst']:>8} {row['step']:4} {row['polyrx']:>13}"
                f" {row['pytorch']:>13} {row['rounding']:>9} {row['exact']:>8}{words[row['passed']]}",
                flush=True,
            )
            for doubt in doubts(run):
                print(f"    {row['dataset']} {case}: {doubt}", flush=True)

    options.results.mkdir(parents=True, exist_ok=True)
    write_rows(options.results / "steps.csv", COLUMNS, [[row[name] for name in COLUMNS] for row in rows])
    write_rows(options.results / "steps_losses.csv", ["dataset", "step", "polyrx", "pytorch"], followed)
    (options.results / "steps_machine.json").write_text(json.dumps(paper_recipe.machine(), indent=2) + "\n")

    count = {verdict: sum(row["passed"] == verdict for row in rows) for verdict in ("yes", "edge", "no")}
    print(f"{count['yes']} of {len(rows)} within 1e-4, {count['edge']} after crossing edges, {count['no']} missed")
    return 1 if count["no"] or not rows or (options.strict and count["edge"]) else 0


if __name__ == "__main__":
    sys.exit(main())
