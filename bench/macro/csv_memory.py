#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a million rows x 25 columns through the program on one thread, and holds it to its targets:
100 MB of CSV per second of one core, and 1 GB of memory at the peak.

CPU time (user + system), the least of several runs, so that other work on the machine counts little; wc, cat and
Python's csv module on the same file in the same run say what the machine is worth at that moment.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET_SPEED = 100  # MB/s
TARGET_MEMORY = 1000  # MB


def measured(command, expected=0, repeats=3):
    """The least CPU seconds and the largest peak in MB over several runs of a command."""
    seconds, peaks = [], []
    for _ in range(repeats):
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            child = subprocess.Popen([str(part) for part in command], stdout=nowhere, stderr=nowhere)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != expected:
            sys.exit(f"exit {child.returncode}: {' '.join(map(str, command))}")
        seconds.append(usage.ru_utime + usage.ru_stime)
        peaks.append(usage.ru_maxrss * 1024 / 1e6)
    return min(seconds), max(peaks)


def main():
    """Prints one line per job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--polyrx", type=pathlib.Path, default=ROOT / "build/bench/polyrx")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    polyrx = options.polyrx

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data, sample, model = folder / "data.csv", folder / "sample.csv", folder / "model.json"
        roles = ["--treatment", "treatment", "--outcome", "outcome"]
        thread = ["--threads", "1"]
        small = ["--hidden", "20,20", "--epochs", "1"]
        simulate = [polyrx, "simulate", "1", "--truth", "-n", options.rows, "-o", data]
        simulated = measured(simulate, repeats=1)
        subprocess.run([polyrx, "simulate", "1", "-n", "2000", "-o", sample], check=True)
        subprocess.run([polyrx, "fit", sample, *roles, *small, "--quiet", "-o", model], check=True)
        size = data.stat().st_size / 1e6
        print(f"{options.rows:,} rows x 25 columns of numbers, {size:.0f} MB of CSV; least CPU time of {options.repeats}")
        print(f"{'':58}{'CPU s':>8}{'MB/s':>8}{'of 100':>8}{'peak MB':>9}{'of 1000':>9}")

        def line(what, result, targets=""):
            seconds, peak = result
            speed = size / max(seconds, 1e-3)
            of_speed = f"{speed / TARGET_SPEED:.2f}" if "speed" in targets else ""
            of_memory = f"{peak / TARGET_MEMORY:.2f}" if "memory" in targets else ""
            print(f"{what:58}{seconds:8.2f}{speed:8.0f}{of_speed:>8}{peak:9.0f}{of_memory:>9}", flush=True)

        # An outcome that is not there: found out once the whole file is in memory as a table, and nothing done with it.
        absent = ["--treatment", "treatment", "--outcome", "absent"]
        read_only = [polyrx, "fit", data, *absent, *thread, "-o", folder / "never.json"]
        prescribe = [polyrx, "prescribe", model, data, *thread, "-o", folder / "prescriptions.csv"]
        fit = [polyrx, "fit", data, *roles, "--hidden", "20", "--epochs", "1", *thread, "-o", folder / "fitted.json"]
        line("read only: fit ... --outcome absent (exit 3)", measured(read_only, 3, options.repeats), "speed memory")
        line("prescribe with a 2x20 model, reads 20 of the columns", measured(prescribe, 0, options.repeats), "speed memory")
        line("fit --hidden 20 --epochs 1, reads all", measured(fit, 0, 1), "memory")
        line("simulate 1 --truth, writes it (one run)", simulated)
        line("yardstick: cat FILE", measured(["cat", data], 0, options.repeats))
        line("yardstick: wc -l FILE", measured(["wc", "-l", data], 0, options.repeats))
        head = folder / "head.csv"
        with data.open("rb") as whole, head.open("wb") as part:
            for _ in range(options.rows // 10 + 1):
                part.write(whole.readline())
        size = head.stat().st_size / 1e6
        parse = "import csv, sys\nrows = csv.reader(open(sys.argv[1]))\nnext(rows)\nfor row in rows: list(map(float, row))"
        python = measured([sys.executable, "-c", parse, head], 0, 1)
        line("yardstick: Python's csv and float, a tenth of the rows", python)


if __name__ == "__main__":
    main()
