"""Values and seconds of all programs on one platform: `python -m benchmarks.gpu.measure cpu|gpu FILE --seconds N`.

Each platform has a process of its own, so that programs find the right platform. The run names the programs that it
leaves out for lack of time.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from experiments.data.formats import write_arrays
from experiments.engine.files import write_whole
from experiments.engine.pool import PLATFORMS, set_environment

__all__ = ["RUNS", "main"]

STARTS = (8, 128)
"""Starts of the search of one proposal."""
RUNS: Mapping[str, tuple[int, ...]] = {
    "boke": (1, 30, 300),
    "gp_ucb": (1, 30, 300),
    "gp_ucb_refit": (1, 30),
    "uhe_bo": (1, 30),
    "sbo_kde": (5, 30),
    "drbo_kde": (5, 30),
}
"""Policy -> seeds of a whole run in one program; those of Paper C on modified Branin, the others on Branin."""
CONTEXTUAL = "drbo_kde"
BUDGET, CONTEXT_BUDGET, INITIAL = 40, 25, 10
SMALL_BUDGET = 12


def _programs(tiny: bool) -> Iterator[Any]:
    """The most telling first: formulas; runs of many seeds and searches of many starts; studies' runs; proposals."""
    from benchmarks.gpu import programs
    from core.policies import FINITE_SET, REGISTRY

    yield from islice(programs.formulas(), 3 if tiny else None)
    for name, several in {"random_search": (1,)}.items() if tiny else RUNS.items():
        for seeds in several:
            yield _run(name, seeds, SMALL_BUDGET if tiny else BUDGET)
    yield from () if tiny else _searches()
    for study in () if tiny else programs.HEAVY:
        yield programs.study_run(study)
    for name in ("ucb1",) if tiny else (*REGISTRY, *FINITE_SET):
        yield programs.proposal(name)


def _run(name: str, seeds: int, budget: int) -> Any:
    """Whole runs of a policy, all seeds in one program."""
    from benchmarks.gpu.programs import Program
    from core import simulate
    from core.designs import seed_keys
    from core.policies import contextual, make
    from experiments.problems import get
    from experiments.problems.contexts.registry import get_context

    problem: Any = get_context("context_branin") if contextual(name) else get("branin")
    policy = make(name, problem.dim, **({"context_dim": problem.context_dim} if contextual(name) else {}))
    length = CONTEXT_BUDGET if contextual(name) else budget

    def run(keys: Any) -> Any:
        done = simulate(policy, problem, keys, length, initial_size=INITIAL)
        return done.x, done.y

    return Program(f"{name}, {seeds} seeds", "run", run, (seed_keys(range(seeds)),))


def _searches() -> Iterator[Any]:
    """Proposals of 64 keys in one program."""
    import jax

    from benchmarks.gpu import programs
    from core.policies import SearchEffort

    efforts = [SearchEffort.of(programs.DIM, raw_candidates=1024, starts=starts) for starts in STARTS]
    ones = [(f"of {effort.starts} starts", programs.proposal("gp_ucb", effort)) for effort in efforts]
    for more, one in (*ones, ("", programs.proposal(CONTEXTUAL))):
        keys = jax.random.split(one.arguments[0], 64)
        many = jax.vmap(one.function, in_axes=(0, None))
        name = f"{one.name}, {len(keys)} proposals {more}".strip()
        yield programs.Program(name, "search", many, (keys, one.arguments[1]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes values, first-call seconds and seconds of every program into an .npz file; 0 where it came to its end."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu.measure", description=__doc__)
    parser.add_argument("platform", choices=tuple(PLATFORMS))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args(arguments)
    set_environment(options.platform)
    begun = time.monotonic()
    found: dict[str, np.ndarray] = {}
    import core  # noqa: F401 - its settings come before jax is used

    import jax  # isort: skip

    for program in _programs(options.tiny):
        place = f"{program.kind}|{program.name}"
        if time.monotonic() - begun > options.seconds:
            found[f"{place}|left out"] = np.array(True)
            continue
        try:
            compiled = program.function if program.kind == "run" else jax.jit(program.function)
            seconds = []
            for _ in range(3):
                start = time.perf_counter()
                values = jax.block_until_ready(compiled(*program.arguments))
                seconds.append(time.perf_counter() - start)
        except Exception as error:
            found[f"{place}|failed"] = np.array(f"{type(error).__name__}: {str(error)[:300]}")
            continue
        found[f"{place}|seconds"] = np.array([seconds[0], min(seconds[1:])])
        for number, (path, leaf) in enumerate(jax.tree_util.tree_flatten_with_path(values)[0]):
            found[f"{place}|value|{number}{jax.tree_util.keystr(path)}"] = np.asarray(leaf)
        print(f"{options.platform} {program.kind} {program.name}: {seconds[-1]:.4f} s", file=sys.stderr)
        _save(options.file, found)  # the file keeps its content if a later program takes too long
        jax.clear_caches()
    _save(options.file, found)
    return 0


def _save(path: Path, found: dict[str, np.ndarray]) -> None:
    write_whole(path, write_arrays(found), durable=False)


if __name__ == "__main__":
    os.environ.setdefault("KERNELBO_OFFLINE", "1")
    sys.exit(main())
