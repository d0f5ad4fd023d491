#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of a training step under valgrind, which time on a busy machine cannot blur.

Two fits that differ only in their epochs are counted by callgrind, and their difference divided by its steps. Valgrind
has no AVX-512, so these are the AVX2 kernels on every machine that has AVX2. Another compiler gives other counts, so
only those of the same compiler are compared; --record keeps your own.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

from training.worker import ROOT, TRAIN_WORKER

RECORD = ROOT / "bench/results/instructions.json"
BATCH = 64
ROWS = 10 * BATCH
EPOCHS = 2, 12
SHAPES = {"20-100-100-100-100-100-3": [100] * 5, "20-20-20-3": [20, 20]}
REGRESSION = 1.02  # the counts are repeatable, but a change elsewhere may move a little


def counted(worker, hidden, epochs):
    """The instructions of the whole worker, and what it says of itself."""
    requests = [
        {"do": "rows", "rows": ROWS, "treatments": 3, "path": ""},
        {"do": "fit", "hidden": hidden, "epochs": epochs, "seed": 1},
        {"do": "about"},
    ]
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(worker)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or '"error"' in done.stdout:
        sys.exit(f"valgrind exited {done.returncode}:\n{done.stdout}{done.stderr}")
    return int(found[1]), json.loads(done.stdout.splitlines()[-1])


def per_step(worker, hidden):
    (fewer, _), (more, about) = (counted(worker, hidden, epochs) for epochs in EPOCHS)
    return (more - fewer) / ((EPOCHS[1] - EPOCHS[0]) * ROWS / BATCH), about["kernels"], about["compiler"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", type=pathlib.Path, default=TRAIN_WORKER, help="build/bench/polyrx_train_worker")
    parser.add_argument("--check", action="store_true", help=f"exit 1 if a step has over {REGRESSION} times as many")
    parser.add_argument("--record", action="store_true", help=f"keep the counts in {RECORD.relative_to(ROOT)}")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("instructions are not counted: there is no valgrind")
        return 0
    if not options.worker.exists():
        sys.exit(f"there is no {options.worker}; ./dev build bench makes it")

    recorded = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    counts, worse = {}, False
    print(f"{'network, batch 64':28}{'kernels':>9}{'instructions a step':>21}{'recorded':>12}{'ratio':>8}")
    for name, hidden in SHAPES.items():
        count, kernels, compiler = per_step(options.worker, hidden)
        counts[name] = {"kernels": kernels, "compiler": compiler, "instructions": round(count)}
        line = f"{name:28}{kernels:>9}{count:21,.0f}"
        before = recorded.get(name)
        if before and (before.get("kernels"), before.get("compiler")) == (kernels, compiler):
            ratio = count / before["instructions"]
            worse |= ratio > REGRESSION
            line += f"{before['instructions']:12,}{ratio:8.3f}{'  more than recorded' if ratio > REGRESSION else ''}"
        print(line)
    if options.record:
        RECORD.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    return 1 if worse and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
