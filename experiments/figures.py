# SPDX-License-Identifier: Apache-2.0
"""Figures of experiments: one look, and the same bytes from the same numbers."""

# Of Okabe and Ito: told apart by people who see few colours, and in grey when printed, since marks differ too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]


def plain_logarithmic(axis):
    """Of a logarithmic x or y axis whose points are drawn: ticks at 1, 2 and 5 of each decade, or at 1 where decades are many, as plain
    numbers. What hardly changes is given room, so that there are two ticks and it looks flat."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    if high < 5 * low:
        middle = (low * high) ** 0.5
        low, high = middle / 5**0.5, middle * 5**0.5
        axis.set_view_interval(low, high, ignore=True)
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 2000 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1e6:,.0f}M" if value >= 1e6 else f"{value / 1e3:,.0f}k" if value >= 1e4 else
                                           f"{value:,.0f}" if value >= 1 else f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def figure(path, panels, draw, width=4.2, height=3.4, columns=None):
    """Calls draw(axes) with as many axes as there are panels, and writes an SVG. False, and nothing written, without matplotlib.
    Panels are in one row, or in rows of so many columns; width and height are of one panel, and a page has 7 inches."""
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

    columns = columns or panels
    rows = -(-panels // columns)
    drawn, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False, layout="constrained")
    for unused in axes.ravel()[panels:]:
        unused.set_axis_off()
    draw(axes.ravel()[:panels])
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path, metadata={"Date": None})
    pyplot.close(drawn)
    return True
