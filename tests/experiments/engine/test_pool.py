"""The environment of a worker process."""

import os
from dataclasses import replace

import pytest

from experiments.engine.pool import COMPILED_IN_A_HURRY, Job, next_for, set_environment
from experiments.engine.study import Cell
from experiments.engine.task import CellTask


@pytest.mark.parametrize(
    ("scale", "platform", "given", "expected"),
    [
        ("smoke", "cpu", None, COMPILED_IN_A_HURRY),
        ("smoke", "cpu", "--xla_dump_to=/tmp", f"--xla_dump_to=/tmp {COMPILED_IN_A_HURRY}"),
        ("smoke", "cpu", "--xla_backend_optimization_level=3", "--xla_backend_optimization_level=3"),
        ("smoke", "gpu", None, None),
        ("quick", "cpu", None, None),
        ("", "cpu", None, None),
    ],
)
def test_scale_smoke_alone_is_compiled_in_a_hurry(
    monkeypatch: pytest.MonkeyPatch, scale: str, platform: str, given: str | None, expected: str | None
) -> None:
    monkeypatch.setattr(os, "environ", {} if given is None else {"XLA_FLAGS": given})
    set_environment(platform, scale)
    set_environment(platform, scale)  # once is enough
    assert os.environ.get("XLA_FLAGS") == expected
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_workers_share_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {})
    set_environment("cpu")
    assert "XLA_PYTHON_CLIENT_PREALLOCATE" not in os.environ
    set_environment("gpu")
    assert os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"


def job(problem: str, policy: str, study: str = "cei.fig3", seed: int = 0) -> Job:
    cell = Cell(problem, policy, (seed,), study=study, scale="quick")
    return Job(cell, CellTask("experiments.cei.fig3", cell), "code")


A, B, C = job("levy4", "ei"), job("levy4", "pi"), job("hartmann3", "ei")
A_ELSEWHERE, A_AGAIN, OTHER_PAPER = (
    job("levy4", "ei", "cei.fig7"),
    job("levy4", "ei", seed=1),
    job("levy4", "ei", "a.b"),
)


def shared(problem: str, policy: str, program: str) -> Job:
    return replace(job(problem, policy, "cei.fig3_public"), program=program)


P, P_TOO, Q = shared("levy4", "ei", "levy4"), shared("levy4", "pi", "levy4"), shared("hartmann3", "ei", "hartmann3")


@pytest.mark.parametrize(
    ("last", "others", "waiting", "expected"),
    [
        (None, [], [A, B], 0),
        (P, [], [Q, A, P_TOO], 2),  # what the study says that its cells share
        (None, [P], [P_TOO, A], 1),
        (A, [P], [P_TOO, Q], 1),
        (A, [], [B, A_ELSEWHERE], 1),  # the program that it holds, of whichever study of the paper
        (A, [], [B, OTHER_PAPER], 0),
        (None, [A], [A_AGAIN, A_ELSEWHERE, B], 2),  # not what another worker is compiling
        (B, [A], [A_AGAIN, C, B], 2),
        (C, [A], [A_AGAIN, A_ELSEWHERE], 0),  # unless there is nothing else
    ],
)
def test_a_worker_goes_on_with_the_program_that_it_holds(last, others, waiting, expected):
    assert next_for(last, others, waiting) == expected
