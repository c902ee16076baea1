"""A run in a file: :meth:`core.optimizer.optimizer.Optimizer.save` and ``load``.

A zip archive of numpy arrays, one of which holds text in JSON: what the run is a run of, version 1 of this format, and
the messages of failures. Nothing is pickled. The archive's checksums tell a truncated or damaged file; it is written
under another name, made durable, and then renamed, so that the old file stays until the new one is whole.
"""

import io
import json
import os
import zipfile
import zlib
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from core.optimizer.history import History
from core.optimizer.identity import arrays_of_state, bounds_of, difference, identity, key_of, state_of
from core.optimizer.optimizer import Optimizer, Progress
from core.optimizer.surroundings import owned
from core.policies import Policy

__all__ = ["load", "save"]

FORMAT, VERSION = "kernelbo.optimizer", 1
DAMAGED = (OSError, EOFError, KeyError, IndexError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)


def save(optimizer: Optimizer, path: str | PathLike[str]) -> None:
    """Write the whole run: settings, evaluations, pending points, the policy's states. An OSError names the path."""
    progress, history = optimizer.progress, optimizer.progress.history
    arrays: dict[str, np.ndarray] = {"x": history.x, "y": history.y, "design": optimizer.design}
    for name in ("noise_variance", "context"):
        if getattr(history, name) is not None:
            arrays[name] = getattr(history, name)
    arrays["pending"] = optimizer.domain.box[:0, 0] if not progress.pending else np.stack(progress.pending)
    kinds: dict[str, list[str] | None] = {}
    for name, state in (("state", progress.state), ("carried", progress.carried)):
        leaves = arrays_of_state(state)
        kinds[name] = None if state is None else [kind for kind, _ in leaves]
        arrays |= {f"{name}.{number}": leaf for number, (_, leaf) in enumerate(leaves)}
    arrays |= {f"info.{name}": np.asarray(value) for name, value in progress.info.items()}
    text = {
        "format": FORMAT,
        "version": VERSION,
        "identity": identity(optimizer),
        "shown": progress.shown,
        "kinds": kinds,
        "failures": [[number, message] for number, message in history.failures.items()],
    }
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, text=np.asarray(json.dumps(text)), **arrays)
    _write_whole(Path(path), content.getvalue())


@owned
def load(path: str | PathLike[str], *, policy: Policy | None = None, constraint: Any = None) -> Optimizer:
    """The run of a file.

    Args:
        path: what :func:`save` wrote.
        policy: the policy, where the saved run was given an instance: a file holds its constants' hash, not its code.
        constraint: the constraint, where the saved run had one.

    Raises:
        OSError: a file that cannot be opened.
        ValueError: a file that is truncated, damaged, no saved run, of another version, or of a run with another policy
            or constraint than are given, or by a version of this library whose policy of that name has other constants.
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
        return _optimizer(arrays, text, policy, constraint)
    except DAMAGED as error:
        raise ValueError(f"{path} cannot be resumed: {error}") from error


def _optimizer(
    arrays: dict[str, np.ndarray], text: dict[str, Any], policy: Policy | None, constraint: Any
) -> Optimizer:
    stored = text["identity"]
    if policy is None and stored["policy_name"] is None:
        raise ValueError(f"its policy was an instance, {stored['policy']}: give policy=")
    if constraint is None and stored["constraint"]:
        raise ValueError("it had a constraint: give constraint=")
    contexts = stored["context_bounds"]
    optimizer = Optimizer(
        bounds_of(stored),
        policy=stored["policy_name"] if policy is None else policy,
        key=key_of(*stored["key"]),
        initial_size=stored["initial_size"],
        failures=stored["failures"],
        context_bounds=contexts,
        maximize=stored["maximize"],
        constraint=constraint,
        noise="unknown" if stored.get("noise") is None else stored["noise"],
    )
    other = difference(stored, identity(optimizer))
    if other is not None:
        raise ValueError(other)
    optimizer.policy_name = stored["policy_name"]
    optimizer.design = arrays["design"]
    history = replace(
        optimizer.progress.history,
        x=arrays["x"],
        y=arrays["y"],
        noise_variance=arrays.get("noise_variance"),
        context=arrays.get("context"),
        failures={int(number): str(message) for number, message in text["failures"]},
    )
    _check_shapes(history, optimizer.design, arrays["pending"])
    info = {
        name.removeprefix("info."): jnp.asarray(value) for name, value in arrays.items() if name.startswith("info.")
    }
    states = {name: _state(optimizer.policy, name, arrays, text["kinds"][name]) for name in ("state", "carried")}
    pending = tuple(arrays["pending"]) if arrays["pending"].size else ()
    optimizer.progress = Progress(history, pending, shown=int(text["shown"]), info=info, **states)
    return optimizer


def _state(policy: Policy, name: str, arrays: dict[str, np.ndarray], kinds: list[str] | None) -> Any:
    if kinds is None:
        return None
    return state_of(policy, [(kind, arrays[f"{name}.{number}"]) for number, kind in enumerate(kinds)])


def _check_shapes(history: History, design: np.ndarray, pending: np.ndarray) -> None:
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
