# SPDX-License-Identifier: Apache-2.0
"""The figure of Example 2: P1 under a rule, from the leaves of the tree that polyrx made. Polygons are exact fractions."""

import json
from fractions import Fraction

from figure1 import BOLD, FILL, INK, Frame, area, centre, clipped, polygon_of, text

P1 = [((Fraction(1), Fraction(-1)), Fraction(0)), ((Fraction(1), Fraction(1)), Fraction(-1, 2))]


class Part:
    """What a leaf has of P1, among the rows without missing values."""

    def __init__(self, polygon, leaf):
        self.polygon = polygon
        self.treatment = leaf["treatment"]
        self.ruled = bool(leaf.get("rules"))

    @property
    def name(self):
        return "F₁′" if self.treatment else "F₀′" if self.ruled else "F₀"


def parts_of(folder):
    """The parts of P1 with an area, in the tree's order."""
    nodes = json.loads((folder / "constrained_tree.json").read_text(encoding="utf-8"))["nodes"]
    parts, pending = [], [(0, polygon_of(P1))]
    while pending:
        index, polygon = pending.pop()
        node = nodes[index]
        if "split" not in node:
            parts.append(Part(polygon, node))
            continue
        weights = dict(node["split"])  # of x1, x2, and whether each is missing, which is 0 here
        function = (Fraction(weights.get(0, 0)), Fraction(weights.get(1, 0))), Fraction(node["constant"])
        opposite = tuple(-w for w in function[0]), -function[1]
        for child, side in ((node["no"], opposite), (node["yes"], function)):
            left = clipped(polygon, side)
            if len(left) > 2 and area(left) > 0:
                pending.append((child, left))
    return parts


def picture(folder):
    """The figure, from constrained_tree.json and rules.txt of a folder."""
    parts = parts_of(folder)
    rule = (folder / "rules.txt").read_text(encoding="utf-8").strip()
    width, height = 420, 440
    frame = Frame(60)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" role="img" aria-labelledby="title">',
        "<!-- python3 experiments/toy/toy.py build/release/polyrx -->",
        '<title id="title">The first piece under a rule: F0 as before, and F1 divided into F0′, where the rule applies, and '
        "the rest</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>',
        text(20, 34, "A rule in P₁: Example 2 of the paper", 19, extra=BOLD),
        text(20, 57, rule, 13, fill="#444444"),
        text(20, 78, "The leaves of its tree, as polyrx makes it.", 13, fill="#444444"),
    ]
    for part in parts:
        out.append(frame.polygon(part.polygon, FILL[part.treatment]))
    for part in parts:
        # Leaves that prescribe the same without a rule are one region of the paper: a thin line between them.
        out.append(frame.polygon(part.polygon, "none", "#333333", 1.4 if part.name != "F₁′" else 0.5))
    for name in ("F₀", "F₀′", "F₁′"):
        largest = max((part for part in parts if part.name == name), key=lambda part: area(part.polygon))
        x, y = frame.at(centre(largest.polygon))
        out.append(text(x, y + 6, name, 17, "middle", INK[largest.treatment], BOLD))
    return "\n".join([*out, *frame.axes(), "</svg>", ""])
