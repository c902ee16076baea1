"""The command `kernelbo`: ask and tell for programs in any language, on one file that holds the run.

::

    kernelbo ask  --state run.kernelbo --space space.toml --minimize     # prints a point, as JSON
    kernelbo tell --state run.kernelbo '{"rate": 0.01, "layers": 3}' 0.42
    kernelbo best --state run.kernelbo

The first `ask` begins the run. Any process may tell a printed point, in any order; a point that differs by rounding
counts as the printed one. Calls at the same time wait for each other: a file beside the state, with `.lock` added to
its name, is locked. The state is written whole or not at all (:mod:`core.optimizer.checkpoint`).

A space is a TOML file with a table a parameter, in order::

    [rate]
    kind = "real"                # low, high; log = true
    low = 1e-4
    high = 1.0

    [layers]
    kind = "integer"             # low, high; log = true, or step
    low = 1
    high = 6

    [kernel]
    kind = "categorical"         # choices; ordered = true
    choices = ["rbf", "poly"]

Exit status: 0, or 2 where the call is refused; standard error gives the reason.
"""

import argparse
import fcntl
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["main"]

NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|-inf(inity)?$|-nan$", re.IGNORECASE)
"""A negative number; argparse's own pattern has no exponents, and takes -5.6e-05 for an option."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status; the result goes to standard output, a line of JSON a point."""
    options = _parser().parse_args(arguments)
    _keep_programs()
    try:
        with _alone(options.state):
            lines = {"ask": _ask, "tell": _tell, "best": _best}[options.command](options)
    except (ValueError, OSError, KeyError) as error:
        sys.stderr.write(f"kernelbo: {error.args[0] if isinstance(error, KeyError) else error}\n")
        return 2
    sys.stdout.writelines(f"{json.dumps(line)}\n" for line in lines)
    return 0


def _ask(options: argparse.Namespace) -> list[Any]:
    optimizer = _run(options)
    points = optimizer.ask(options.number)
    optimizer.save(options.state)
    return list(points)


def _tell(options: argparse.Namespace) -> list[Any]:
    optimizer = _run(options)
    point = _json(options.point)
    if options.failure is not None and options.value is not None:
        raise ValueError("tell takes a value or --failure, not both")
    optimizer.tell(point, options.value, noise_variance=options.noise_variance, failure=options.failure)
    optimizer.save(options.state)
    return []


def _best(options: argparse.Namespace) -> list[Any]:
    optimizer = _run(options)
    history = optimizer.history
    some = bool(history.ok.any())
    return [
        {
            "best": history.best_x if some else None,
            "value": history.best_y if some else None,
            "recommended": optimizer.recommended,
            "evaluations": len(history),
            "failures": len(history.failures),
            "pending": len(optimizer.pending),
        }
    ]


def _run(options: argparse.Namespace) -> Any:
    """The run of the state file, or a new run where there is no such file."""
    from core import Optimizer

    space = None if options.space is None else _space(options.space)
    if options.state.exists():
        optimizer = Optimizer.load(options.state)
        if space is not None and space != optimizer.settings.domain.space:
            raise ValueError(f"{options.state} is a run on another space than {options.space}")
        if options.command == "ask":
            _check_same(options, optimizer.settings)
        return optimizer
    if options.command != "ask" or space is None:
        raise ValueError(f"there is no {options.state}: a run begins with ask and --space")
    return Optimizer(
        space,
        key=0 if options.seed is None else options.seed,
        maximize=not options.minimize,
        noise="unknown" if options.noise is None else _noise(options.noise),
        **({} if options.policy is None else {"policy": options.policy}),
    )


def _check_same(options: argparse.Namespace, settings: Any) -> None:
    """Refuse an option that differs from the run's. An option that is left out is the run's."""
    import jax
    import numpy as np

    from core import seed_keys
    from core.optimizer.validation import check_noise

    key = settings.key if options.seed is None else seed_keys([options.seed])[0]
    differs = {
        "--minimize": options.minimize and settings.maximize,
        "--seed": not np.array_equal(jax.random.key_data(key), jax.random.key_data(settings.key)),
        "--noise": options.noise is not None and check_noise(_noise(options.noise)) != settings.noise,
        "--policy": options.policy not in (None, settings.policy_name),
    }
    for name, other in differs.items():
        if other:
            raise ValueError(f"{options.state} is a run that began with another {name}: leave the option out")


def _space(path: Path) -> Any:
    """The space of a TOML file."""
    from core import Space

    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from error
    described = []
    for name, table in tables.items():
        if not isinstance(table, dict) or table.get("kind") not in ("real", "integer", "categorical"):
            raise ValueError(f'{path}: {name} must be a table with kind = "real", "integer" or "categorical"')
        described.append([name, table.pop("kind"), table])
    try:
        return Space.of(described)
    except TypeError as error:  # a field that the kind lacks, or does not have
        raise ValueError(f"{path}: {str(error).replace('.__init__()', '')}") from error


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"the point must be JSON, as ask prints it: {error}") from error


def _noise(text: str) -> str | float:
    try:
        return text if text in ("exact", "unknown") else float(text)
    except ValueError as error:
        raise ValueError(f"--noise must be 'exact', 'unknown' or a variance, got {text!r}") from error


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """A context in which no other process reads or writes the state; it waits for one that does."""
    with open(f"{state}.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _keep_programs() -> None:
    """Makes JAX keep compiled programs on the disk by default, because every call is a process of its own."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kernelbo"
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kernelbo", description="Bayesian optimisation: ask for points, tell values.")
    commands = parser.add_subparsers(dest="command", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--state", type=Path, required=True, help="the file that holds the run")
    shared.add_argument("--space", type=Path, help="TOML file with one table a parameter; the first ask needs it")
    ask = commands.add_parser("ask", parents=[shared], help="print the next points to evaluate, one a line")
    ask.add_argument("-n", dest="number", type=int, default=1, help="number of points (default: %(default)s)")
    begins = ask.add_argument_group("options of a new run; a later ask needs none of them")
    begins.add_argument("--seed", type=int, help="seed of the run (default: 0)")
    begins.add_argument("--minimize", action="store_true", help="smaller values are better")
    begins.add_argument("--noise", help="exact, unknown or a variance (default: unknown)")
    begins.add_argument("--policy", help="a name in kernelbo.REGISTRY")
    tell = commands.add_parser("tell", parents=[shared], help="record the observation at a point")
    tell._negative_number_matcher = NEGATIVE
    tell.add_argument("point", help="JSON, as ask prints it")
    tell.add_argument("value", type=float, nargs="?", help="the value at the point")
    tell.add_argument("--failure", help="message of a failed evaluation, in place of a value")
    tell.add_argument("--noise-variance", type=float, help="noise variance of the value, where it is known")
    commands.add_parser("best", parents=[shared], help="print the best point and the recommended point")
    return parser


if __name__ == "__main__":
    sys.exit(main())
