"""The protocol: what is computed at scale paper, on which seeds and in which order, fixed before it is run.

`experiments/protocol.toml` lists pieces, the most informative first. The studies of a piece are read together, so that
they move to fresh seeds together: once every cell of the piece is stored, the fresh results stand for its studies, and
until then the earlier ones do. Nothing that a result says decides which of the two stands.

The fresh seeds of a study are its own plus `first_seed`, a number above every seed that a result had when the protocol
was fixed. A piece whose readings were declared anew after that has a larger `first_seed` of its own. A study that is a
second look at another one is run only where the first look leaves a reading undecided; its earlier results do not stand
beside fresh ones.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from experiments.engine.files import write_whole
from experiments.engine.study import Cell, Study, first_blocks

__all__ = ["PATH", "SCALE", "Piece", "Planned", "Protocol", "declared", "fix", "planned", "read", "seeds"]

PATH = Path(__file__).resolve().parents[1] / "protocol.toml"
SCALE = "paper"


@dataclass(frozen=True)
class Planned:
    """The part of a study that is run.

    Attributes:
        seeds: at most so many of each cell; 0 for all.
        blocks: at most so many blocks of seeds of each problem and method; 0 for all.
        look: 1, or 2 for a study whose seeds add to those of another one.
        hours: core-hours expected, by what earlier results took.
    """

    seeds: int = 0
    blocks: int = 0
    look: int = 1
    hours: float = 0.0


@dataclass(frozen=True)
class Piece:
    """Studies that are read together.

    Attributes:
        name: for the page.
        studies: what is run of each.
        earlier: the known differences of the earlier results from today's program; "" where none is known.
        first_seed: the number that fresh seeds add to a study's own; 0 for the protocol's.
    """

    name: str
    studies: Mapping[str, Planned]
    earlier: str = ""
    first_seed: int = 0


@dataclass(frozen=True)
class Protocol:
    """The pieces in their order.

    Attributes:
        number: of the protocol, "1.0".
        fixed: the day it was fixed.
        hash: :func:`declared` on that day.
        first_seed: what the fresh seeds add to a study's own, where a piece has no such number of its own.
        pieces: the most informative first.
        cut: study -> why none of its cells is run.
        note: on how it was fixed, in words for the page; "" for none.
    """

    number: str
    fixed: str
    hash: str
    first_seed: int
    pieces: tuple[Piece, ...]
    cut: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def piece(self, study: str) -> Piece | None:
        """The piece that a study belongs to; None for one that is cut, or not of the papers."""
        return next((one for one in self.pieces if study in one.studies), None)

    def earlier(self, study: str, seeds: Iterable[int]) -> str:
        """The known differences of a study's results on these seeds from today's program."""
        piece, seeds = self.piece(study), tuple(seeds)
        return piece.earlier if piece and seeds and min(seeds) < self.first_of(piece) else ""

    def first_of(self, piece: Piece) -> int:
        """The number that the fresh seeds of a piece add to a study's own."""
        return piece.first_seed or self.first_seed


@cache
def read(path: Path = PATH) -> Protocol:
    """The protocol in a file. Raises ValueError where two pieces share a study, or a study is both run and cut."""
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    pieces = tuple(
        Piece(**{**one, "studies": {study: Planned(**plan) for study, plan in one["studies"].items()}})
        for one in found["piece"]
    )
    cut: dict[str, str] = found.get("cut", {})
    every = [study for piece in pieces for study in piece.studies] + list(cut)
    if twice := {study for study in every if every.count(study) > 1}:
        raise ValueError(f"{path} names twice: {', '.join(sorted(twice))}")
    return Protocol(
        found["number"], str(found["fixed"]), found["hash"], found["first_seed"], pieces, cut, found.get("note", "")
    )


def fix(found: str, today: datetime.date, path: Path = PATH) -> None:
    """Writes the hash of what is declared, and the day, into the file of the protocol."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^fixed = .*$", f"fixed = {today.isoformat()}", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^hash = .*$", f'hash = "{found}"', text, count=1, flags=re.MULTILINE)
    write_whole(path, text.encode())
    read.cache_clear()


def planned(study: Study, protocol: Protocol) -> Study:
    """The study with the cells of the protocol at scale paper, on fresh seeds; a study of no piece stays as it is."""
    piece = protocol.piece(study.id)
    if piece is None:
        return study
    plan = piece.studies[study.id]
    chosen = first_blocks(study, plan.blocks) if plan.blocks else study
    first = protocol.first_of(piece)

    def cells(scale: str) -> list[Cell]:
        if scale != SCALE:
            return list(study.cells(scale))
        found = [replace(cell, seeds=cell.seeds[: plan.seeds or None]) for cell in chosen.cells(scale)]
        return [replace(cell, seeds=tuple(first + seed for seed in cell.seeds)) for cell in found]

    return replace(study, cells=cells)


def seeds(study: Study, scale: str = SCALE) -> tuple[int, int]:
    """The fewest and the most seeds, over all blocks, of a run of a study: a problem, a method and its options."""
    counts = Counter[str]()
    for cell in study.every_cell(scale):
        counts[replace(cell, seeds=()).digest] += len(cell.seeds)
    return min(counts.values(), default=0), max(counts.values(), default=0)


def declared(protocol: Protocol, studies: Mapping[str, Study], readings: Mapping[str, str]) -> str:
    """Hash of what the protocol fixes: its pieces in their order with every cell, and each reading's declaration. Of a
    study that uses public data, whose cells depend on the files at hand, the plan stands for the cells.

    Args:
        protocol: the protocol.
        studies: the planned studies by id.
        readings: reading -> hash of its declaration.
    """

    def cells(study: str, plan: Planned) -> list[Any]:
        if studies[study].data:
            return [plan.seeds, plan.blocks]
        return sorted(cell.digest for cell in studies[study].cells(SCALE))

    pieces = [
        [piece.name, study, plan.look, cells(study, plan)]
        for piece in protocol.pieces
        for study, plan in piece.studies.items()
    ]
    told = [protocol.number, protocol.first_seed, pieces, sorted(protocol.cut), sorted(readings.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
