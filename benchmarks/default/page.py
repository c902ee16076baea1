"""The default's part of `docs/benchmarks.md`: every number comes from the result."""

from typing import Any

from benchmarks.document import duration, rendered, span, table

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """The section, from its heading on."""
    part = result["default"]
    task, first = part["settings"], part["first"]
    beside = [row["optuna"] / row["host"] for row in part["rows"] if "optuna" in row]
    introduction = (
        f"The first proposal of a fresh process comes after {duration(first['processor'])} of processor time"
        + (f", and a later one takes Optuna's GPSampler {span(beside)} times as long as the default" if beside else "")
        + f". A refit and a proposal of `{task['policy']}` on {task['problem']} at t random observations start from "
        "the fit of the data without the last one. They run on the host, as in `optimize`, and compiled by JAX on "
        "padded arrays, as in experiments; Optuna's GPSampler has the same data. Medians of "
        f"{task['rounds']} rounds in which the contestants took turns, in processor seconds. Compiling is part of the "
        "first call alone."
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
