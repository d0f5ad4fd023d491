#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments that reproduce the paper, and that of support, one after the other.

    repro.py [--quick] [--program build/release/polyrx] [--iwpc IWPC.csv] [--results FOLDER] [NAME ...]

What an experiment has already is not run again: stopped, begun again, it goes on. Each writes its raw output into its own folder and prints
its tables; --quick runs small versions into --results, whose figures mean nothing. Without --iwpc, the file of the International
Warfarin Pharmacogenetics Consortium, what needs it says that it is skipped.
"""

import argparse
import pathlib
import subprocess
import sys
import time

from laboratory import ROOT

HERE = pathlib.Path(__file__).resolve().parent
# By name: the script, which takes --quick, --program and --results, and whether it takes --iwpc too.
EXPERIMENTS = {
    "toy": ("toy/toy.py", False),
    "simulated": ("simulated/table2.py", False),
    "warfarin": ("warfarin/accuracy.py", True),
    "warfarin_tree": ("warfarin_tree/warfarin_tree.py", True),
    "partitions": ("partitions/partitions.py", True),
    "runtime": ("runtime/runtime.py", True),
    "scaling": ("scaling/scaling.py", False),
    "mu": ("mu/mu.py", False),
    "many_treatments": ("many_treatments/many_treatments.py", False),
    "big_m": ("big_m/big_m.py", True),
    "pruning": ("pruning/pruning.py", False),
    "support": ("support/support.py", True),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join(EXPERIMENTS)}")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "polyrx")
    parser.add_argument("--iwpc", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "repro", help="where --quick writes; a folder for each experiment")
    arguments = parser.parse_args()
    if not arguments.quick and arguments.results != parser.get_default("results"):
        parser.error("--results is for --quick: a full run writes where its raw output is kept")
    for name in arguments.names:
        if name not in EXPERIMENTS:
            parser.error(f"there is no experiment '{name}': {', '.join(EXPERIMENTS)}")
    failed = []
    for name in arguments.names or EXPERIMENTS:
        script, of_cohort = EXPERIMENTS[name]
        command = [sys.executable, "-B", HERE / script, "--program", arguments.program.resolve()]
        if arguments.quick:
            command += ["--quick", "--results", arguments.results.resolve() / name]
        if of_cohort and arguments.iwpc:
            command += ["--iwpc", arguments.iwpc.resolve()]
        print(f"# {name}\n", flush=True)
        started = time.monotonic()
        done = subprocess.run(command, check=False)
        print(f"\n{name}: {'done' if done.returncode == 0 else 'failed'}, {time.monotonic() - started:.0f} s\n", flush=True)
        if done.returncode != 0:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
