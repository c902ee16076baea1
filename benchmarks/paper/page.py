"""The core-hours of scale paper as a section of `docs/benchmarks.md`."""

import math
from typing import Any

from benchmarks.document import rendered, table

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """The section."""
    part = result["paper"]
    settings, rows = part["settings"], part["rows"]
    entries = [entry for row in rows for entry in row["drawn"]]
    distinct, found = {entry["cell"] for entry in entries}, part["verified"]
    pooled = ", ".join(f"{machine} {ratio:.2f}" for machine, ratio in sorted(part["pooled"].items()))
    sums = [sum(row[name] for row in rows) for name in ("stored", "now", "left", "first", "first_left")]
    error = math.hypot(*(row["error"] for row in rows))
    introduction = (
        f"All default studies at scale {settings['scale']} take {sums[1]:.1f} ± {error:.1f} core-hours, and their "
        f'first blocks of seeds {sums[3] + sums[4]:.1f}. "Stored" is the time that the committed results took, by the '
        "code and on the machine of their day. Of every study "
        f"{settings['draws']} cells were drawn, with probabilities proportional to their stored seconds, and computed "
        "anew by this code on this machine, on all its cores; the mean of the ratios of seconds gives the estimate, "
        f"with its standard error. Cells of more than {settings['longest'] / 60:.0f} minutes and studies of less "
        f"than {settings['least'] / 60:.0f} minutes in all are not drawn. Their stored time is multiplied by the mean "
        f'ratio of the drawn cells that the same machine stored ({pooled}). "Left" estimates the cells '
        "never computed (`python -m experiments status`). Tuning (`boke.fig9`, `uhe.fig2_tuning`) costs more here than "
        'in a whole run, where cells share evaluations. "First blocks" is the first block of seeds of every '
        "problem and method (`make reproduce SCALE=paper BLOCKS=1`), with what is left of it; some verdicts "
        "needed further blocks."
    )
    body = [
        (
            f"`{row['study']}`",
            str(row["cells"]),
            f"{row['stored']:.2f}",
            ", ".join(f"{entry['now'] / entry['stored']:.2f}" for entry in row["drawn"]),
            f"{row['undrawn']:.2f}",
            f"{row['now']:.2f}" + (f" ± {row['error']:.2f}" if row["drawn"] else ""),
            f"{row['left']:.2f}" if row["left"] else "",
            f"{row['first'] + row['first_left']:.2f}",
        )
        for row in rows
    ]
    total = ("all", str(sum(row["cells"] for row in rows)), f"{sums[0]:.1f}", "", "", f"{sums[1]:.1f} ± {error:.1f}",
             f"{sums[2]:.1f}", f"{sums[3] + sums[4]:.1f}")  # fmt: skip
    header = ("study", "cells", "stored", "ratios drawn", "of these undrawn", "now", "left", "first blocks")
    agreement = (
        f"{found['reproduced']} statistics of the {len(distinct)} cells computed anew are reproduced within the "
        f"tolerances of `make verify`, {found['undecided']} are undecided because too few seeds are stored, "
        f"and {found['deviates']} deviate" + (f": {'; '.join(found['which'])}." if found["which"] else ".")
    )
    return rendered("## Scale paper", result, introduction, table(header, [*body, total]), agreement)
