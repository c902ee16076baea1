"""A study (one figure or table) and its cells (the pieces of it that are computed and stored one by one)."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from experiments.engine.slim import Kept


@dataclass(frozen=True)
class Cell:
    """One computation: a problem, a policy, a block of seeds, a scale. Its result is a pure function of these fields.

    Attributes:
        problem: name of the problem, or "" where there is none.
        policy: name in `core.policies.REGISTRY`, or a label of the study's own.
        seeds: one seed per repetition.
        options: everything else that the computation depends on; JSON values only.
        study: id of the study, "boke.fig6"; `Study.cells` fills it in.
        scale: one of `experiments.engine.scale.SCALES`; `Study.cells` fills it in.
    """

    problem: str
    policy: str
    seeds: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    study: str = field(default="", kw_only=True)
    scale: str = field(default="", kw_only=True)

    def config(self) -> dict[str, Any]:
        """The fields as JSON values, which the result file records and which identify the cell."""
        config = {
            "study": self.study,
            "problem": self.problem,
            "policy": self.policy,
            "seeds": [int(seed) for seed in self.seeds],
            "scale": self.scale,
            "options": dict(self.options),
        }
        record: dict[str, Any] = json.loads(json.dumps(config, allow_nan=False))
        return record

    @property
    def digest(self) -> str:
        """Ten hexadecimal digits that identify the configuration."""
        canonical = json.dumps(self.config(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:10]

    @property
    def label(self) -> str:
        """The cell in words, e.g. "boke.fig6 hartmann3 gp_ucb seeds 0-9"."""
        seeds = ""
        if self.seeds:
            first, last = self.seeds[0], self.seeds[-1]
            seeds = f"seed {first}" if len(self.seeds) == 1 else f"seeds {first}-{last}"
        return " ".join(part for part in (self.study, self.problem, self.policy, seeds) if part)

    def __hash__(self) -> int:
        return hash(self.digest)


def blocks(seeds: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """The seeds in their order, in groups of at most `size`; each group is a cell of one long run."""
    return [tuple(seeds[first : first + size]) for first in range(0, len(seeds), size)]


all_data = ContextVar("all_data", default=False)
"""True while cells are listed as on a machine that has all data."""


@dataclass(frozen=True)
class Study:
    """One figure or table: its cells at each scale, and the computation of one cell.

    A study lives in a module of its own, `experiments/<paper>/<name>.py`, as `STUDY = Study(__name__, ...)`: the place
    of the module is the identity of the study, and workers find the study there.

    Attributes:
        module: dotted name of the module, ending in "<paper>.<name>".
        title: a line for tables and lists.
        caption: what the figure shows, for the report.
        cells: the cells at a scale. Given without study and scale, which the study fills in.
        run: computes one cell; a pure function of the cell, returning named arrays.
        data: files of the catalogue of public data that its cells use at the scales above smoke, where they are on this
            machine.
        left_out: sentences on further omissions at these scales on this machine.
        program: the common part of the cells that share a compiled program; None stands for problem and policy, in all
            studies of the paper. A worker that holds a program goes on with it, so that no two workers compile the same
            program.
        keep: the parts of its results that are kept for good.
        here: True where its cells read files that only this machine has, so that no other may compute them.
        default: True where it runs when no name, or its whole paper, is given; otherwise it runs only by its own name.
    """

    module: str
    title: str
    caption: str
    cells: Callable[[str], Sequence[Cell]]
    run: Callable[[Cell], Mapping[str, np.ndarray]]
    data: tuple[str, ...] = ()
    left_out: Callable[[], Sequence[str]] = tuple
    program: Callable[[Cell], str] | None = None
    keep: Kept = Kept()
    here: bool = False
    default: bool = True

    def __post_init__(self) -> None:
        given, known = self.cells, dict[str, list[Cell]]()

        def cells(scale: str) -> list[Cell]:
            if self.data and not all_data.get():  # the files at hand decide
                return listed(scale)
            if scale not in known:
                known[scale] = listed(scale)
            return list(known[scale])

        def listed(scale: str) -> list[Cell]:
            return [replace(cell, study=self.id, scale=scale) for cell in given(scale)]

        object.__setattr__(self, "cells", cells)

    def every_cell(self, scale: str) -> list[Cell]:
        """The cells at a scale on a machine that has all data."""
        before = all_data.set(True)
        try:
            return list(self.cells(scale))
        finally:
            all_data.reset(before)

    @property
    def id(self) -> str:
        """The last two parts of the module's name, "boke.fig6"."""
        return f"{self.paper}.{self.name}"

    @property
    def paper(self) -> str:
        """Key of the paper, "boke"."""
        return self.module.split(".")[-2]

    @property
    def name(self) -> str:
        """Name within the paper, "fig6"."""
        return self.module.split(".")[-1]


def first_blocks(study: Study, count: int) -> Study:
    """The study with the first `count` blocks of seeds of each problem, method and options only."""

    def cells(scale: str) -> list[Cell]:
        seen: dict[str, int] = {}
        chosen = []
        for cell in study.cells(scale):
            series = replace(cell, seeds=()).digest
            seen[series] = seen.get(series, 0) + 1
            if seen[series] <= count:
                chosen.append(cell)
        return chosen

    return replace(study, cells=cells)
