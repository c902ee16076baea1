"""The compiled programs of cells, traced and not run: they decide whether two versions of the code compute the same.

    python -P experiments/engine/programs.py < cells.json

reads configurations of cells, one JSON object a line, and writes a line for each: a digest, or the reason why there is
none. It imports only the studies from the project, in the checkout that PYTHONPATH names.

The module calls a cell's function and notes each program that JAX would compile, with the arrays that enter it. A
program without loops is run. A program with loops (a search, a fit, a whole run) is not run: made-up numbers stand for
its results, uniform on (0, 1), zero for whole numbers, the same in every checkout. So the digest covers every program,
its constants, the host's own computations, and the host's use of the programs' results, as far as made-up results show
it. Names, source lines, addresses and measured times do not enter.
"""

import hashlib
import importlib
import json
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
from jax._src import pjit
from jax.extend import core

__all__ = ["digest_of_program", "digests", "programs_of"]

SECONDS = 180
"""The seconds after which the tracing of one cell is given up."""

_NO_MATTER = frozenset(
    ("name", "debug_info", "ctx_mesh", "in_shardings", "out_shardings", "in_layouts", "out_layouts", "donated_invars")
    + ("keep_unused", "inline", "compiler_options_kvs", "jvp_jaxpr_fun", "jvp_fun", "fwd_jaxpr_thunk", "bwd", "fwd")
)
_LOOPS = frozenset(("scan", "while"))
_ADDRESS = re.compile(r" at 0x[0-9a-f]+|0x[0-9a-f]{6,}")


def digest_of_program(program: core.ClosedJaxpr) -> bytes:
    """A hash of a traced program and its constants, blind to names."""
    told = hashlib.sha256()
    for part in _written(program):
        told.update(part)
    return told.digest()


def _written(program: Any) -> Iterator[bytes]:
    consts = getattr(program, "consts", ())
    jaxpr = getattr(program, "jaxpr", program)
    numbers: dict[Any, int] = {}
    for one in consts:
        yield _array(one)
    for variable in (*jaxpr.constvars, *jaxpr.invars):
        numbers[variable] = len(numbers)
        yield str(variable.aval).encode()
    for equation in jaxpr.eqns:
        yield f"\n{equation.primitive.name}".encode()
        for one in equation.invars:
            yield _array(one.val) if hasattr(one, "val") else f" v{numbers[one]}".encode()
        for name in sorted(set(equation.params) - _NO_MATTER):
            yield f" {name}=".encode()
            yield from _parameter(equation.params[name])
        for one in equation.outvars:
            numbers[one] = len(numbers)
            yield f" {one.aval}".encode()
    yield b" ->"
    for one in jaxpr.outvars:
        yield _array(one.val) if hasattr(one, "val") else f" v{numbers[one]}".encode()


def _parameter(value: Any) -> Iterator[bytes]:
    if hasattr(value, "eqns"):
        yield b"{"
        yield from _written(value)
        yield b"}"
    elif isinstance(value, (np.ndarray, jax.Array)):
        yield _array(value)
    elif isinstance(value, (tuple, list)):
        yield b"("
        for one in value:
            yield from _parameter(one)
            yield b","
        yield b")"
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield f"{key}:".encode()
            yield from _parameter(value[key])
    elif callable(value) and not isinstance(value, type):
        yield f"<{type(value).__name__}>".encode()
    else:
        yield _ADDRESS.sub("", repr(value)).encode()


def _array(value: Any) -> bytes:
    """An array as type, shape and a hash of its bytes."""
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    array = np.asarray(value)
    weak = getattr(value, "weak_type", False)
    content = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return f"[{array.dtype}{array.shape}{weak}{content}]".encode()


def _loops(program: Any) -> bool:
    """True where a program, or one within it, has a loop."""
    for equation in getattr(program, "jaxpr", program).eqns:
        if equation.primitive.name in _LOOPS or "while" in equation.primitive.name:
            return True
        inner = (one for value in equation.params.values() for one in (value if isinstance(value, tuple) else (value,)))
        if any(_loops(one) for one in inner if hasattr(one, "eqns")):
            return True
    return False


class _Notes:
    """The replacement of the function that compiles and runs a program."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.told = hashlib.sha256()
        self.count = 0
        self.made_up = 0
        self.known: dict[int, tuple[Any, bytes, bool]] = {}

    def __call__(self, *arguments: Any, jaxpr: Any, **parameters: Any) -> Any:
        if id(jaxpr) not in self.known:
            self.known[id(jaxpr)] = (jaxpr, digest_of_program(jaxpr), _loops(jaxpr))
        _, digest, loops = self.known[id(jaxpr)]
        self.told.update(digest)
        self.count += 1
        for one in arguments:
            self.told.update(_array(one))
        if not loops:
            return self.run(*arguments, jaxpr=jaxpr, **parameters)
        self.made_up += 1
        return [_made_up(aval, [self.count, index]) for index, aval in enumerate(jaxpr.out_avals)], None, None, []


def _made_up(aval: Any, seed: list[int]) -> jax.Array:
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
        words = np.random.default_rng(seed).integers(0, 2**32, (*aval.shape, 2), dtype=np.uint32)
        return jax.random.wrap_key_data(jax.device_put(words))
    if np.issubdtype(aval.dtype, np.floating):
        return jax.device_put(np.random.default_rng(seed).uniform(size=aval.shape).astype(aval.dtype))
    return jax.device_put(np.zeros(aval.shape, aval.dtype))


def programs_of(run: Any, cell: Any) -> tuple[str, int, int]:
    """The digest of a cell's function, the number of programs that it calls, and the number of programs that were not
    run."""
    notes = _Notes(pjit._pjit_call_impl_python)
    pjit._pjit_call_impl_python = notes
    jax.clear_caches()  # programs that are compiled already would run without being noted
    try:
        arrays = run(cell)
    finally:
        pjit._pjit_call_impl_python = notes.run
    for name in sorted(arrays):
        if "seconds" not in name:
            notes.told.update(name.encode() + _array(arrays[name]))
    return notes.told.hexdigest()[:16], notes.count, notes.made_up


def digests(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """The digest, or the error, of each configuration of a cell."""
    from experiments.engine.registry import STUDIES
    from experiments.engine.study import Cell

    signal.signal(signal.SIGALRM, _give_up)
    for line in lines:
        config = json.loads(line)
        signal.alarm(SECONDS)
        try:
            study = STUDIES[config["study"]]
            cell = Cell(
                config["problem"],
                config["policy"],
                tuple(config["seeds"]),
                config["options"],
                study=config["study"],
                scale=config["scale"],
            )
            digest, count, made_up = programs_of(study.run, cell)
            yield {"digest": digest, "programs": count, "made_up": made_up}
        except Exception as error:
            yield {"error": f"{type(error).__name__}: {error}"[:300]}
        finally:
            signal.alarm(0)


def _give_up(signum: int, frame: object) -> None:
    raise TimeoutError(f"not traced within {SECONDS} s")


if __name__ == "__main__":
    importlib.import_module("core")  # settings first
    for found in digests(iter(sys.stdin)):
        print(json.dumps(found), flush=True)
