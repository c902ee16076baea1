"""A run in a file: :meth:`core.optimizer.optimizer.Optimizer.save` and ``load``; states of policies as arrays.

The file is a zip archive of numpy arrays, one of which holds text in JSON: the identity of the run, the version of the
format (1), and the messages of failures. Nothing is pickled. The archive's checksums reveal a truncated or damaged
file. The archive is written under another name, made durable, and then renamed, so that the old file stays until the
new one is whole.
"""

import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.checks import is_key
from core.environment import owned
from core.optimizer.history import History
from core.optimizer.options import Settings
from core.optimizer.record import Progress, Record
from core.policies import Policy
from core.spaces.space import Space

__all__ = ["arrays_of_state", "difference", "digest", "load", "save", "state_of"]

FORMAT, VERSION = "kernelbo.optimizer", 1
DAMAGED = (OSError, EOFError, KeyError, IndexError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)


def save(path: str | PathLike[str], settings: Settings, progress: Progress) -> None:
    """Write the whole run: settings, evaluations, pending points, the policy's states. An OSError names the path."""
    history = progress.history
    arrays: dict[str, np.ndarray] = {"x": history.x, "y": history.y, "design": settings.design}
    for name in ("noise_variance", "context"):
        if getattr(history, name) is not None:
            arrays[name] = getattr(history, name)
    arrays["pending"] = settings.domain.box[:0, 0] if not progress.pending else np.stack(progress.pending)
    kinds: dict[str, list[str] | None] = {}
    for name, state in (("state", progress.state), ("carried", progress.carried)):
        leaves = arrays_of_state(state)
        kinds[name] = None if state is None else [kind for kind, _ in leaves]
        arrays |= {f"{name}.{number}": leaf for number, (_, leaf) in enumerate(leaves)}
    arrays |= {f"info.{name}": np.asarray(value) for name, value in progress.info.items()}
    text = {
        "format": FORMAT,
        "version": VERSION,
        "identity": settings.identity(),
        "shown": progress.shown,
        "forgotten": progress.forgotten,
        "kinds": kinds,
        "failures": [[number, message] for number, message in history.failures.items()],
    }
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, text=np.asarray(json.dumps(text)), **arrays)
    _write_whole(Path(path), content.getvalue())


@owned
def load(
    path: str | PathLike[str], *, policy: Policy | None = None, constraint: Any = None
) -> tuple[Settings, Progress]:
    """The settings and the state of the run in a file.

    Args:
        path: a file that :func:`save` wrote.
        policy: the policy, where the saved run was given an instance: a file holds its constants' hash, not its code.
        constraint: the constraint, where the saved run had one.

    Raises:
        OSError: a file that cannot be opened.
        ValueError: a file that is truncated, damaged, no saved run, of another version, or of a run with another policy
            or constraint than the given ones, or by a version of this library whose policy of that name has other
            constants.
    """
    raw = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        text = json.loads(str(arrays.pop("text")))
        found, version = text["format"], text["version"]
    except DAMAGED as error:
        raise ValueError(f"{path} is not a saved run, or only a part of one") from error
    if found != FORMAT or version != VERSION:
        raise ValueError(f"{path} is {found} of version {version}; this library reads {FORMAT} of version {VERSION}")
    try:
        return _run(arrays, text, policy, constraint)
    except DAMAGED as error:
        raise ValueError(f"{path} cannot be resumed: {error}") from error


def _run(
    arrays: dict[str, np.ndarray], text: dict[str, Any], policy: Policy | None, constraint: Any
) -> tuple[Settings, Progress]:
    stored = text["identity"]
    if policy is None and stored["policy_name"] is None:
        raise ValueError(f"its policy was an instance, {stored['policy']}: give policy=")
    if constraint is None and stored["constraint"]:
        raise ValueError("it had a constraint: give constraint=")
    settings = Settings.of(
        bounds_of(stored),
        policy=stored["policy_name"] if policy is None else policy,
        key=key_of(*stored["key"]),
        initial_size=stored["initial_size"],
        failures=stored["failures"],
        context_bounds=stored["context_bounds"],
        maximize=stored["maximize"],
        constraint=constraint,
        noise="unknown" if stored.get("noise") is None else stored["noise"],
        transform=stored.get("transform"),
    )
    own = len(stored.get("first") or ())
    settings = replace(settings, policy_name=stored["policy_name"], design=arrays["design"], own=own)
    other = difference(stored, settings.identity())
    if other is not None:
        raise ValueError(other)
    history = History(
        arrays["x"],
        arrays["y"],
        settings.domain.box,
        noise_variance=arrays.get("noise_variance"),
        context=arrays.get("context"),
        context_bounds=settings.context_box,
        failures={int(number): str(message) for number, message in text["failures"]},
        maximize=settings.maximize,
        space=settings.domain.space,
        policy=settings.policy,
    )
    _check_shapes(history, settings.design, arrays["pending"])
    info = {
        name.removeprefix("info."): jnp.asarray(value) for name, value in arrays.items() if name.startswith("info.")
    }
    states = {name: _state(settings.policy, name, arrays, text["kinds"][name]) for name in ("state", "carried")}
    pending = tuple(arrays["pending"]) if arrays["pending"].size else ()
    shown, forgotten = int(text["shown"]), int(text.get("forgotten", 0))
    return settings, Progress(history, pending, shown=shown, info=info, forgotten=forgotten, **states)


def _state(policy: Policy, name: str, arrays: dict[str, np.ndarray], kinds: list[str] | None) -> Any:
    if kinds is None:
        return None
    return state_of(policy, [(kind, arrays[f"{name}.{number}"]) for number, kind in enumerate(kinds)])


def _check_shapes(history: Record, design: np.ndarray, pending: np.ndarray) -> None:
    count, dim = len(history.y), len(history.bounds)
    shapes = [
        (history.x, (count, dim)),
        (history.noise_variance, (count,)),
        (history.context, (count, history.context_dim)),
    ]
    wrong = [part.shape for part, shape in shapes if part is not None and part.shape != shape]
    if wrong or design.shape[1:] != (dim,) or (pending.size and pending.shape[1:] != (dim,)):
        raise ValueError("its arrays do not fit each other")


def _write_whole(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def difference(stored: dict[str, Any], present: dict[str, Any]) -> str | None:
    """The first difference of two identities, or None. A policy may be given by name or as an instance, and what that
    means for ``transform`` is for the caller to compare."""
    for name, value in present.items():
        if name not in ("policy_name", "transform") and json.dumps(stored.get(name)) != json.dumps(
            value
        ):  # 1 is not True
            return f"{name} was {_short(stored.get(name))}, and is {_short(value)}"
    return None


def digest(history: Record) -> str:
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
