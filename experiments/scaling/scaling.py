#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of polyrx's verbs against rows, features, treatments and neurons, one of them varied at a time.

    scaling.py [--program build/release/polyrx]     # results/scaling.csv, scaling.svg and the tables; run it on an idle machine
    scaling.py --table                              # only the tables, from results/scaling.csv
    scaling.py --quick --results FOLDER             # seconds

Each command is a process of its own with one thread and a time limit; its peak memory is what the kernel says of it (wait4). Commands
run one after the other whatever --jobs says, since they are timed.
"""

import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from figures import figure  # noqa: E402
from laboratory import ROLES, Results, beside_readme, parser_of  # noqa: E402

MIDDLE = {"rows": 10_000, "features": 20, "treatments": 3, "width": 100}
AXES = {"rows": [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000], "features": [5, 10, 20, 50, 100, 200],
        "treatments": [2, 3, 5, 10, 20, 50], "width": [10, 25, 50, 100, 200, 400]}
NEURONS = [2, 4, 6, 8, 10, 12, 16, 20]  # of one hidden layer, for exact trees, which networks of the middle point do not have
QUICK = {"rows": [200, 400], "features": [5, 10], "treatments": [2, 3], "width": [5, 10]}
LAYERS = 3
EPOCHS = 5  # the same for every cell, so that work is: the recipes' own number depends on the rows
REPETITIONS = 3
LIMIT = 120.0  # seconds of one command
SEED = 1
CHUNK = 20_000  # rows in memory while a file is written
FEW = 1_000_000  # numbers that Python draws by itself

COMMANDS = {"fit fast": ["fit", "data.csv", *ROLES, "--recipe", "fast", "-o", "model.json"],
            "fit paper": ["fit", "data.csv", *ROLES, "--recipe", "paper", "-o", "paper.json"],
            "prescribe": ["prescribe", "model.json", "data.csv", "-o", "prescriptions.csv"],
            "tree": ["tree", "model.json", "--data", "data.csv", "--mode", "supported", "-o", "tree.json"]}
EXACT = {"fit fast": COMMANDS["fit fast"], "exact tree": ["tree", "model.json", "--mode", "exact", "-o", "tree.json"]}


def write_data(path, rows, features, treatments):
    """Normal features, treatments by chance, effects that bend where features change sign. Its numbers are numpy's where there is one,
    since a million rows take a minute without; which treatment is right plays no part here."""
    try:
        if rows * features < FEW:
            raise ImportError  # loading numpy takes longer than it saves
        import numpy
        source = numpy.random.default_rng(SEED)
        draw = lambda count: source.standard_normal((count, features + 1)).tolist()  # noqa: E731
    except ImportError:
        source = random.Random(SEED)
        draw = lambda count: [[source.gauss(0, 1) for _ in range(features + 1)] for _ in range(count)]  # noqa: E731
    chance = random.Random(SEED)
    row_format = "%.4f," * features + "%d,%.4f\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"x{j + 1}" for j in range(features)) + ",treatment,outcome\n")
        for begin in range(0, rows, CHUNK):
            lines = []
            for *x, noise in draw(min(CHUNK, rows - begin)):
                given = int(chance.random() * treatments)
                effect = abs(x[given % features]) + (given / treatments - 0.5) * x[(given + 1) % features]
                lines.append(row_format % (*x, given, x[0] * x[1] + effect + noise))
            file.writelines(lines)


def measured(command, folder, limit):
    """How it ended, seconds, and the peak of its memory in MB."""
    with open(folder / "said.txt", "w+", encoding="utf-8") as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)  # pylint: disable=consider-using-with
        alarm = threading.Timer(limit, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
        megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
        if process.returncode == 0:
            return "done", seconds, megabytes
        if seconds >= limit:
            return f"over {limit:.0f} s", seconds, megabytes
        said.seek(0)
        words = said.read().strip()
        if "grows beyond" in words or "--max-" in words:
            return "gave up", seconds, megabytes
        raise RuntimeError(f"{command}: exit {process.returncode}\n{words}")


def run_cell(program, axis, value, commands, results, limit):
    cell = MIDDLE | ({} if axis == "neurons" else {axis: value})
    hidden = str(value) if axis == "neurons" else f"{LAYERS}x{cell['width']}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # By another process: the kernel counts what this one has in memory when it starts a command as the command's own.
        subprocess.run([sys.executable, __file__, "--write", str(folder / "data.csv"), str(cell["rows"]), str(cell["features"]),
                        str(cell["treatments"])], check=True)
        for command, words in commands.items():
            fitting = ["--hidden", hidden, "--epochs", str(EPOCHS)] if words[0] == "fit" else []
            for repetition in range(1, REPETITIONS + 1):
                ended, seconds, megabytes = measured([program, *words, *fitting, "--threads", "1", "-q"], folder, limit)
                results.add(axis=axis, value=value, command=command, repetition=repetition, ended=ended, seconds=f"{seconds:.4f}",
                            megabytes=f"{megabytes:.1f}")
                if ended != "done":
                    break
            print(f"{axis} {value}, {command}: {ended}, {seconds:.2f} s, {megabytes:.0f} MB", file=sys.stderr, flush=True)
            if command == "fit fast" and ended != "done":  # the others need its model
                for other in list(commands)[1:]:
                    results.add(axis=axis, value=value, command=other, repetition=1, ended="no model", seconds="", megabytes="")
                return


def points(results, axis, command, field):
    """(value, least of the repetitions) of the cells that were done."""
    values = sorted({int(row["value"]) for row in results.where(axis=axis, command=command, ended="done")})
    return [(value, min(results.numbers(field, axis=axis, command=command, value=value, ended="done"))) for value in values]


def slope(pairs):
    """Of log against log, by least squares."""
    if len(pairs) < 2:
        return math.nan
    x, y = ([math.log(pair[i]) for pair in pairs] for i in (0, 1))
    middle = sum(x) / len(x)
    return sum((a - middle) * b for a, b in zip(x, y)) / sum((a - middle) ** 2 for a in x)


def print_table(results, axis, commands, field, title):
    values = sorted({int(row["value"]) for row in results.where(axis=axis)})
    if not values:
        return
    print(f"{title} against {axis}:\n\n| | {' | '.join(f'{value:,}' for value in values)} | slope | of the last three |")
    print("|---|" + "---|" * (len(values) + 2))
    for command in commands:
        done = dict(points(results, axis, command, field))
        line = []
        for value in values:
            ended = [row["ended"] for row in results.where(axis=axis, command=command, value=value)]
            line.append(f"{done[value]:.3g}" if done.get(value, 100) < 100 else f"{done[value]:.0f}" if value in done else
                        ended[0] if ended else "")
        slopes = [f"{each:.2f}" if math.isfinite(each) else "" for each in (slope(list(done.items())), slope(list(done.items())[-3:]))]
        print(f"| {command} | {' | '.join(line)} | {' | '.join(slopes)} |")
    print()


def report(results, picture):
    for axis in AXES:
        print_table(results, axis, COMMANDS, "seconds", "Seconds")
    for axis in AXES:
        print_table(results, axis, COMMANDS, "megabytes", "Peak memory in MB")
    print_table(results, "neurons", EXACT, "seconds", "Exact trees of one hidden layer, seconds")

    def draw(panels):
        for axes, axis in zip(panels, AXES):
            for command in COMMANDS:
                done = points(results, axis, command, "seconds")
                axes.plot([value for value, _ in done], [seconds for _, seconds in done], label=f"{command} ({slope(done):.2f})")
            axes.set(xscale="log", yscale="log", xlabel=f"neurons of each of {LAYERS} hidden layers" if axis == "width" else axis)
            axes.set_xticks(AXES[axis][::2], [f"{value:,}" for value in AXES[axis][::2]])
            axes.minorticks_off()
            axes.legend(fontsize=8, title="slope over all points", title_fontsize=8)
        panels[0].set_ylabel("seconds, one thread")
    figure(picture, len(AXES), draw, width=3.4)


def main():
    if sys.argv[1:2] == ["--write"]:
        return write_data(sys.argv[2], *map(int, sys.argv[3:6]))
    arguments = parser_of(__file__, __doc__).parse_args()
    results = Results(arguments.results / "scaling.csv", ["axis", "value", "command", "repetition", "ended", "seconds", "megabytes"],
                      ["axis", "value", "command", "repetition"])
    if not arguments.table:
        cells = [(axis, value, COMMANDS) for axis, values in (QUICK if arguments.quick else AXES).items() for value in values]
        cells += [("neurons", value, EXACT) for value in (NEURONS[:2] if arguments.quick else NEURONS)]
        if arguments.quick:
            MIDDLE.update(rows=400, width=10)
        for axis, value, commands in cells:
            if not results.has(axis=axis, value=value, command=list(commands)[-1]):
                results.rows = [row for row in results.rows if (row["axis"], row["value"]) != (axis, str(value))]  # half a cell is none
                run_cell(arguments.program.resolve(), axis, value, commands, results, LIMIT)
    return report(results, beside_readme(arguments, __file__) / "scaling.svg")


if __name__ == "__main__":
    main()
