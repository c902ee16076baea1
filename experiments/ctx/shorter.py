"""150 of the 340 rounds at scale paper: in Figures 1 (b) and 2, and in Figure 1 (a) for the slower peers.

What a proposal costs grows with the rounds; 150 of them cost about a fifth of 340, which buys the seeds that newsvendor
and portfolio need. Whether an order seen after 150 rounds counts is the readings' affair
(`theory_checks.ctx.instruments.figures`): the second half of them has to say the same.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from experiments.ctx import benchmarks
from experiments.ctx.benchmarks import METHODS
from experiments.engine.study import Cell

__all__ = ["ROUNDS", "cells"]

ROUNDS: Mapping[str, int] = {**benchmarks.ROUNDS, "paper": 150}
"""Rounds after the initial design."""


def cells(
    scale: str,
    problems: Sequence[str],
    methods: Sequence[str] = METHODS,
    whole: Collection[tuple[str, str]] = (),
) -> list[Cell]:
    """The cells of `experiments.ctx.benchmarks`, with these rounds but for the (problem, method) in `whole`."""
    return [
        cell
        if (cell.problem, cell.policy) in whole
        else replace(cell, options={**cell.options, "rounds": ROUNDS[scale]})
        for cell in benchmarks.cells(scale, problems, methods)
    ]
