#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the result tables of README.md here and of docs/results.md from the raw output in results/.

experiments/peers/.venv/bin/python experiments/parity/report.py           rewrites what is between the markers
experiments/peers/.venv/bin/python experiments/parity/report.py --check   exits 1 if that would change anything
"""

import argparse
import csv
import json
import math
import re
import statistics
import sys
from pathlib import Path

import accuracy

HERE = Path(__file__).resolve().parent
NOT_RUN = "*Not run yet.*"


def table(header, rows):
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def machine_line(path):
    machine = json.loads(path.read_text())
    return f"PyTorch {machine['pytorch']} ({machine['pytorch_simd']}), one thread, on {machine['cpu']}."


def steps_text(results):
    path = results / "steps.csv"
    if not path.exists():
        return NOT_RUN
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cases = list(dict.fromkeys(row["case"] for row in rows))
    datasets = list(dict.fromkeys(row["dataset"] for row in rows))
    cell = {(row["case"], row["dataset"]): row for row in rows}

    def shown(case, dataset):
        row = cell.get((case, dataset))
        if row is None:
            return "-"
        if row["passed"] == "edge":
            return f"{row['beyond_edges']} beyond {row['edges']} edge{'s' if row['edges'] != '1' else ''}"
        return row["worst"] + ("" if row["passed"] == "yes" else " **missed**")

    count = {verdict: sum(row["passed"] == verdict for row in rows) for verdict in ("yes", "edge", "no")}
    lines = [
        table(["largest relative difference", *datasets], [[c, *(shown(c, d) for d in datasets)] for c in cases]),
        "",
        f"{count['yes']} of {len(rows)} runs are within 1e-4 at every one of their {rows[0]['steps']} steps,"
        f" {count['edge']} after crossing edges, {count['no']} missed.",
    ]
    if count["edge"]:
        edges = [row for row in rows if row["passed"] == "edge"]
        lines[-1] += (
            f" The edges were at most {max(float(row['distance']) for row in edges):.0e} away; without crossing them"
            f" those runs differ by up to {max(float(row['worst']) for row in edges):.1e}."
        )

    def spread(name):
        apart = [float(row[name]) for row in rows]
        beyond = sum(one > 1e-4 for one in apart)
        return f"median {statistics.median(apart):.1e}, largest {max(apart):.1e}, {beyond} beyond 1e-4"

    lines += [
        "",
        f"With no edge crossed, over the {len(rows)} runs: polyrx against PyTorch in float32 {spread('worst')};"
        f" polyrx against PyTorch in float64 {spread('exact')};"
        f" PyTorch in float32 against PyTorch in float64 {spread('rounding')}.",
    ]
    return "\n".join([*lines, "", machine_line(results / "steps_machine.json")])


def percent(share, digits=2, sign=""):
    return f"{100 * share:{sign}.{digits}f}"


def accuracy_text(results):
    path = results / "accuracy.csv"
    if not path.exists():
        return NOT_RUN
    runs = accuracy.read_rows(path)
    started = accuracy.read_rows(results / "accuracy_started.csv")
    rows = []
    for line in accuracy.summarise(runs):
        if "accuracy" not in line:
            rows.append([line["dataset"], line["pairs"], *["-"] * 9, "**missing**"])
            continue
        a, r, s = line["accuracy"], line["regret"], line["seconds"]
        rows.append(
            [
                line["dataset"],
                line["pairs"],
                percent(a["ours"]),
                percent(a["theirs"]),
                percent(a["difference"], sign="+"),
            ]
            + [percent(a["error"]), "inf" if math.isinf(a["ratio"]) else f"{a['ratio']:.2f}"]
            + [f"{r['ours']:.4f}", f"{r['theirs']:.4f}", f"{s['polyrx']:.2f}", f"{s['pytorch']:.2f}"]
            + ["yes" if line["passed"] else "**missed**"]
        )
    header = ["", "pairs", "polyrx %", "PyTorch %", "difference", "SE", "\\|d\\|/SE", "regret polyrx", "regret PyTorch"]
    failed = sum(row["status"] != "ok" for row in runs)
    return "\n".join(
        [
            table([*header, "s polyrx", "s PyTorch", "within 3 SE"], rows),
            "",
            f"{len(started)} runs were started, {len(runs) - failed} ended well, {failed} failed,"
            f" {len(started) - len(runs)} were cut off.",
            "",
            machine_line(results / "accuracy_machine.json") + " Two runs at a time, so the seconds are no benchmark.",
        ]
    )


# Table 2 of the paper, row P-ReLU.
PRINTED = {"D1": "84.47", "D2": "66.72", "D3": "100", "D4": "93.75", "D5": "88.80", "D6": "87.08"}


def results_page_text(results):
    """The accuracies alone, for the README at the root."""
    path = results / "accuracy.csv"
    if not path.exists():
        return NOT_RUN
    lines = [line for line in accuracy.summarise(accuracy.read_rows(path)) if "accuracy" in line]

    def row(name, system):
        return [name, *(percent(line["accuracy"][system], digits=1) for line in lines)]

    return table(
        ["accuracy, %, mean of thirty datasets", *(line["dataset"] for line in lines)],
        [
            row("polyrx `--recipe paper`", "ours"),
            row("the same recipe in PyTorch", "theirs"),
            ["as printed in the paper", *(PRINTED[line["dataset"]] for line in lines)],
        ],
    )


def filled(text, name, content):
    pattern = re.compile(rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"report.py: the page has no markers for {name}")
    return pattern.sub(lambda match: match[1] + content + "\n" + match[2], text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--readme", type=Path, default=HERE / "README.md")
    parser.add_argument("--results-page", type=Path, default=HERE.parents[1] / "docs/results.md")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if the tables are not those of the results"
    )
    options = parser.parse_args()
    before = options.readme.read_text(encoding="utf-8")
    after = filled(before, "steps", steps_text(options.results))
    after = filled(after, "accuracy", accuracy_text(options.results))
    page_before = options.results_page.read_text(encoding="utf-8")
    page_after = filled(page_before, "accuracy", results_page_text(options.results))
    if options.check:
        return 0 if (after, page_after) == (before, page_before) else 1
    options.readme.write_text(after, encoding="utf-8")
    options.results_page.write_text(page_after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
