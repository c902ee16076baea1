"""The speed of streamed kernel sums: a part of `docs/benchmarks.md`."""

from typing import Any

from benchmarks.document import duration, rendered, table

__all__ = ["section"]


def section(result: dict[str, Any]) -> str:
    """Heading, introduction and table."""
    part = result["streaming"]
    memory = part["memory"]
    introduction = (
        f"`core.models.large_scale.kernel_regression_and_density` for {part['candidates']} candidates in dimension "
        f"{part['dim']}, Gaussian kernel, bandwidth by Scott's rule, against a probe that only computes "
        "`sum exp(A B^T)`, chunked the same way and timed in turn, in processor seconds. "
        f"Time grows with t to the power {part['exponent']:.2f} (last step {part['last_exponent']:.2f}). "
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
