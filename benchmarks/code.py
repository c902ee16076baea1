"""Which code the default runs: the version by which a benchmark's record is known to be older than the code."""

from experiments.engine.code_version import of_names

__all__ = ["CONTEXTS", "NAMING", "of_runs"]

CONTEXTS = tuple(f"core.policies.joint.{name}" for name in ("ContextPolicy", "JointPolicy", "ContextFreeUcb"))
"""Policies of problems with contexts, which `core.optimize` names in an error: a run without contexts uses none."""

NAMING = ("benchmarks.code.of_runs", "benchmarks.peers.contestants.CONTESTANTS")
"""Not followed from a benchmark: the version names a record, and contestants say which packages are installed."""


def of_runs(policy: str) -> str:
    """The version of what `core.optimize` uses in runs of a policy without contexts."""
    return of_names("core.optimizer.optimize", ["optimize"], CONTEXTS, strings=[policy]).code
