"""What a figure is, and where every figure is found.

A module of `paper_figures/<paper>/` declares `FIGURES`, a tuple of `FigureSpec`; it is found by being there. Nothing
else is needed to add a figure (see CONTRIBUTING).
"""

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from paper_figures.load import StudyResults
from paper_figures.table import Table

PAPERS = {"boke": "A", "cei": "B", "ctx": "C", "uhe": "D"}
"""Packages that hold figures, and the letter of their paper."""


@dataclass(frozen=True)
class FigureSpec:
    """One drawing of one study.

    `draw(data)` returns the figure without its provenance line; `tables(data)` the comparisons the report prints under
    it; `caption` says what is shown and how to read it.
    """

    id: str
    study: str
    number: str
    caption: str
    draw: Callable[[StudyResults], Figure]
    tables: Callable[[StudyResults], Sequence[Table]] = lambda data: ()

    @property
    def filename(self) -> str:
        """Name of the files, without suffix: "boke_fig6"."""
        return self.id.replace(".", "_")


def figures() -> dict[str, FigureSpec]:
    """Every figure by id, in the order of the papers."""
    found: list[FigureSpec] = []
    for paper in PAPERS:
        package = importlib.import_module(f"paper_figures.{paper}")
        for module in pkgutil.iter_modules(package.__path__):
            found.extend(getattr(importlib.import_module(f"{package.__name__}.{module.name}"), "FIGURES", ()))
    return {spec.id: spec for spec in sorted(found, key=_order)}


def _order(spec: FigureSpec) -> tuple[int, int, str]:
    kinds = ("Figure", "Table", "Figure A")
    kind = 2 if spec.number.startswith("Figure A") else kinds.index(spec.number.split()[0])
    return list(PAPERS).index(spec.id.split(".")[0]), kind, spec.id


def select(only: str | None = None) -> list[FigureSpec]:
    """Figures named by `only`: an id ("boke.fig6_median"), a study ("boke.fig6" or "fig6") or a paper ("boke").

    Several names may be separated by commas; none selects all. Raises KeyError, listing near names, for an unknown one.
    """
    known = figures()
    names = [name.strip() for name in (only or "").split(",") if name.strip()]
    if not names:
        return list(known.values())
    chosen: dict[str, FigureSpec] = {}
    for name in names:
        matching = [
            spec
            for spec in known.values()
            if name in (spec.id, spec.study, spec.id.split(".")[0], spec.id.split(".")[1], spec.study.split(".")[1])
        ]
        if not matching:
            words = sorted({word for spec in known.values() for word in (spec.id, spec.id.split(".")[1])} | set(PAPERS))
            near = difflib.get_close_matches(name, words, n=4, cutoff=0.5)
            hint = f"near: {', '.join(near)}" if near else f"known: {', '.join(words)}"
            raise KeyError(f"unknown figure {name!r}; {hint}")
        chosen.update((spec.id, spec) for spec in matching)
    return [spec for spec in known.values() if spec.id in chosen]
