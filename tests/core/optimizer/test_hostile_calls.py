"""Senseless calls are refused before any evaluation, by a ValueError that names the argument.

The calls run in a process of their own, because the tests' own process checks every signature and stops most of them.
"""

import json
import re
import subprocess
import sys

import pytest

CHILD = """
import json, sys
import jax, numpy as np
from core import REGISTRY, Integer, Optimizer, Real, make, optimize, seed_keys

KEY, BOX, evaluated = jax.random.key(0), [(0.0, 1.0), (0.0, 1.0)], []

def f(x):
    evaluated.append(x)
    return float(x[0])

def call(**given):
    return optimize(**{"f": f, "bounds": BOX, "policy": "random_search", "budget": 6, "key": KEY, **given})

def tell(*point, **given):
    Optimizer(BOX, policy="random_search", key=KEY).tell(*point, **given)

def outcome(expression):
    evaluated.clear()
    try:
        return ["returned", str(eval(expression)), len(evaluated)]
    except Exception as error:
        return [type(error).__name__, str(error), len(evaluated)]

print(json.dumps([outcome(expression) for expression in json.load(sys.stdin)]))
"""

REFUSED = {
    "call(f=3)": "f must be a function, got 3",
    "call(callback=3)": "callback must be a function, got 3",
    "call(constraint=3)": "constraint must be a function, got 3",
    "call(constraint=lambda x: None)": "what constraint returns must be True or False, got None",
    "call(constraint=lambda x: x > 0.5)": "what constraint returns must be True or False, got array",
    "call(bounds=[('low', 'high')])": r"bounds must be d pairs \(lower, upper\) of numbers, got \[\('low'",
    "call(bounds=[(0, 1j)])": r"bounds must be d pairs \(lower, upper\) of numbers",
    "call(bounds=[(0, 1), (0,)])": r"bounds must be d pairs \(lower, upper\) of numbers",
    "call(bounds=None)": r"bounds must be d pairs \(lower, upper\) of numbers, got None",
    "call(budget=True)": "budget must be an integer of at least 1, got True",
    "call(workers=True)": "workers must be an integer of at least 1, got True",
    "call(maximize='no')": "maximize must be True or False, got 'no'",
    "call(maximize=None)": "maximize must be True or False, got None",
    "call(policy=None)": "policy must be a name or an instance, .* got None",
    "call(policy=REGISTRY['boke'])": "policy must be a name or an instance, .* got <class",
    "call(observations=5)": r"observations must be a History or arrays \(x, y\), got 5",
    "call(observations=([['a', 'b']], [1.0]))": "observations: x must be an array of numbers",
    "call(observations=([[0.5, 0.5]], ['high']))": "observations: y must be an array of numbers",
    "call(log='')": "log names no file",
    "call(transform='no')": "transform must be True or False, got 'no'",
    "call(progress='no')": "progress must be True or False, got 'no'",
    "call(key=None)": r"key must be an integer from 0 to 2\*\*32 - 1, or one key of jax.random.key .*, got None",
    "call(key=-1)": "key must be an integer from 0 .*, got -1",
    "call(key=jax.random.PRNGKey(0))": r"jax.random.key \(not PRNGKey\), got Array",
    "Optimizer(BOX, key=KEY, budget=0)": "budget must be an integer of at least 1, got 0",
    "Optimizer(BOX, key=KEY, budget='6')": "budget must be an integer of at least 1, got '6'",
    "Real(0.0, 1.0, log='no')": "log must be True or False, got 'no'",
    "Integer(1, 9, log=1)": "log must be True or False, got 1",
    "tell([0.5, 0.5], 1.0, context=2.0)": "returned a context, which needs context_bounds",
    "tell([0.5, 0.5], 1.0, noise_variance='0.1')": "returned the noise_variance str '0.1', which is not a number",
    "tell({'x': 1}, 1.0)": r"x must be one point of shape \(2,\), got \{'x': 1\}",
    "tell([0.5, 0.5], failure=3)": "failure must be a message, got 3",
    "tell([0.5, 0.5], '1.0')": "returned str '1.0', which is not a number",
    "seed_keys([-1])": "seeds must be integers from 0",
    "seed_keys([2**32])": "seeds must be integers from 0",
    "seed_keys([0.5])": "seeds must be integers from 0",
    "make('boke', 2.5)": "dim must be an integer of at least 1, got 2.5",
    "make('boke', '2')": "dim must be an integer of at least 1, got '2'",
    "Optimizer.load(__import__('os').devnull)": "is not a saved run, or only a part of one$",
}

TAKEN = {
    "len(call(bounds=(pair for pair in BOX)))": "6",
    "len(call(observations=([], [])))": "6",
    "len(call(maximize=np.True_))": "6",
    "len(call(first=None))": "6",
    "call(constraint=lambda x: x[0] > 0.25).x[:, 0].min() > 0.25": "True",
}
"""Calls that only look wrong."""


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list]:
    """Expression → the exception's name or "returned", the message or the value, how often f was called."""
    expressions = [*REFUSED, *TAKEN, "call(f=lambda x: '1.0')"]
    command = [sys.executable, "-c", CHILD]
    done = subprocess.run(command, input=json.dumps(expressions), capture_output=True, text=True, check=True)
    return dict(zip(expressions, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("expression", REFUSED)
def test_it_is_refused_and_named(outcomes: dict[str, list], expression: str) -> None:
    kind, message, evaluations = outcomes[expression]
    assert (kind, evaluations) == ("ValueError", 0), message
    assert re.search(REFUSED[expression], message)


@pytest.mark.parametrize("expression", TAKEN)
def test_it_is_taken(outcomes: dict[str, list], expression: str) -> None:
    assert outcomes[expression][:2] == ["returned", TAKEN[expression]]


def test_text_is_no_value(outcomes: dict[str, list]) -> None:
    kind, message, _ = outcomes["call(f=lambda x: '1.0')"]
    assert kind == "EvaluationError"
    assert message.endswith("returned str '1.0', which is not a number")
