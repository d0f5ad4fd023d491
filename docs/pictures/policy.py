#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/policy.svg: what a policy learned from the simulated clinic prescribes, and what is truly best.

    python3 docs/pictures/policy.py build/release/polyrx docs/pictures/policy.svg

Runs the program to simulate the cohort, to fit and to prescribe over a grid of patients. The dashed lines come from the
cohort's formula (docs/simulate.md), which is first checked here against the truth of every complete simulated row.
"""

import csv
import html
import pathlib
import subprocess
import sys
import tempfile

DOSES = ["5 mg", "10 mg", "20 mg"]
FILL = {"5 mg": "#fbe3a4", "10 mg": "#7fb9d4", "20 mg": "#1d4e7e"}
INK = {"5 mg": "#4a3b00", "10 mg": "#06283a", "20 mg": "#ffffff"}
PANELS = ["poor", "intermediate", "normal"]
EFFECT = {"poor": -1.2, "intermediate": -0.3, "normal": 0.2}
PATIENT = dict(age=60, sex="F", smoker="false", diabetes="false", systolic_bp=130, alt=25, pain_at_start=6)
WEIGHTS = [50 + i for i in range(71)]  # kg
EGFRS = list(range(30, 111))  # mL/min/1.73m², in whole numbers as the schema has it
SHOWN_PATIENTS = 260  # dots in a panel at most


def ideal_doublings(row):
    """The dose that suits a patient, in doublings of 5 mg (docs/simulate.md)."""
    ideal = (
        1.3
        + 0.03 * (float(row["weight"]) - 78)
        + (0.5 if row["smoker"] == "true" else 0)
        - 0.04 * max(0.0, 75 - float(row["egfr"]))
        - 0.01 * max(0.0, float(row["alt"]) - 50)
        - 0.03 * max(0.0, float(row["age"]) - 70)
        + EFFECT[row["metabolizer"]]
    )
    return min(max(ideal, -0.5), 2.5)


# Too little costs 8 points a doubling and too much 10, so the better of two neighbors changes 10/18 of the way.
THRESHOLDS = [10 / 18, 1 + 10 / 18]


def best_dose(row):
    return DOSES[sum(ideal_doublings(row) > threshold for threshold in THRESHOLDS)]


def best_weight(egfr, panel, threshold):
    """The weight at which the best dose changes, for the patient of the picture."""
    return 78 + (threshold - 1.3 - EFFECT[panel] + 0.04 * max(0.0, 75 - egfr)) / 0.03


def check_formula(rows):
    wrong = 0
    checked = 0
    for row in rows:
        if "NA" in row.values():
            continue
        checked += 1
        truth = [float(row[f"y{k}"]) for k in range(3)]
        wrong += truth[DOSES.index(best_dose(row))] > min(truth) + 0.011  # the file has two decimals
    if wrong or not checked:
        sys.exit(f"the formula is wrong for {wrong} of {checked} rows")


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True)


def learn_and_ask(program, folder):
    """Prescriptions and expected outcomes on the grid, by (panel, egfr); and the cohort."""
    run(program, "simulate", "clinic", "-n", 4000, "--seed", 1, "--truth", "-o", folder / "cohort.csv", "--schema",
        folder / "schema.json", "-q")
    with open(folder / "cohort.csv", newline="", encoding="utf-8") as file:
        cohort = list(csv.DictReader(file))
    check_formula(cohort)
    run(program, "fit", folder / "cohort.csv", "--schema", folder / "schema.json", "--treatment", "treatment",
        "--outcome", "outcome", "--seed", 1, "-o", folder / "model.json", "-q")
    with open(folder / "grid.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*PATIENT, "metabolizer", "egfr", "weight"])
        for panel in PANELS:
            for egfr in EGFRS:
                for weight in WEIGHTS:
                    writer.writerow([*PATIENT.values(), panel, egfr, weight])
    run(program, "prescribe", folder / "model.json", folder / "grid.csv", "--outcomes", "-o", folder / "answer.csv",
        "-q")
    with open(folder / "answer.csv", newline="", encoding="utf-8") as file:
        answers = iter(list(csv.DictReader(file)))
    lines = {}
    for panel in PANELS:
        for egfr in EGFRS:
            lines[panel, egfr] = [next(answers) for _ in WEIGHTS]
    return lines, cohort


def runs_of(line):
    """One grid line as [(dose, from, to)], with the changes interpolated between grid points."""
    runs = []
    start = float(WEIGHTS[0])
    for i in range(1, len(line)):
        before, after = line[i - 1]["prescription"], line[i]["prescription"]
        if before == after:
            continue
        gap = [float(line[j][f"outcome_{before}"]) - float(line[j][f"outcome_{after}"]) for j in (i - 1, i)]
        change = WEIGHTS[i - 1] + (WEIGHTS[i] - WEIGHTS[i - 1]) * gap[0] / (gap[0] - gap[1])
        runs.append((before, start, change))
        start = change
    runs.append((line[-1]["prescription"], start, float(WEIGHTS[-1])))
    return runs


def regions(lines, panel):
    """Polygons (dose, points) in weight and eGFR: grid lines with the same sequence of doses are joined."""
    blocks = []
    for egfr in EGFRS:
        runs = runs_of(lines[panel, egfr])
        if blocks and [r[0] for r in blocks[-1][-1][1]] == [r[0] for r in runs]:
            blocks[-1].append((egfr, runs))
        else:
            blocks.append([(egfr, runs)])
    for number, block in enumerate(blocks):
        # Two blocks meet half-way between their grid lines.
        low = block[0][0] - (0.5 if number > 0 else 0)
        high = block[-1][0] + (0.5 if number + 1 < len(blocks) else 0)
        rows = [(low, block[0][1]), *block, (high, block[-1][1])]
        for i, (dose, _, _) in enumerate(block[0][1]):
            left = [(runs[i][1], egfr) for egfr, runs in rows]
            right = [(runs[i][2], egfr) for egfr, runs in rows]
            yield dose, left + right[::-1]


class Frame:
    """One panel's place on the page."""

    width, height, top = 252, 270, 112

    def __init__(self, number):
        self.left = 74 + number * (self.width + 28)

    def x(self, weight):
        return self.left + (weight - WEIGHTS[0]) / (WEIGHTS[-1] - WEIGHTS[0]) * self.width

    def y(self, egfr):
        return self.top + (EGFRS[-1] - egfr) / (EGFRS[-1] - EGFRS[0]) * self.height

    def path(self, points):
        return "L".join(f"{self.x(w):.1f} {self.y(e):.1f}" for w, e in without_midpoints(points))


def without_midpoints(points):
    """Leaves out points that lie on the line between their neighbors."""
    kept = []
    for point in points:
        while len(kept) >= 2:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            if abs((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) > 0.02:
                break
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return kept


def text(x, y, words, size=13, anchor="start", fill="#222222", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{extra}>'
            f"{html.escape(words)}</text>")


def label_places(lines, panel, frame):
    """For each dose, the point with most room around it: inside the panel, one dose only, no dashed line."""
    dose_at = {(w, e): cell["prescription"] for e in EGFRS for w, cell in zip(WEIGHTS, lines[panel, e], strict=True)}
    side_of = {(w, e): [w > best_weight(e, panel, threshold) for threshold in THRESHOLDS] for w, e in dose_at}
    kilo, unit = frame.x(1) - frame.x(0), frame.y(0) - frame.y(1)  # pixels

    def is_free(weight, egfr, room):
        wide, high = round(26 * room / kilo), round(10 * room / unit)
        around = [(weight + i, egfr + j) for i in range(-wide, wide + 1, 2) for j in range(-high, high + 1, 2)]
        return all(
            dose_at.get(point) == dose_at[weight, egfr] and side_of[point] == side_of[weight, egfr] for point in around
        )

    roomiest = {}
    for weight, egfr in dose_at:
        room = 1.0
        while is_free(weight, egfr, room):
            room += 0.1
        if room > roomiest.get(dose_at[weight, egfr], (1.0,))[0]:
            roomiest[dose_at[weight, egfr]] = (room, weight, egfr)
    return {dose: (weight, egfr) for dose, (_, weight, egfr) in roomiest.items()}


def panel_svg(number, lines, cohort):
    panel = PANELS[number]
    frame = Frame(number)
    bottom = frame.top + frame.height
    polygons = list(regions(lines, panel))
    out = [text(frame.left, frame.top - 10, f"{panel} metabolizer", 14, extra=' font-weight="bold"')]
    out.append(f'<clipPath id="panel{number}"><rect x="{frame.left}" y="{frame.top}" width="{frame.width}" '
               f'height="{frame.height}"/></clipPath><g clip-path="url(#panel{number})">')
    for dose, points in polygons:
        out.append(f'<path d="M{frame.path(points)}Z" fill="{FILL[dose]}" stroke="{FILL[dose]}" stroke-width="0.6"/>')
    dots = []
    for row in cohort:
        if row["metabolizer"] != panel or row["egfr"] == "NA" or len(dots) == SHOWN_PATIENTS:
            continue
        weight, egfr = float(row["weight"]), float(row["egfr"])
        if WEIGHTS[0] <= weight <= WEIGHTS[-1] and EGFRS[0] <= egfr <= EGFRS[-1]:
            dots.append(f"M{frame.x(weight):.1f} {frame.y(egfr):.1f}h0")
    out.append(f'<path d="{"".join(dots)}" stroke="#000000" stroke-opacity="0.32" stroke-width="2.4" '
               'stroke-linecap="round" fill="none"/>')
    for threshold in THRESHOLDS:
        points = [(best_weight(egfr, panel, threshold), egfr) for egfr in (EGFRS[0], 75, EGFRS[-1])]
        path = frame.path(points)
        out.append(f'<path d="M{path}" fill="none" stroke="#ffffff" stroke-width="4" stroke-opacity="0.75"/>')
        out.append(f'<path d="M{path}" fill="none" stroke="#b3261e" stroke-width="2" stroke-dasharray="7 4"/>')
    for dose, (weight, egfr) in label_places(lines, panel, frame).items():
        out.append(text(frame.x(weight), frame.y(egfr) + 6, dose, 17, "middle", INK[dose],
                        f' font-weight="bold" stroke="{FILL[dose]}" stroke-width="5" paint-order="stroke" '
                        'stroke-linejoin="round"'))
    out.append("</g>")
    out.append(f'<rect x="{frame.left}" y="{frame.top}" width="{frame.width}" height="{frame.height}" fill="none" '
               'stroke="#666666"/>')
    for weight in range(60, 121, 20):
        out.append(f'<path d="M{frame.x(weight):.1f} {bottom}v5" stroke="#666666"/>')
        out.append(text(frame.x(weight), bottom + 19, str(weight), 12, "middle", "#444444"))
    for egfr in range(40, 111, 20):
        out.append(f'<path d="M{frame.left} {frame.y(egfr):.1f}h-5" stroke="#666666"/>')
        if number == 0:
            out.append(text(frame.left - 9, frame.y(egfr) + 4, str(egfr), 12, "end", "#444444"))
    if number == 1:
        out.append(text(frame.left + frame.width / 2, bottom + 40, "body weight (kg)", 13, "middle"))
    return "\n".join(out)


def picture(lines, cohort):
    width, height = 912, 478
    middle = Frame.top + Frame.height / 2
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" role="img" aria-labelledby="title">',
        "<!-- python3 docs/pictures/policy.py build/release/polyrx docs/pictures/policy.svg -->",
        '<title id="title">Prescribed dose by body weight, kidney function and metabolizer type</title>',
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>',
        text(20, 34, "Which dose for whom: a policy learned from 4,000 simulated patients", 19,
             extra=' font-weight="bold"'),
        text(20, 57, "Color: the dose that the policy prescribes to a woman of 60 (non-smoker, no diabetes, "
             "blood pressure 130, ALT 25, pain 6).", 13, fill="#444444"),
        *(panel_svg(number, lines, cohort) for number in range(len(PANELS))),
        text(0, 0, "kidney function: eGFR (mL/min/1.73 m²)", 13, "middle",
             extra=f' transform="translate(27 {middle}) rotate(-90)"'),
        f'<path d="M74 {height - 26}h34" stroke="#b3261e" stroke-width="2" stroke-dasharray="7 4"/>',
        text(116, height - 22, "where the truly best dose changes: known, since the data are simulated", 12.5),
        f'<path d="M636 {height - 26}h0" stroke="#000000" stroke-opacity="0.45" stroke-width="5" '
        'stroke-linecap="round"/>',
        text(646, height - 22, "some of the patients it learned from", 12.5),
        "</svg>",
        "",
    ])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: policy.py POLYRX PICTURE.svg")
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        lines, cohort = learn_and_ask(program, pathlib.Path(folder))
    pathlib.Path(sys.argv[2]).write_text(picture(lines, cohort), encoding="utf-8")


if __name__ == "__main__":
    main()
