# SPDX-License-Identifier: Apache-2.0
"""Figures of experiments: one look, and the same bytes from the same numbers."""

# Of Okabe and Ito: told apart by people who see few colours, and in grey when printed, since marks differ too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]


def figure(path, panels, draw, width=4.2, height=3.4):
    """Calls draw(axes) with as many axes as there are panels, and writes an SVG. False, and nothing written, without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print(f"{path.name} is not drawn: there is no matplotlib here (experiments/peers/setup)")
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "polyrx", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10,
                                "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e5e5e5",
                                "axes.axisbelow": True, "legend.frameon": False,
                                "axes.prop_cycle": matplotlib.cycler(color=COLOURS, marker=MARKS), "lines.markersize": 5,
                                "lines.linewidth": 1.5})
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots(1, panels, figsize=(width * panels, height), squeeze=False, layout="constrained")
    draw(axes[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path, metadata={"Date": None})
    pyplot.close(drawn)
    return True
