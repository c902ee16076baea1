"""Adversarial search: find the input on which an inequality is violated the most.

Both searches maximise `violation(input)`, positive where the claim fails. NaN counts as the largest violation, since no
claim of the papers allows it. The result is the worst input found, not a proof.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import hypothesis
import jax
import jax.numpy as jnp
import numpy as np
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy
from numpy.typing import ArrayLike

_PERMITTED: LRUCache[Any, Any] = LRUCache(1024)


@contextmanager
def same_in_every_process() -> Iterator[None]:
    """Within this context Hypothesis draws without the numbers that it reads from the modules loaded so far.

    Hypothesis mixes such numbers into its draws, so that a search with a fixed seed would depend on the imports of the
    process. The fixed list of awkward numbers remains. Hypothesis has no option for this: the context replaces the
    reader of modules by a function that finds nothing, with its own cache.
    """
    with patch.multiple(providers, _get_local_constants=Constants, CONSTANTS_CACHE=_PERMITTED):
        yield


@dataclass(frozen=True)
class Worst:
    """The largest violation found, the input that reaches it, and how many inputs were tried."""

    value: float
    example: Any
    evaluations: int


def maximise_by_hypothesis(
    strategy: SearchStrategy[Any], violation: Callable[[Any], float], *, examples: int, seed: int
) -> Worst:
    """Generates `examples` inputs from `strategy`, steered by `hypothesis.target` towards the largest violation.

    Half of the effort is spent on hill climbing. The same seed gives the same search, whatever modules are loaded.
    Hypothesis's example database is neither read nor written. Exceptions of `violation` propagate.
    """
    worst = Worst(-math.inf, None, 0)
    evaluations = 0

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.target),
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def search(example: Any) -> None:
        nonlocal worst, evaluations
        evaluations += 1
        value = float(violation(example))
        value = math.inf if math.isnan(value) else value
        if value > worst.value or worst.example is None:
            worst = Worst(value, example, evaluations)
        if math.isfinite(value):
            hypothesis.target(value)

    with same_in_every_process():
        search()
    return Worst(worst.value, worst.example, evaluations)


def maximise_by_gradient(
    violation: Callable[[jax.Array], jax.Array],
    key: jax.Array,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    starts: int = 64,
    steps: int = 200,
    step_size: float = 0.05,
) -> Worst:
    """Projected Adam ascent of `violation: (p,) -> ()` over a box, all starts in one compiled program.

    Starts are uniform in the box [lower, upper]; steps are in units of its side lengths and shrink linearly to zero.
    Gradients that are not finite are replaced by zero. Every iterate is scored, so the result is at least the best
    start. `example` is an array (p,). Raises ValueError unless lower < upper.
    """
    low, high = jnp.asarray(lower, float), jnp.asarray(upper, float)
    if low.ndim != 1 or low.shape != high.shape or not bool(jnp.all(low < high)):
        raise ValueError(f"lower and upper must be vectors with lower < upper, got {low} and {high}")
    side = high - low
    value_and_gradient = jax.value_and_grad(lambda unit: violation(low + side * unit))

    def ascend(start: jax.Array) -> tuple[jax.Array, jax.Array]:
        def step(carry: Any, count: jax.Array) -> tuple[Any, None]:
            unit, first, second, best, best_unit = carry
            value, gradient = value_and_gradient(unit)
            value = jnp.where(jnp.isnan(value), jnp.inf, value)
            gradient = jnp.where(jnp.isfinite(gradient), gradient, 0.0)
            first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
            better = value > best
            best, best_unit = jnp.where(better, value, best), jnp.where(better, unit, best_unit)
            corrected = (first / (1 - 0.9**count)) / (jnp.sqrt(second / (1 - 0.999**count)) + 1e-12)
            unit = jnp.clip(unit + step_size * (1 - (count - 1) / steps) * corrected, 0.0, 1.0)
            return (unit, first, second, best, best_unit), None

        zero = jnp.zeros_like(start)
        begin = (start, zero, zero, jnp.asarray(-jnp.inf), start)
        (_, _, _, best, best_unit), _ = jax.lax.scan(step, begin, jnp.arange(1.0, steps + 1.0))
        return best, best_unit

    units = jax.random.uniform(key, (starts, low.shape[0]))
    values, best_units = jax.jit(jax.vmap(ascend))(units)
    index = int(np.argmax(np.asarray(values)))
    return Worst(float(values[index]), np.asarray(low + side * best_units[index]), starts * steps)
