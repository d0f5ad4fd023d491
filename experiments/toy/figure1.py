# SPDX-License-Identifier: Apache-2.0
"""Figure 1 of the paper as SVG, from the model file and the regions that polyrx listed. Polygons are exact fractions."""

import html
import json
import math
from fractions import Fraction

SQUARE = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
PIECES = {"11": "P₁", "10": "P₂", "01": "P₃", "00": "P₄"}  # the paper names the first; the others are our count
ON = {"11": "both on", "10": "z₁ on", "01": "z₂ on", "00": "both off"}
PIECE_FILL = {"11": "#e6dff2", "10": "#f7e1d6", "01": "#dcebdd", "00": "#ececec"}
FILL = ["#fbe3a4", "#7fb9d4"]  # by treatment
INK = ["#4a3b00", "#06283a"]
RED, BLUE, GREY = "#b3261e", "#1d4e7e", "#666666"


# --- exact geometry


def exact(function, inputs=2):
    """(weights, constant) of an affine function in the program's JSON: doubles are fractions."""
    weights = [Fraction(0)] * inputs
    for place, weight in function["terms"]:
        weights[place] = Fraction(float(weight))
    return tuple(weights), Fraction(float(function["constant"]))


def value(function, point):
    weights, constant = function
    return sum(w * x for w, x in zip(weights, point, strict=True)) + constant


def clipped(polygon, function):
    """The part of a convex polygon where a function is 0 or more (Sutherland and Hodgman)."""
    kept = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        a, b = value(function, here), value(function, there)
        if a >= 0:
            kept.append(here)
        if a * b < 0:
            kept.append(tuple(p + (q - p) * a / (a - b) for p, q in zip(here, there, strict=True)))
    return kept


def polygon_of(inequalities):
    """The corners in [0, 1]² of a list of functions that are 0 or more."""
    polygon = SQUARE
    for inequality in inequalities:
        polygon = clipped(polygon, inequality)
    return polygon


def hull(points):
    """The corners of the smallest convex polygon around points: a piece is convex, so it is that of its regions."""
    def half(ordered):
        chain = []
        for point in ordered:
            while len(chain) > 1 and turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1])


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area(polygon):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)) / 2


def centre(polygon):
    """Of mass."""
    corners = list(zip(polygon, polygon[1:] + polygon[:1], strict=True))
    return tuple(
        sum((a[i] + b[i]) * (a[0] * b[1] - a[1] * b[0]) for a, b in corners) / (6 * area(polygon)) for i in range(2))


class Region:
    """A region as the program lists it."""

    def __init__(self, listed):
        self.pattern = listed["pattern"]
        self.treatment = int(listed["treatment"])
        self.inequalities = [exact(inequality) for inequality in listed["inequalities"]]
        self.outcomes = [exact(outcome) for outcome in listed["outcomes"]]
        self.polygon = polygon_of(self.inequalities)


def regions_of(folder):
    listed = json.loads((folder / "regions.json").read_text(encoding="utf-8"))["regions"]
    return [Region(region) for region in listed]


# --- words


def number(fraction):
    return f"{float(fraction):g}".replace("-", "−")


def sum_words(function, names=("x₁", "x₂")):
    """1.5x₁ + 2.5x₂ − 1"""
    weights, constant = function
    words = ""
    for coefficient, name in [*zip(weights, names, strict=True), (constant, "")]:
        if coefficient == 0:
            continue
        size = number(abs(coefficient)) if abs(coefficient) != 1 or not name else ""
        sign = "−" if coefficient < 0 else "+"
        words += f" {sign} {size}{name}" if words else f"{'−' if coefficient < 0 else ''}{size}{name}"
    return words or "0"


def inequality_words(function):
    """As the paper writes them: the constant stays on the left, the first coefficient is positive."""
    weights, constant = function
    first = next(w for w in weights if w != 0)
    if first > 0:
        return f"{sum_words(function)} ≥ 0"
    return f"{sum_words((tuple(-w for w in weights), -constant))} ≤ 0"


# --- drawing


def text(x, y, words, size=13, anchor="start", fill="#222222", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{extra}>'
            f"{html.escape(words)}</text>")


def patched(x, y, words, fill):
    """A number on an edge, which stops on both sides of it."""
    wide = 7 * len(words) + 6
    return (f'<rect x="{x - wide / 2:.1f}" y="{y - 9:.1f}" width="{wide}" height="18" rx="4" fill="#ffffff"/>'
            + text(x, y + 4.5, words, 13, "middle", fill))


BOLD = ' font-weight="bold"'


class Frame:
    """One panel's unit square on the page."""

    side, top = 250, 122

    def __init__(self, left):
        self.left = left

    def at(self, point):
        return self.left + float(point[0]) * self.side, self.top + (1 - float(point[1])) * self.side

    def path(self, points):
        return "L".join("{:.1f} {:.1f}".format(*self.at(point)) for point in points)

    def polygon(self, points, fill, stroke="none", width=0.0, extra=""):
        return f'<path d="M{self.path(points)}Z" fill="{fill}" stroke="{stroke}" stroke-width="{width}"{extra}/>'

    def beside(self, words, start, end, share, size=12):
        """Words over a line between two points of the square."""
        (ax, ay), (bx, by) = self.at(start), self.at(end)
        x, y = ax + share * (bx - ax), ay + share * (by - ay)
        slope = math.degrees(math.atan2(by - ay, bx - ax))
        return text(0, -6, words, size, "middle", "#222222", f' transform="translate({x:.1f} {y:.1f}) '
                    f'rotate({slope:.1f})"')

    def axes(self):
        bottom = self.top + self.side
        out = [f'<rect x="{self.left}" y="{self.top}" width="{self.side}" height="{self.side}" fill="none" '
               f'stroke="{GREY}"/>']
        for share, words in ((0, "0"), (0.5, "0.5"), (1, "1")):
            x, y = self.at((share, share))
            out.append(f'<path d="M{x:.1f} {bottom}v5M{self.left} {y:.1f}h-5" stroke="{GREY}"/>')
            out.append(text(x, bottom + 18, words, 12, "middle", "#444444"))
            out.append(text(self.left - 9, y + 4, words, 12, "end", "#444444"))
        out.append(text(self.left + 0.75 * self.side, bottom + 19, "x₁", 14, "middle"))
        out.append(text(self.left - 17, self.top + 0.25 * self.side + 5, "x₂", 14, "middle"))
        return out


def network_svg(layers, left):
    """The network with its weights on the edges and its biases beside the neurons."""
    columns = [left + 22, left + 128, left + 234]
    rows = [Frame.top + 62, Frame.top + 188]
    radius = 21
    out = []
    for layer, what in enumerate(layers):
        x0, x1 = columns[layer] + radius, columns[layer + 1] - radius
        for neuron, weights in enumerate(what["weights"]):
            for place, weight in enumerate(weights):
                y0, y1 = rows[place], rows[neuron]
                colour = BLUE if weight > 0 else RED
                out.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{colour}" stroke-width="{1 + abs(weight):.1f}"/>')
                share = 0.5 if place == neuron else 0.26
                out.append(patched(x0 + share * (x1 - x0), y0 + share * (y1 - y0), number(weight), colour))
    names = [["x₁", "x₂"], ["z₁", "z₂"], ["y₀", "y₁"]]
    fills = [["#ffffff"] * 2, ["#ffffff"] * 2, FILL]
    for column, x in enumerate(columns):
        for row, y in enumerate(rows):
            out.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fills[column][row]}" stroke="{GREY}" '
                       'stroke-width="1.4"/>')
            out.append(text(x, y + 5, names[column][row], 16, "middle"))
            if column > 0:
                bias = layers[column - 1]["bias"][row]
                over = y - radius - 9 if row == 0 else y + radius + 19
                out.append(text(x, over, f"bias {number(bias)}", 12, "middle", "#444444"))
    for x, words in zip(columns, ("features", "max(·, 0)", "outcomes"), strict=True):
        out.append(text(x, Frame.top + Frame.side + 18, words, 12, "middle", "#444444"))
    return out


def neurons_of(layer):
    """The affine functions of a layer's neurons, as exact() has them."""
    return [(tuple(map(Fraction, weights)), Fraction(bias))
            for weights, bias in zip(layer["weights"], layer["bias"], strict=True)]


def network_words(layers):
    """z₁ = max(x₁ − x₂, 0), and so on."""
    hidden, outcomes = map(neurons_of, layers)
    words = [f"z{'₁₂'[i]} = max({sum_words(neuron)}, 0)" for i, neuron in enumerate(hidden)]
    return words + [f"y{'₀₁'[k]} = {sum_words(outcome, ('z₁', 'z₂'))}" for k, outcome in enumerate(outcomes)]


def label_place(polygon, frame):
    """The centre, but far enough from the axis that a word fits in."""
    x, y = frame.at(centre(polygon))
    return max(x, frame.left + 25), y


def pieces_svg(pieces, layers, frame):
    out = []
    for pattern, polygon in pieces.items():
        out.append(frame.polygon(polygon, PIECE_FILL[pattern], "#333333", 1.2, ' stroke-linejoin="round"'))
    for pattern, polygon in pieces.items():
        x, y = label_place(polygon, frame)
        out.append(text(x, y, PIECES[pattern], 20, "middle", extra=BOLD))
        out.append(text(x, y + 14, ON[pattern], 11, "middle", "#444444"))
    first, second = (f"{sum_words(neuron)} = 0" for neuron in neurons_of(layers[0]))
    out.append(frame.beside(first, (0, 0), (1, 1), 0.74))
    out.append(frame.beside(second, (0, 0.5), (0.5, 0), 0.23, 10.5))
    return out + frame.axes()


def treatments_svg(regions, frame):
    out = []
    for region in regions:
        inside = region.pattern == "11"
        out.append(frame.polygon(region.polygon, FILL[region.treatment], extra="" if inside else ' fill-opacity="0.28"'))
    for region in regions:
        if region.pattern != "11":
            out.append(frame.polygon(region.polygon, "none", "#999999", 0.9, ' stroke-dasharray="3 3"'))
            x, y = label_place(region.polygon, frame)
            tie = region.outcomes[0] == region.outcomes[1]
            out.append(text(x, y + 4, "tie: 0" if tie else str(region.treatment), 13, "middle", "#888888"))
    for region in regions:
        if region.pattern != "11":
            continue
        out.append(frame.polygon(region.polygon, "none", "#333333", 1.4, ' stroke-linejoin="round"'))
        x, y = frame.at(centre(region.polygon))
        out.append(text(x, y + 7, f"F{'₀₁'[region.treatment]}", 20 if region.treatment else 17, "middle",
                        INK[region.treatment], BOLD))
    return out + frame.axes()


def picture(folder):
    """The figure, from model.json and regions.json of a folder."""
    layers = json.loads((folder / "model.json").read_text(encoding="utf-8"))["layers"]
    regions = regions_of(folder)
    pieces = {
        pattern: hull(point for region in regions if region.pattern == pattern for point in region.polygon)
        for pattern in PIECES
    }
    first = {region.treatment: region for region in regions if region.pattern == "11"}
    width, height = 960, 534
    middle, right = Frame(348), Frame(668)
    under = Frame.top + Frame.side + 48
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" role="img" aria-labelledby="title">',
        "<!-- python3 experiments/toy/toy.py build/release/polyrx -->",
        '<title id="title">A network of two neurons, the four pieces it divides the unit square into, and the '
        "treatments inside the first</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>',
        text(20, 34, "Two neurons, four pieces, two treatments: Example 1 of the paper", 19, extra=BOLD),
        text(20, 57, "Pieces, treatments and inequalities as polyrx regions lists them. Small outcomes are preferred.", 13, fill="#444444"),
        text(24, Frame.top - 14, "The network", 14, extra=BOLD),
        text(middle.left, Frame.top - 14, "Its pieces", 14, extra=BOLD),
        text(right.left, Frame.top - 14, "The treatments in P₁", 14, extra=BOLD),
        *network_svg(layers, 24),
        *pieces_svg(pieces, layers, middle),
        *treatments_svg(regions, right),
    ]
    listed = {inequality for region in first.values() for inequality in region.inequalities}
    for line, words in enumerate(network_words(layers)):
        out.append(text(24, under + 19 * line, words, 12.5))
    out.append(text(middle.left, under, "P₁:", 12.5, extra=BOLD))
    for line, inequality in enumerate(neuron for neuron in neurons_of(layers[0]) if neuron in listed):
        out.append(text(middle.left + 30, under + 19 * line, inequality_words(inequality), 12.5))
    for k in (0, 1):
        out.append(text(middle.left + 30, under + 19 * (2 + k), f"y{'₀₁'[k]} = {sum_words(first[0].outcomes[k])}", 12.5))
    for k in (0, 1):
        top = under + 38 * k
        out.append(text(right.left, top, f"F{'₀₁'[k]}:", 12.5, extra=BOLD))
        for line, inequality in enumerate(first[k].inequalities):
            out.append(text(right.left + 30, top + 19 * line, inequality_words(inequality), 12.5))
    out.append(text(width - 20, under + 92, "Pale: the other pieces. In P₄ both outcomes are 0, and the tie goes to "
                    "the lower number.", 11.5, "end", GREY))
    return "\n".join([*out, "</svg>", ""])
