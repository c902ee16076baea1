"""The figure of `docs/benchmarks.md`: seconds and memory of a proposal against the number of data, rooflines dashed."""

import io
from pathlib import Path
from typing import Any

from benchmarks.scale.measure import roofline

__all__ = ["LABELS", "svg"]

STYLE = Path(__file__).resolve().parents[2] / "paper_figures" / "kernelbo.mplstyle"
LABELS = {"boke": "BOKE", "gp_ucb": "GP-UCB", "botorch": "BoTorch"}


def svg(part: dict[str, Any]) -> bytes:
    """The same bytes for the same numbers."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(fname=str(STYLE)), mpl.rc_context({"svg.hashsalt": "kernelbo", "svg.fonttype": "path"}):
        figure = Figure(figsize=(7.0, 3.0), layout="constrained")
        FigureCanvasSVG(figure)
        seconds, memory = figure.subplots(1, 2)
        for number, (method, label) in enumerate(LABELS.items()):
            rows = [row for row in part["rows"] if row["method"] == method]
            counts, colour = [row["count"] for row in rows], f"C{number}"
            if not rows:
                continue
            seconds.plot(counts, [row["cpu_seconds"] for row in rows], marker="o", color=colour, label=label)
            memory.plot(counts, [row["memory_mib"] for row in rows], marker="o", color=colour, label=label)
            if method != "botorch":
                least = [roofline(method, count, part["rates"]) for count in counts]
                seconds.plot(counts, least, linestyle="--", color=colour, label=f"{label}, roofline")
        for axes, unit in ((seconds, "processor seconds of a proposal"), (memory, "MiB of a proposal")):
            axes.set(xscale="log", yscale="log", xlabel="observations t", ylabel=unit)
        seconds.legend(fontsize="small")
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()
