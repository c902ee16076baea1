"""A study (one figure or table) and its cells (the pieces of it that are computed and stored one by one)."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from experiments.data import how_to_get, present


@dataclass(frozen=True)
class Cell:
    """One computation: a problem, a policy, a block of seeds, a scale. Its result is a pure function of these fields.

    Attributes:
        study: id of the study, e.g. "boke.fig6".
        problem: name of the problem, or "" where there is none.
        policy: name in `core.policies.REGISTRY`, or a label of the study's own.
        seeds: one seed a repetition.
        scale: one of `experiments.engine.scale.SCALES`.
        options: whatever else the computation depends on; JSON values only.
    """

    study: str
    problem: str
    policy: str
    seeds: tuple[int, ...]
    scale: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def config(self) -> dict[str, Any]:
        """The fields as JSON values (what the result file records and the cell is known by)."""
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
        """Ten hexadecimal digits that stand for the configuration."""
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


@dataclass(frozen=True)
class Study:
    """One figure or table: which cells it is made of at each scale, and how one cell is computed.

    A study lives in a module of its own, under the name `STUDY`; workers find it there.

    Attributes:
        id: "<paper>.<name>", e.g. "boke.fig6".
        title: a line for tables and lists.
        paper: the paper's key, "boke".
        caption: what the figure shows, for the report.
        cells: the cells at a scale.
        run: computes one cell; a pure function of the cell, returning named arrays.
        data: files of `experiments.data` that its cells use at the scales above smoke, where they are on this machine.
        left_out: sentences on what else is left out at these scales on this machine.
        default: whether it runs when nothing, or its whole paper, is asked for; otherwise only by its own name.
        module: dotted name of the module that holds the study as `STUDY` (filled in by the registry).
    """

    id: str
    title: str
    paper: str
    caption: str
    cells: Callable[[str], Sequence[Cell]]
    run: Callable[[Cell], Mapping[str, np.ndarray]]
    data: tuple[str, ...] = ()
    left_out: Callable[[], Sequence[str]] = tuple
    default: bool = True
    module: str = ""

    def skipped(self, scale: str) -> list[str]:
        """What is left out at a scale on this machine for want of data: a sentence a file, with how to get it."""
        names = self.data if scale != "smoke" else ()
        absent = [f"skipped: data: {how_to_get(name)}" for name in names if present(name) is None]
        return absent + (list(self.left_out()) if scale != "smoke" else [])
