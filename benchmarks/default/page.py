"""The default's part of `docs/benchmarks.md`: every number comes from the result."""

from typing import Any

from benchmarks.document import duration, rendered, table

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """The section, from its heading on."""
    part = result["default"]
    task, first = part["settings"], part["first"]
    introduction = (
        f"A refit and a proposal of `corrected_ei` on {task['problem']} at t random observations, from the fit of the "
        f"data without the last one: on the host, as `optimize` computes both, compiled by JAX, on padded arrays, "
        f"as experiments do, and by Optuna's GPSampler on the same data. Medians of {task['rounds']} rounds in which "
        "the contestants took turns; processor seconds. Compiling is part of the first call alone."
    )
    rows = [
        (
            str(row["count"]),
            duration(row["host"]),
            duration(row["jax"]),
            f"{row['ratio']:.1f}",
            duration(row["jax_first"]),
            *((duration(row["optuna"]), f"{row['optuna'] / row['host']:.1f}") if "optuna" in row else ("", "")),
        )
        for row in part["rows"]
    ]
    process = (
        f"A fresh process that maximises a function of three numbers, which takes no time: its first proposal, after "
        f"{task['first']} points of the initial design, comes after {duration(first['processor'])} of processor time, "
        f"imports included ({duration(first['wall'])} by the clock, other work on the machine included). Of the later "
        f"proposals up to t = {task['budget']} the longest takes {duration(first['largest'])}. Medians of "
        f"{task['rounds']} processes."
    )
    header = ("t", "host", "compiled", "times faster", "compiled, first call", "Optuna GP", "times faster than Optuna")
    return rendered(
        "## The default, from the first proposal on",
        result,
        introduction,
        table(header, rows),
        process,
    )
