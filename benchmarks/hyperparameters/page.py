"""The hyperparameter benchmark's part of `docs/benchmarks.md`: every number comes from the result."""

from collections.abc import Collection, Mapping
from typing import Any

from benchmarks.document import SKIPPED, duration, rendered, span, table, yes
from benchmarks.hyperparameters.agreement import SHORTFALL, VALUE_TOLERANCE

__all__ = ["section"]

LABELS = {
    "gp_ucb_map": "MAP",
    "uhe_bo": "UHE-BO",
    "ra_bo": "RA-BO",
    "random_exp3": "Random + EXP3",
    "portfolio_exp3": "Portfolio",
    "wang_de_freitas": "Wang and de Freitas",
    "a_gp_ucb": "A-GP-UCB",
    "gp_ucb_mcmc": "MCMC, 200 + 10 transitions",
}


def section(result: dict[str, Any]) -> str:
    """The section, from its heading on."""
    part = result["hyperparameters"]
    task = part["settings"]
    introduction = (
        f"{_came_out(part['rows'].values())} A step is all that a method does between two evaluations of "
        f"{task['problem']} (no noise) at n = {task['count']}: it estimates the hyperparameters, conditions, and "
        f"maximises the acquisition from {task['raw_candidates']} raw candidates and {task['starts']} refined "
        "starts. UHE-BO and RA-BO fit "
        f"{2 * task['count']} pseudo-points. Data: {task['seeds']} runs of MAP, every contestant on the same ones, "
        f"{task['rounds']} rounds of {task['sets']} in which they took turns; medians, quartiles in brackets, ratios "
        "the medians of those on the same data. Ours: one data set in one compiled program. BoTorch: SingleTaskGP of "
        "the same model, priors and box, fit_gpytorch_mll from the same last estimate, optimize_acqf with UCB, its "
        "defaults, the faster of one thread and one a core; it fits the data, or the same number of pseudo-points. "
        "Steps that query at random cost nothing and are not counted. A-GP-UCB is at a step whose first factor is "
        "nearly always enough."
    )
    rows = [
        (
            LABELS[name],
            f"{duration(row['wall'])} ({', '.join(duration(value) for value in row['quartiles'])})",
            duration(row["processor"]),
            f"{duration(row['peer'])} ({duration(row['peer_fit'])})" if "peer" in row else "",
            f"{row['ratio']:.1f}" if "peer" in row else "",
        )
        for name, row in part["rows"].items()
    ]
    header = ("method", "wall seconds a step", "processor seconds", "BoTorch, wall (its fit)", "times faster")
    parts = [introduction, table(header, rows)]
    if part["agreement"]:
        entries = [
            (
                entry["fitted"],
                f"{entry['ours']:.4f}",
                f"{entry['peer']:.4f}",
                f"{entry['shortfall']:.1e}",
                f"{entry['value_difference']:.1e}",
                yes(entry["agree"]),
            )
            for entry in part["agreement"]
        ]
        names = ("fitted to", "ours", "BoTorch's", "shortfall of ours", "functions differ by", "agree")
        parts += [
            "The table has the log posterior, in nats, of both estimates on every data set, and the largest difference "
            "of the two log posteriors at either estimate. Both differences are divided by the number of observations. "
            "Agreement: a shortfall of at most "
            f"{SHORTFALL:.0e} (negative where ours is higher) and a difference of at most {VALUE_TOLERANCE:.0e}.",
            table(names, entries),
        ]
    else:
        parts.append(SKIPPED)
    return rendered("## Steps with unknown hyperparameters", result, *parts)


def _came_out(rows: Collection[Mapping[str, Any]]) -> str:
    """The seconds of a step, and how many times faster it is than BoTorch's, in a sentence."""
    walls, beside = [row["wall"] for row in rows], [row["ratio"] for row in rows if "ratio" in row]
    said = f"A step takes {duration(min(walls))} to {duration(max(walls))}"
    return f"{said}; BoTorch's steps take {span(beside)} times as long as ours." if beside else f"{said}."
