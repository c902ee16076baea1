"""What a stored run is a run of, as numbers and text: by it a file is recognised, and a foreign one refused.

Also the states of policies as arrays: a state is a pytree whose structure the policy knows, so its leaves are enough.
Nothing is pickled: reading a file runs no code of it.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.checks import is_key
from core.optimizer.history import History
from core.optimizer.optimizer import Optimizer
from core.optimizer.spaces import Space
from core.policies import Policy

__all__ = ["arrays_of_state", "bounds_of", "difference", "digest", "fingerprint", "identity", "key_of", "state_of"]


def identity(optimizer: Optimizer) -> dict[str, Any]:
    """All that decides what an optimizer proposes, but for what it has been told."""
    history, domain = optimizer.progress.history, optimizer.domain
    return {
        "bounds": domain.box.tolist(),
        "space": None if domain.space is None else domain.space.described(),
        "constraint": domain.constrained,
        "context_bounds": None if history.context_bounds is None else history.context_bounds.tolist(),
        "maximize": history.maximize,
        "policy": fingerprint(optimizer.policy),
        "policy_name": optimizer.policy_name,
        "key": [str(jax.random.key_impl(optimizer.key)), np.asarray(jax.random.key_data(optimizer.key)).tolist()],
        "initial_size": int(optimizer.initial_size),
        "failures": optimizer.failures,
        "noise": optimizer.noise,
    }


def difference(stored: dict[str, Any], present: dict[str, Any]) -> str | None:
    """Where two identities differ first; None where they do not. A policy may be given by name or as an instance."""
    for name, value in present.items():
        if name != "policy_name" and json.dumps(stored.get(name)) != json.dumps(value):  # 1 is not True
            return f"{name} was {_short(stored.get(name))}, and is {_short(value)}"
    return None


def fingerprint(policy: Policy) -> str:
    """Its class and a hash of its constants: equal for policies that propose alike."""
    structure = re.sub(r" at 0x[0-9a-f]+", "", str(jax.tree.structure(policy)))
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(policy)]
    content = [structure.encode(), *(f"{leaf.dtype}{leaf.shape}".encode() + leaf.tobytes() for leaf in leaves)]
    return f"{type(policy).__name__}-{hashlib.sha256(b'|'.join(content)).hexdigest()[:12]}"


def digest(history: History) -> str:
    """A hash of the evaluations."""
    parts = [history.x, history.y, history.noise_variance, history.context]
    content = [b"" if part is None else np.asarray(part, float).tobytes() for part in parts]
    return hashlib.sha256(b"|".join(content) + repr(sorted(history.failures.items())).encode()).hexdigest()[:16]


def arrays_of_state(state: Any) -> list[tuple[str, np.ndarray]]:
    """The leaves of a policy's state: "array" or a JAX key's implementation, and the numbers."""
    return [_leaf(leaf) for leaf in jax.tree.leaves(state)]


def state_of(policy: Policy, arrays: Sequence[tuple[str, np.ndarray]]) -> Any:
    """The state of these leaves.

    Raises:
        ValueError: leaves of another number, shape or kind than the policy's state has.
    """
    fresh = jax.eval_shape(policy.init, jax.random.key(0))
    expected, structure = jax.tree.flatten(fresh)
    leaves = [jnp.asarray(a) if kind == "array" else key_of(kind, a) for kind, a in arrays]
    found = [(leaf.shape, is_key(leaf) or str(leaf.dtype)) for leaf in leaves]
    wanted = [(leaf.shape, jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) or str(leaf.dtype)) for leaf in expected]
    if found != wanted:
        raise ValueError(f"it holds the state {found} of another policy, expected {wanted}")
    return jax.tree.unflatten(structure, leaves)


def key_of(implementation: str, data: Any) -> jax.Array:
    """A JAX key from its numbers."""
    key: jax.Array = jax.random.wrap_key_data(jnp.asarray(np.asarray(data, np.uint32)), impl=implementation)
    return key


def bounds_of(stored: dict[str, Any]) -> Any:
    """The space or the box of an identity."""
    return stored["bounds"] if stored["space"] is None else Space.of(stored["space"])


def _leaf(leaf: Any) -> tuple[str, np.ndarray]:
    if is_key(leaf):
        return str(jax.random.key_impl(leaf)), np.asarray(jax.random.key_data(leaf))
    return "array", np.asarray(leaf)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
