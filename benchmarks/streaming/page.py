"""The speed of streamed kernel sums: a part of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import duration, rendered, span, table

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """Heading, introduction and table."""
    part = result["streaming"]
    memory = part["memory"]
    introduction = (
        f"Kernel sums reach {span((row['of_probe'] for row in part['rows']), '.0%')} of the speed of a bare probe, and "
        f"their time grows with t to the power {part['exponent']:.2f} (last step {part['last_exponent']:.2f}). "
        f"`core.models.large_scale.kernel_regression_and_density` for {part['candidates']} candidates in dimension "
        f"{part['dim']}, Gaussian kernel, bandwidth by Scott's rule, runs in turn with a probe that only "
        "computes `sum exp(A B^T)` in the same chunks; times are processor seconds. "
        f"At t = {memory['count']:.0f} the data take {memory['data_mib']:.0f} MiB and the call "
        f"{memory['beyond_data_mib']:.0f} MiB beyond them, its compilation included."
    )
    rows = [
        (
            f"{row['count']:.0f}",
            duration(row["seconds"]),
            f"{row['evaluations_per_second'] / 1e6:.0f}",
            f"{row['probe_evaluations_per_second'] / 1e6:.0f}",
            f"{row['of_probe']:.0%}",
        )
        for row in part["rows"]
    ]
    header = ("t", "time", "million kernel evaluations a second", "probe", "of the probe")
    return rendered("## Kernel sums", result, introduction, table(header, rows))
