"""Tuning curves: best score so far against evaluations and against time, with their tables for the report."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.measures.tuning import Score, scores
from experiments.workloads.tuning.tasks import get
from paper_figures.comparisons import Pair, favours, paired_table, pairs_with_peers
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import initial_design_line, method_curves
from paper_figures.samples import by_method
from paper_figures.style import method_label, panel_title
from paper_figures.table import Table

GRID = 200
"""The number of points of the time axis."""
MARKERS = 5
"""The approximate number of markers along a curve."""


def task_title(axes: Axes, letter: str, task: str) -> None:
    """The heading of a panel in two lines, model and data."""
    panel_title(axes, letter, get(task).label.replace(", ", "\n", 1))


def against_evaluations(axes: Axes, data: StudyResults, task: str) -> None:
    """Mean best score of every method with its band, from the end of the common initial design on."""
    initial = int(data.common("initial_size", problem=task))
    best = {name: values[:, initial - 1 :] for name, values in by_method(data, "best", problem=task).items()}
    evaluations = np.arange(initial, initial + next(iter(best.values())).shape[1])
    method_curves(axes, evaluations, best, markers=MARKERS)
    initial_design_line(axes, initial)
    axes.set_xlim(left=initial - 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
    axes.set_xlabel("Evaluations")


def time_course(data: StudyResults, task: str, method: str) -> tuple[np.ndarray, np.ndarray]:
    """CPU seconds (s, T) spent after the initial design, evaluations and the method together, and best scores (s, T).

    The first column is the end of the initial design, at 0 s.
    """
    initial = int(data.common("initial_size", problem=task))
    clocks = (data.array(f"{kind}_seconds", problem=task, policy=method) for kind in ("evaluation", "proposal"))
    seconds = sum(clock.astype(float) for clock in clocks)
    spent = np.cumsum(np.asarray(seconds)[:, initial:], axis=1)
    return np.pad(spent, ((0, 0), (1, 0))), data.array("best", problem=task, policy=method)[:, initial - 1 :]


def at_times(spent: np.ndarray, best: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Best score at given times (K,): the last score reached by then, for each of (s, T) runs; shape (s, K)."""
    rows = [row[np.searchsorted(own, times, side="right") - 1] for own, row in zip(spent, best, strict=True)]
    return np.stack(rows)


def against_time(axes: Axes, data: StudyResults, task: str) -> None:
    """The curves of `against_evaluations` at equal times; a method's curve ends where its first seed has spent its
    budget."""
    times, values = {}, {}
    for name in data.policies(task):
        spent, best = time_course(data, task, name)
        times[name] = np.linspace(0.0, float(spent[:, -1].min()), GRID)
        values[name] = at_times(spent, best, times[name])
    method_curves(axes, times, values, markers=MARKERS)
    axes.set_xlim(left=0.0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
    axes.set_xlabel("CPU time after design (s)")


def workload_note(figure: Figure, data: StudyResults) -> None:
    """The runs of each data set for the last lines: rows, trees or epochs, and the number of failures if there
    are any."""
    grouped: dict[str, dict[str, None]] = {}
    for name in data.problems():
        task = get(name)
        rows, size = int(data.common("rows", problem=name)), int(data.common("size", problem=name))
        bound = "at most " if any(parameter.name == task.size for parameter in task.space) else ""
        unit = {"n_estimators": "trees", "max_iter": "epochs"}[task.size]
        words = f"{f'at most {rows:,} rows' if rows else 'all rows'}, {bound}{size} {unit}"
        grouped.setdefault(words, {})[task.label.partition(", ")[0]] = None
    several = len(grouped) > 1
    text = "; ".join(f"{' and '.join(models)}: {words}" if several else words for words, models in grouped.items())
    failed = sum(len(result.arrays["failures"]) for result in data.results)
    text += f" · {failed} failed evaluation{'s' * (failed != 1)}" if failed else ""
    remark(figure, text[0].upper() + text[1:])


def tuning_table(data: StudyResults, method: str, measure: Score) -> Table:
    """`method` against each peer on every task, by "mean" (over the evaluations after the design) or "final" score."""
    rows: list[Pair] = []
    for task in data.problems():
        initial = int(data.common("initial_size", problem=task))
        found = {name: scores(best, initial, measure) for name, best in by_method(data, "best", problem=task).items()}
        rows += pairs_with_peers(get(task).label, found, method)
    what = "best score" if measure == "final" else "best score so far, averaged over the evaluations after the design"
    name = method_label(method)
    return paired_table(
        f"{name} against its peers: {what}",
        ("Task", "Peer"),
        rows,
        f"R² or accuracy, paired by seed. {favours(name, higher=True)}",
        higher=True,
    )


def failure_table(data: StudyResults) -> Sequence[Table]:
    """The evaluations that failed, by task and message; empty where none failed."""
    found: dict[tuple[str, str], int] = {}
    for result in data.results:
        for message in result.arrays["failures"]:
            key = (get(result.config["problem"]).label, str(message).partition(", with ")[0])
            found[key] = found.get(key, 0) + 1
    rows = tuple((task, message, str(count)) for (task, message), count in found.items())
    note = (
        "A failed evaluation is recorded, counts in the budget, and is shown to the method as the worst score so far."
    )
    return (Table("Failed evaluations", ("Task", "What happened", "Count"), rows, note),) if rows else ()
