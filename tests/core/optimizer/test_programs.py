"""The compilation of a run's programs begins before the run needs them, and the run uses no others."""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import pytest

from core import Optimizer, compilation, make, optimize
from core.optimizer import programs
from tests.core.optimizer.hills import BOX, KEY, hill, policy

Begun = list[tuple[int, int, bool]]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    """The programs begun: number of observations, capacity, and True for the search."""
    found: Begun = []

    def note(learns: Any, searching: Any, key: Any, state: Any, observations: Any) -> None:
        found.append((int(observations.count), observations.capacity, searching is not None))

    monkeypatch.setattr(programs, "compile_ahead", note)
    return found


@pytest.mark.parametrize(
    ("budget", "options", "expected"),
    [
        (9, {}, [(1, 32, True)]),
        (40, {}, [(1, 32, True), (16, 64, True)]),
        (33, {}, [(1, 32, True)]),  # the last proposal is made at 32
        (6, {"initial_size": 6}, [(1, 32, False)]),  # of the search there is no need
        (42, {"initial_size": 40}, [(1, 64, True)]),
        (9, {"constraint": lambda x: x[0] > -4.0}, [(1, 32, False)]),  # whose candidates are not known yet
    ],
)
def test_what_is_begun_when(begun: Begun, budget: int, options: dict[str, Any], expected: Begun) -> None:
    optimize(hill, BOX, policy="random_search", budget=budget, key=KEY, **options)
    assert begun == expected


def test_without_a_budget_growth_is_begun_at_three_quarters(begun: Begun) -> None:
    asked = Optimizer(BOX, policy="random_search", key=KEY)
    for _ in range(50):
        x = asked.ask()[0]
        asked.tell(x, hill(x))
    assert begun == [(1, 32, True), (24, 64, True), (48, 128, True)]


def test_the_default_has_no_program_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of keys and first states, which hold no observations, do not count."""
    made: list[str] = []

    def traced(task: compilation.Task) -> Any:
        made.append(task.function.__name__)
        return real(task)

    real = compilation.Task.traced
    monkeypatch.setattr(compilation.Task, "traced", traced)
    monkeypatch.setattr(compilation, "_programs", type(compilation._programs)())
    history = optimize(hill, BOX, budget=34, key=KEY)
    assert history.recommended is not None
    assert set(made) <= {"_split", "_init"}


def test_failures_count_once_an_evaluation_has_succeeded(begun: Begun) -> None:
    asked = Optimizer(BOX, policy="random_search", key=KEY)
    asked.tell(asked.ask()[0], failure="broken")
    point = asked.ask()[0]
    assert not begun
    asked.tell(point, 1.0)
    asked.ask()
    assert begun == [(2, 32, True)]


def test_what_a_run_uses_is_what_was_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[compilation.Task] = []
    used: list[compilation.Task] = []

    def prepare(tasks: Sequence[compilation.Task]) -> None:
        prepared.extend(tasks)
        compilation.prepare(tasks)

    def run(task: compilation.Task) -> Any:
        used.append(task)
        return compilation.run(task)

    monkeypatch.setattr(programs, "prepare", prepare)
    monkeypatch.setattr(programs, "run", run)
    direct = optimize(hill, BOX, policy=policy("gp_ucb_refit"), budget=8, key=KEY)
    names = [task.function.__name__ for task in prepared]
    assert names == ["_propose", "_update"]
    last = max(number for number, task in enumerate(used) if task.function.__name__ == "_propose")
    wanted = {task.key for task in used[: last + 1] if task.function.__name__ in names}  # the verdict on noise is later
    assert wanted == {task.key for task in prepared}
    assert np.isfinite(direct.best_y)


@pytest.mark.parametrize("name", ["sbo_kde", "uhe_bo"])
def test_a_first_state_has_the_types_of_later_ones(name: str) -> None:
    """The programs made ahead are those of the first proposal, which then does not wait for a second compilation."""
    policy = make(name, 2, **({"context_dim": 1} if name == "sbo_kde" else {}))
    first = programs.first_state(policy, jax.random.key(0))
    assert not any(getattr(leaf, "weak_type", False) for leaf in jax.tree.leaves(first))
    weak = jax.tree.leaves(jax.eval_shape(policy.init, jax.random.key(0)))
    assert any(leaf.weak_type for leaf in weak)  # the policy's own are weak
