#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of polyrx_bench on a machine that does other work too: runs them in turn, in alternating order, and
judges by the ratio within each pair.

    python3 bench/compare.py BEFORE AFTER [--filter REGEX] [--pairs N]
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import tempfile


def cpu_times(program, chosen):
    """The least CPU time of each chosen benchmark, in its own unit."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        settings = ["--benchmark_repetitions=3", "--benchmark_min_time=0.05", "--benchmark_out_format=json"]
        subprocess.run([program, f"--benchmark_filter={chosen}", *settings, f"--benchmark_out={out}"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        least = {}
        for run in json.loads(out.read_text())["benchmarks"]:
            if run["run_type"] == "iteration":
                name = f"{run['name']}, {run['time_unit']}"
                least[name] = min(run["cpu_time"], least.get(name, run["cpu_time"]))
        return least


def main():
    """Prints one line per benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--filter", default=".")
    parser.add_argument("--pairs", type=int, default=14)
    options = parser.parse_args()

    times = collections.defaultdict(lambda: {"before": [], "after": []})
    for pair in range(options.pairs):
        for which in ("before", "after") if pair % 2 else ("after", "before"):
            for name, time in cpu_times(vars(options)[which], options.filter).items():
                times[name][which].append(time)
    print(f"{options.pairs} pairs; least CPU time of each build, and before / after within the pairs")
    print(f"{'':52}{'before':>9}{'after':>9}{'least':>8}{'median':>8}{'most':>8}  after is faster in")
    for name, runs in times.items():
        ratios = [before / after for before, after in zip(runs["before"], runs["after"])]
        faster = sum(ratio > 1 for ratio in ratios)
        print(f"{name:52}{min(runs['before']):9.2f}{min(runs['after']):9.2f}{min(ratios):8.2f}"
              f"{statistics.median(ratios):8.2f}{max(ratios):8.2f}  {faster} of {len(ratios)}")


if __name__ == "__main__":
    main()
