"""Paired comparisons over seeds that the report prints under a figure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from experiments.engine.statistics import Interval, bootstrap_interval, fit_exponent, paired_comparison
from paper_figures.load import StudyResults
from paper_figures.samples import by_method, ends
from paper_figures.style import method_label, method_order, problem_label
from paper_figures.table import Table, interval, number, p_value

TEST = (
    "Intervals are 95 % percentile bootstrap intervals of the mean difference; p is the two-sided Wilcoxon "
    "signed-rank p, not corrected for the number of rows."
)
"""The end of the note of every table of paired comparisons."""

BY_SEED = "Paired by seed (same initial design and noise for every method)."

Centres = Mapping[str, Callable[[np.ndarray], float]]
"""The statistics that a table can show for either side of a pair, by name."""

MEAN: Centres = {"Mean": np.mean}
GEOMETRIC_MEAN: Centres = {"Geometric mean": np.mean}
"""The centre of pairs of logarithms, shown as its exponential."""
MEAN_AND_MEDIAN: Centres = {"Mean": np.mean, "Median": np.median}


@dataclass(frozen=True)
class Pair:
    """One row of a table of paired comparisons.

    Attributes:
        labels: the cells on the left, which name the comparison.
        ours, theirs: one number a seed, in the same order of seeds.
        extra: the cells on the right.
        shown: from a mean of these numbers to the number shown (`10 ** mean` where they are logarithms).
    """

    labels: tuple[str, ...]
    ours: np.ndarray
    theirs: np.ndarray
    extra: tuple[str, ...] = ()
    shown: Callable[[float], float] = field(default=float)


def paired_table(
    title: str,
    labels: Sequence[str],
    pairs: Iterable[Pair],
    note: str,
    *,
    sides: str = "ours / peer",
    outcomes: str = "Wins–losses–ties",
    higher: bool = False,
    centres: Centres = MEAN,
    extra: Sequence[str] = (),
) -> Table:
    """A table with one row a pair: labels, centres of both sides, mean difference ours − theirs, its interval, p,
    outcomes, extras.

    Args:
        title: the title of the table.
        labels, extra: headers of the pairs' cells on the left and on the right.
        pairs: the rows.
        note: how the pairs were made and which sign favours whom; `TEST` is added.
        sides: names of the two sides, in this order.
        outcomes: header of the numbers of seeds won, lost and tied.
        higher: whether the larger number wins.
        centres: the statistics shown for either side, by name.
    """
    rows = []
    for pair in pairs:
        middle = (
            " / ".join(number(pair.shown(centre(side))) for side in (pair.ours, pair.theirs))
            for centre in centres.values()
        )
        won = score(pair.theirs, pair.ours) if higher else score(pair.ours, pair.theirs)
        rows.append((*pair.labels, *middle, *comparison_cells(pair.ours, pair.theirs), won, *pair.extra))
    names = (f"{name} ({sides})" for name in centres)
    header = (*labels, *names, "Mean difference", "95 % CI", "p", outcomes, *extra)
    return Table(title, header, tuple(rows), f"{note} {TEST}")


def favours(method: str, peer: str = "peer", higher: bool = False) -> str:
    """The meaning of the sign of a difference: "Difference = BOKE − peer: negative favours BOKE."."""
    return f"Difference = {method} − {peer}: {'positive' if higher else 'negative'} favours {method}."


def pairs_with_peers(
    label: str,
    samples: Mapping[str, np.ndarray],
    method: str,
    peers: Iterable[str] | None = None,
    shown: Callable[[float], float] = float,
) -> list[Pair]:
    """The pairs of `method` and each peer (all other methods by default), in rows "label, peer"; empty without
    `method`.

    `samples` maps a method to one number per seed. Where one method has fewer seeds, the pairs use the seeds of both:
    all seeds count from the same first one.
    """
    if method not in samples:
        return []
    others = method_order(name for name in (peers or samples) if name in samples and name != method)
    both = {peer: min(len(samples[method]), len(samples[peer])) for peer in others}
    return [
        Pair((label, method_label(peer)), samples[method][: both[peer]], samples[peer][: both[peer]], shown=shown)
        for peer in others
    ]


def estimate_cells(found: Interval) -> tuple[str, str]:
    """An estimate and its interval as text."""
    return number(float(found.estimate)), interval(float(found.low), float(found.high))


def comparison_cells(ours: np.ndarray, theirs: np.ndarray) -> tuple[str, str, str]:
    """Mean of ours − theirs, its 95 % bootstrap interval and Wilcoxon's p, as text; "n/a" with fewer than two seeds."""
    if len(ours) < 2:
        return number(float(np.mean(ours - theirs))), "n/a", "n/a"
    result = paired_comparison(ours, theirs)
    return *estimate_cells(result.difference), p_value(result.p_value)


def exponent_cells(counts: np.ndarray, samples: np.ndarray) -> tuple[str, str]:
    """Fitted exponent of `samples` (seeds, T) in `counts` and its 95 % interval, as text; "n/a" with one seed."""
    if len(samples) < 2:
        return "n/a", "n/a"
    return estimate_cells(fit_exponent(counts, samples))


def ratio_cells(theirs: np.ndarray, ours: np.ndarray) -> tuple[str, str]:
    """The median of theirs / ours over repetitions, paired, and its 95 % bootstrap interval, as text."""
    return estimate_cells(bootstrap_interval(theirs / ours, "median"))


def score(ours: np.ndarray, theirs: np.ndarray) -> str:
    """The numbers of seeds in which ours is smaller, larger, equal: "7–1–0"."""
    return f"{int(np.sum(ours < theirs))}–{int(np.sum(ours > theirs))}–{int(np.sum(ours == theirs))}"


def regret_table(data: StudyResults, method: str, peers: Iterable[str] | None = None) -> Table:
    """The final simple regret of `method` against each peer on every problem: means, medians, and the paired
    comparison."""
    rows: list[Pair] = []
    for problem in data.problems():
        regret = ends(by_method(data, "simple_regret", problem=problem))
        rows += pairs_with_peers(problem_label(problem), regret, method, peers)
    name = method_label(method)
    return paired_table(
        f"{name} against its peers: final simple regret",
        ("Problem", "Peer"),
        rows,
        f"{BY_SEED} {favours(name)} Wins count the seeds in which {name} is strictly better.",
        centres=MEAN_AND_MEDIAN,
    )
