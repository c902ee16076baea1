"""The description of a figure, and the register of all figures.

A module of `paper_figures/<paper>/` declares `FIGURES`, a tuple of `FigureSpec`; this declaration is all that a new
figure needs (see CONTRIBUTING).
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure

from experiments.groups import GROUPS
from paper_figures.load import StudyResults
from paper_figures.table import Table

_PRINTED = r"(Figure|Table) \d+( \((a|b|top|bottom|left|middle|right|stand-ins)\))?"


@dataclass(frozen=True)
class FigureSpec:
    """One drawing of one study.

    `draw(data)` returns the figure without its provenance line; `tables(data)` the comparisons the report prints under
    it; `caption` says what the figure shows and how to read it. `first` marks pictures of the first seed alone. `shows`
    names the results drawn where the study has other results too. Both serve the provenance line.
    """

    id: str
    study: str
    number: str
    caption: str
    draw: Callable[[StudyResults], Figure]
    tables: Callable[[StudyResults], Sequence[Table]] = lambda data: ()
    first: bool = False
    shows: Mapping[str, Any] = field(default_factory=dict)

    @property
    def filename(self) -> str:
        """Name of the files, without suffix: "boke_fig6"."""
        return self.id.replace(".", "_")

    @property
    def numbers(self) -> tuple[str, ...]:
        """The paper's figures and tables that this figure belongs to: ("Figure 6",); empty for a figure that is ours
        alone."""
        return tuple(dict.fromkeys(re.findall(r"(?:Figure|Table) \d+", self.number)))

    @property
    def as_printed(self) -> bool:
        """True for the panels of a figure of the paper, False for a supplement such as "Figure 6 (medians)"."""
        return bool(re.fullmatch(rf"{_PRINTED}(, {_PRINTED})*", self.number))

    def provenance(self, data: StudyResults) -> str:
        """The last line of the figure: scale, seeds shown, commit, place."""
        return data.provenance(self.first, **self.shows)


def figures() -> dict[str, FigureSpec]:
    """Every figure by id, in the order of the papers."""
    found: list[FigureSpec] = []
    for paper in GROUPS:
        package = importlib.import_module(f"paper_figures.{paper.key}")
        for module in pkgutil.iter_modules(package.__path__):
            found.extend(getattr(importlib.import_module(f"{package.__name__}.{module.name}"), "FIGURES", ()))
    return {spec.id: spec for spec in sorted(found, key=_order)}


def _order(spec: FigureSpec) -> tuple[int, int, str]:
    kinds = ("Figure", "Table", "Figure A")
    kind = 2 if spec.number.startswith("Figure A") else kinds.index(spec.number.split()[0])
    return [paper.key for paper in GROUPS].index(spec.id.split(".")[0]), kind, spec.id
