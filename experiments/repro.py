#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments that reproduce the paper, one after the other.

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
# By name: the scripts, each of which takes --quick, --program and --results; those in the second list take --iwpc too.
EXPERIMENTS = {
    "toy": [["toy/toy.py"], []],
    "simulated": [["simulated/table2.py"], []],
    "warfarin": [[], ["warfarin/accuracy.py"]],
    "warfarin_tree": [[], ["warfarin_tree/warfarin_tree.py"]],
    "partitions": [[], ["partitions/partitions.py"]],
    "runtime": [[], ["runtime/runtime.py"]],
    "scaling": [["scaling/scaling.py"], []],
    "mu": [["mu/mu.py"], []],
    "many_treatments": [["many_treatments/many_treatments.py"], []],
    "big_m": [[], ["big_m/big_m.py"]],
    "pruning": [["pruning/pruning.py"], []],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join(EXPERIMENTS)}")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "polyrx")
    parser.add_argument("--iwpc", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "repro", help="where --quick writes; a folder for each experiment")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in EXPERIMENTS:
            parser.error(f"there is no experiment '{name}': {', '.join(EXPERIMENTS)}")
    failed = []
    for name in arguments.names or EXPERIMENTS:
        without, with_cohort = EXPERIMENTS[name]
        for script in [*without, *with_cohort]:
            command = [sys.executable, "-B", HERE / script, "--program", arguments.program.resolve()]
            if arguments.quick:
                command += ["--quick", "--results", arguments.results.resolve() / name]
            if script in with_cohort and arguments.iwpc:
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
