"""Paired comparisons over seeds that the report prints under a figure."""

from collections.abc import Iterable

import numpy as np

from experiments.engine.statistics import fit_exponent, paired_comparison
from paper_figures.load import StudyResults
from paper_figures.style import method_label, method_order, problem_label
from paper_figures.table import Table, interval, number, p_value

NOTE = (
    "Final simple regret, paired by seed (same initial design and noise for every method). Difference = {method} − "
    "peer: negative favours {method}. 95 % percentile bootstrap interval of the mean difference; two-sided Wilcoxon "
    "signed-rank p, not corrected for the number of rows. Wins count the seeds in which {method} is strictly better."
)


COMPARISON_HEADER = ("Mean difference", "95 % CI", "p")


def comparison_cells(ours: np.ndarray, theirs: np.ndarray) -> tuple[str, str, str]:
    """Mean of ours − theirs, its 95 % bootstrap interval and Wilcoxon's p, as text; "n/a" with fewer than two seeds."""
    if len(ours) < 2:
        return number(float(np.mean(ours - theirs))), "n/a", "n/a"
    result = paired_comparison(ours, theirs)
    difference = result.difference
    low, high = float(difference.low), float(difference.high)
    return number(float(difference.estimate)), interval(low, high), p_value(result.p_value)


def exponent_cells(counts: np.ndarray, samples: np.ndarray) -> tuple[str, str]:
    """Fitted exponent of `samples` (seeds, T) in `counts` and its 95 % interval, as text; "n/a" with one seed."""
    if len(samples) < 2:
        return "n/a", "n/a"
    fit = fit_exponent(counts, samples)
    return number(float(fit.estimate)), interval(float(fit.low), float(fit.high))


def score(ours: np.ndarray, theirs: np.ndarray) -> str:
    """In how many seeds ours is smaller, larger, equal: "7–1–0"."""
    return f"{int(np.sum(ours < theirs))}–{int(np.sum(ours > theirs))}–{int(np.sum(ours == theirs))}"


def final_regret(data: StudyResults, problem: str, policy: str) -> np.ndarray:
    """Simple regret after the whole budget, one number a seed."""
    return data.array("simple_regret", problem=problem, policy=policy)[:, -1]


def regret_table(data: StudyResults, method: str, peers: Iterable[str] | None = None) -> Table:
    """`method` against each peer on every problem: means, medians, mean difference, interval, p, wins."""
    rows = []
    for problem in data.problems():
        present = data.policies(problem)
        if method not in present:
            continue
        ours = final_regret(data, problem, method)
        for peer in method_order(name for name in (peers or present) if name in present and name != method):
            theirs = final_regret(data, problem, peer)
            rows.append(
                (
                    problem_label(problem),
                    method_label(peer),
                    f"{number(ours.mean())} / {number(theirs.mean())}",
                    f"{number(float(np.median(ours)))} / {number(float(np.median(theirs)))}",
                    *comparison_cells(ours, theirs),
                    score(ours, theirs),
                )
            )
    name = method_label(method)
    return Table(
        title=f"{name} against its peers: final simple regret",
        header=(
            "Problem",
            "Peer",
            "Mean (ours / peer)",
            "Median (ours / peer)",
            *COMPARISON_HEADER,
            "Wins–losses–ties",
        ),
        rows=tuple(rows),
        note=NOTE.format(method=name),
    )
