"""Jobs on many machines: workers join a dask scheduler, and a run gives it its jobs (`docs/cluster.md`).

    python -m experiments.engine.cluster scheduler [--port 8786 ...]
    python -m experiments.engine.cluster worker tcp://host:port [--nworkers N ...]

start the two kinds of process in a checkout; what follows is passed on to dask. Workers need the code and nothing else:
results come back to the run, which stores them. A job whose worker dies goes to another; one that takes four workers
with it has failed.
"""

import argparse
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from typing import NoReturn

from experiments.engine.pool import (
    PLATFORMS,
    ExecutorError,
    Job,
    Outcome,
    compute,
    outcome_of,
    run_here,
    set_environment,
)

__all__ = ["address_of", "connected", "main", "run_dask"]


def address_of(executor: str, scheduler: str) -> str:
    """The scheduler's address; "" for the executor "local".

    Raises:
        ExecutorError: one was named without the executor "dask", or the reverse.
    """
    if executor == "dask" and not scheduler:
        raise ExecutorError("EXECUTOR=dask needs the scheduler's address: SCHEDULER=tcp://host:port")
    if scheduler and executor != "dask":
        raise ExecutorError("SCHEDULER needs EXECUTOR=dask")
    return scheduler


@contextmanager
def connected(scheduler: str) -> Iterator[Executor]:
    """The scheduler as an executor of futures; jobs still waiting at the end are cancelled.

    Raises:
        ExecutorError: dask is not installed, no scheduler is named, or it does not answer.
    """
    address_of("dask", scheduler)
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError("EXECUTOR=dask needs the extra [cluster]: .venv/bin/pip install -e '.[cluster]'") from None
    try:
        client = Client(scheduler, timeout="30s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorError(f"the dask scheduler {scheduler} does not answer: {error}") from error
    with client:
        executor: Executor = client.get_executor()
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)


def run_dask(jobs: Sequence[Job], scheduler: str) -> Generator[Outcome, None, None]:
    """Runs jobs on the cluster of a scheduler; jobs that are bound to this machine run here meanwhile.

    Raises ExecutorError as :func:`connected` does.
    """
    with connected(scheduler) as executor:
        futures = {executor.submit(compute, job): job for job in jobs if not job.here}
        yield from run_here([job for job in jobs if job.here])
        for future in as_completed(futures):
            yield outcome_of(future, futures[future])


def main(arguments: Sequence[str]) -> NoReturn:
    """Becomes a scheduler or a worker of dask, with the environment that computing needs.

    The platform of workers is that of the variable PLATFORM, cpu or gpu. Exit status 2: bad request.
    """
    parser = argparse.ArgumentParser(
        prog="python -m experiments.engine.cluster",
        description="One process of a cluster: its scheduler, or a worker on PLATFORM=cpu or gpu.",
    )
    parser.add_argument("kind", choices=("scheduler", "worker"))
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="passed on to dask")
    chosen = parser.parse_args(arguments)
    platform = os.environ.get("PLATFORM") or "cpu"
    if platform not in PLATFORMS:
        parser.error(f"PLATFORM is one of {', '.join(PLATFORMS)}")
    set_environment(platform)
    command = [sys.executable, "-m", f"distributed.cli.dask_{chosen.kind}", "--no-dashboard", *chosen.rest]
    if chosen.kind == "worker":  # a job is one process of one thread, as in the local pool
        command += ["--nthreads", "1"]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main(sys.argv[1:])
