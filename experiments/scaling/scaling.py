#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of polyrx's verbs against rows, features, treatments and neurons, one of them varied at a time.

    scaling.py [--program build/release/polyrx]     # results/scaling.csv, two figures and the tables; run it on an idle machine
    scaling.py --table                              # only the tables, from results/scaling.csv
    scaling.py --quick --results FOLDER             # seconds

Each command is a process of its own with one thread and a time limit; its peak memory is what the kernel says of it (wait4). Commands
run one after the other whatever --jobs says, since they are timed.
"""

import importlib.util
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from figures import figure, plain_logarithmic  # noqa: E402
from laboratory import ROLES, Results, beside_readme, copy_of, parser_of  # noqa: E402

MIDDLE = {"rows": 10_000, "features": 20, "treatments": 3, "width": 100}
AXES = {"rows": [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000], "features": [5, 10, 20, 50, 100, 200],
        "treatments": [2, 3, 5, 10, 20, 50], "width": [10, 25, 50, 100, 200, 400]}
NEURONS = [2, 4, 8, 12, 16, 20, 24, 28]  # of one hidden layer, for exact trees, which networks of the middle point do not have
QUICK = {"rows": [200, 400], "features": [5], "treatments": [2], "width": [5]}
LAYERS = 3
EPOCHS = 5  # of the fits that are timed, the same for every cell, so that work is: the recipes' own number depends on the rows
REPETITIONS = 3
LIMIT = 120.0  # seconds of one command
LONG_REPETITIONS, LONG_LIMIT = 1, 900.0  # of auto, and the limit of models that are not timed
HOUR, MEMORY = 3600.0, 15_000.0  # in seconds and MB: where a command is said to be out of reach
SEED = 1
CHUNK = 20_000  # rows in memory while a file is written
FEW = 1_000_000  # numbers that Python draws by itself
FIELDS = ["axis", "value", "command", "repetition", "ended", "seconds", "megabytes", "leaves"]

AUTO, EXACT = "fit auto", "exact tree"
# Policies as the paper has them.
ALONE = ["--beyond-support", "extrapolate", "--no-recommendation"]
COMMANDS = {"fit fast": ["fit", "data.csv", *ROLES, "--recipe", "fast", *ALONE, "-o", "fast.json"],
            "fit paper": ["fit", "data.csv", *ROLES, "--recipe", "paper", *ALONE, "-o", "paper.json"],
            "prescribe": ["prescribe", "model.json", "data.csv", "-o", "prescriptions.csv"],
            "tree": ["tree", "model.json", "--data", "data.csv", "--mode", "supported", "-o", "tree.json"],
            AUTO: ["fit", "data.csv", *ROLES, *ALONE, "-o", "auto.json"],
            EXACT: ["tree", "model.json", "--mode", "exact", "-o", "tree.json"]}
MODEL = ["fit", "data.csv", *ROLES, "--recipe", "fast", *ALONE, "-o", "model.json"]  # of prescribe and both trees; not timed
QUICK_AUTO = ["--candidates", "2", "--folds", "2", "--averaged", "2", "--epochs", "2"]


def commands_of(axis):
    """auto chooses the neurons itself, and takes long: it is varied by rows only."""
    return [EXACT] if axis == "neurons" else [name for name in COMMANDS if name != EXACT and (name != AUTO or axis == "rows")]


def write_data(path, rows, features, treatments):
    """Normal features, treatments by chance, effects that bend where features change sign. Its numbers are numpy's where there is one,
    since a million rows take a minute without; which treatment is right plays no part here."""
    if rows * features >= FEW and importlib.util.find_spec("numpy"):  # for few, loading it takes longer than it saves
        import numpy
        source = numpy.random.default_rng(SEED)
        draw = lambda count: source.standard_normal((count, features + 1)).tolist()  # noqa: E731
    else:
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
        # Killed, and not by the alarm: by the kernel, which had no memory left. Or the program was refused some, and says so.
        if process.returncode == -9 or "not enough memory" in words or "too large for the memory" in words:
            return "out of memory", seconds, megabytes
        if "grows beyond" in words or "--max-" in words:
            return "gave up", seconds, megabytes
        raise RuntimeError(f"{command}: exit {process.returncode}\n{words}")


def leaves_of(path):
    """From its first lines: all of a large tree would count as memory of the commands that are started afterwards."""
    with open(path, encoding="utf-8") as file:
        return re.search(r'"leaves": (\d+)', file.read(400))[1]


def repetitions_of(command):
    return LONG_REPETITIONS if command == AUTO else REPETITIONS


def is_finished(results, axis, value, command):
    """All repetitions, or one that did not end well."""
    ends = [row["ended"] for row in results.where(axis=axis, value=value, command=command)]
    return len(ends) >= repetitions_of(command) or any(ended != "done" for ended in ends)


def run_cell(program, axis, value, commands, results, quick):
    cell = MIDDLE | ({} if axis == "neurons" else {axis: value})
    hidden = ["--hidden", str(value) if axis == "neurons" else f"{LAYERS}x{cell['width']}"]
    usual = ["--threads", "1", "-q"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # By another process: the kernel counts what this one has in memory when it starts a command as the command's own.
        subprocess.run([sys.executable, __file__, "--write", str(folder / "data.csv"), str(cell["rows"]), str(cell["features"]),
                        str(cell["treatments"])], check=True)
        if any("model.json" in COMMANDS[command] for command in commands):
            measured([program, *MODEL, *hidden, *usual], folder, LONG_LIMIT)
        for command in commands:
            words = COMMANDS[command]
            here = {"axis": axis, "value": value, "command": command}
            if "model.json" in words and not (folder / "model.json").exists():
                results.add(**here, repetition=1, ended="no model")
                continue
            options = (QUICK_AUTO if quick else []) if command == AUTO else [*hidden, "--epochs", str(EPOCHS)] if words[0] == "fit" else []
            for repetition in range(1, repetitions_of(command) + 1):
                ended, seconds, megabytes = measured([program, *words, *options, *usual], folder, LONG_LIMIT if command == AUTO else LIMIT)
                leaves = leaves_of(folder / "tree.json") if words[0] == "tree" and ended == "done" else ""
                results.add(**here, repetition=repetition, ended=ended, seconds=f"{seconds:.4f}", megabytes=f"{megabytes:.1f}",
                            leaves=leaves)
                if ended != "done":
                    break
            print(f"{axis} {value}, {command}: {ended}, {seconds:.2f} s, {megabytes:.0f} MB", file=sys.stderr, flush=True)


def points(results, axis, command, field):
    """(value, least of the repetitions) of the cells that were done."""
    values = sorted({int(row["value"]) for row in results.where(axis=axis, command=command, ended="done")})
    return [(value, min(results.numbers(field, axis=axis, command=command, value=value, ended="done"))) for value in values]


def slope(pairs):
    """Of log against log, by least squares."""
    if len(pairs) < 2:
        return math.nan
    return statistics.linear_regression(*([math.log(pair[i]) for pair in pairs] for i in (0, 1))).slope


def cells_of(results, axis, command, field):
    """A text for each value of the axis: the number, or how it ended."""
    done = dict(points(results, axis, command, field))
    texts = []
    for value in sorted({int(row["value"]) for row in results.where(axis=axis)}):
        ends = [row["ended"] for row in results.where(axis=axis, command=command, value=value) if row["ended"] != "done"]
        number = done.get(value, math.nan)
        texts.append(ends[0] if ends else "" if math.isnan(number) else f"{number:,.0f}" if number >= 100 or field == "leaves" else
                     f"{number:.3g}")
    return texts


def print_table(results, axis, field, title):
    values = sorted({int(row["value"]) for row in results.where(axis=axis)})
    if not values:
        return
    print(f"{title} against {axis}:\n\n| | {' | '.join(f'{value:,}' for value in values)} | slope | of the last three |")
    print("|---|" + "---|" * (len(values) + 2))
    for command in commands_of(axis):
        done = points(results, axis, command, field)
        slopes = [f"{round(each, 2) + 0.0:.2f}" if math.isfinite(each) else "" for each in (slope(done), slope(done[-3:]))]
        print(f"| {command} | {' | '.join(cells_of(results, axis, command, field))} | {' | '.join(slopes)} |")
    print()


def rows_at(pairs, bound):
    """With how many rows the slope of the last three points would lead there. None where that is not to be said."""
    steepness = slope(pairs[-3:])
    if not steepness > 0.05:  # flat, or not a number
        return None
    exponent = math.log10(pairs[-1][0]) + math.log10(bound / pairs[-1][1]) / steepness
    return float(f"{10**exponent:.1e}") if exponent < 12 else None


def print_reach(results):
    """What breaks first."""
    bounds = {"one hour": ("seconds", HOUR), f"{MEMORY / 1000:.0f} GB": ("megabytes", MEMORY)}
    reached = {(command, name): rows_at(points(results, "rows", command, field), bound)
               for command in commands_of("rows") for name, (field, bound) in bounds.items()}
    if not any(reached.values()):
        return
    print(f"Rows at which a command would take {' or '.join(bounds)}, were its last three points to go on as they do:\n")
    print(f"| | {' | '.join(bounds)} |\n|---|" + "---|" * len(bounds))
    for command in commands_of("rows"):
        texts = [f"{reached[command, name]:,.0f}" if reached[command, name] else "not to be said" for name in bounds]
        print(f"| {command} | {' | '.join(texts)} |")
    command, name = min((each for each in reached if reached[each]), key=reached.get)
    print(f"\nFirst of all, {command} would take {name}, with about {reached[command, name]:,.0f} rows.\n")


def print_exact_trees(results):
    values = sorted({int(row["value"]) for row in results.where(axis="neurons")})
    if not values:
        return
    print(f"Exact trees against the neurons of one hidden layer:\n\n| | {' | '.join(map(str, values))} |\n|---|" + "---|" * len(values))
    for field, title in (("leaves", "leaves"), ("seconds", "seconds"), ("megabytes", "peak memory in MB")):
        print(f"| {title} | {' | '.join(cells_of(results, 'neurons', EXACT, field))} |")


def print_tables(results):
    if not results.rows:
        print("Not run yet.")
        return
    for axis in AXES:
        print_table(results, axis, "seconds", "Seconds")
    for axis in AXES:
        print_table(results, axis, "megabytes", "Peak memory in MB")
    print_reach(results)
    print_exact_trees(results)


def draw(path, results, field, label):
    def panels(axes):
        for panel, axis in zip(axes, AXES, strict=True):
            for command in commands_of(axis):
                done = points(results, axis, command, field)
                panel.plot([value for value, _ in done], [number for _, number in done], label=command)
            panel.set(xscale="log", yscale="log", xlabel=f"neurons of each of {LAYERS} hidden layers" if axis == "width" else axis)
            values = sorted({int(row["value"]) for row in results.where(axis=axis)})
            shown = values[::2] if len(values) > 3 else values
            panel.set_xticks(shown, [f"{value:,}" for value in shown])
            panel.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
            plain_logarithmic(panel.yaxis)
        for panel in axes[::2]:
            panel.set_ylabel(label)
        handles, names = axes[0].get_legend_handles_labels()
        axes[0].figure.legend(handles, names, loc="outside upper center", ncols=len(names))

    return figure(path, len(AXES), panels, width=3.5, height=2.9, columns=2)


def main():
    if sys.argv[1:2] == ["--write"]:
        return write_data(sys.argv[2], *map(int, sys.argv[3:6]))
    arguments = parser_of(__file__, __doc__).parse_args()
    results = Results(arguments.results / "scaling.csv", FIELDS, ["axis", "value", "command", "repetition"])
    if not arguments.table:
        cells = [(axis, value) for axis, values in (QUICK if arguments.quick else AXES).items() for value in values]
        cells += [("neurons", value) for value in (NEURONS[:2] if arguments.quick else NEURONS)]
        if arguments.quick:
            MIDDLE.update(rows=400, width=10)
        for axis, value in cells:
            commands = [command for command in commands_of(axis) if not is_finished(results, axis, value, command)]
            if commands:
                results.rows = [row for row in results.rows if (row["axis"], row["value"]) != (axis, str(value))
                                or row["command"] not in commands]  # some of the repetitions are none
                run_cell(copy_of(arguments.program.resolve()), axis, value, commands, results, arguments.quick)
    print_tables(results)
    if results.rows and not arguments.table:
        folder = beside_readme(arguments, __file__)
        draw(folder / "scaling.svg", results, "seconds", "seconds, one thread")
        draw(folder / "memory.svg", results, "megabytes", "peak memory, MB")
    return None


if __name__ == "__main__":
    main()
