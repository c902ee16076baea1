"""The version of the code of the default: a benchmark's record by another version is older than the code."""

from experiments.engine.code_version import of_names

__all__ = ["CONTEXTS", "NAMING", "of_runs"]

CONTEXTS = tuple(f"core.policies.joint.{name}" for name in ("ContextPolicy", "JointPolicy", "ContextFreeUcb"))
"""Policies of problems with contexts, which `core.optimize` names in an error: a run without contexts uses none."""

NAMING = ("benchmarks.code.of_runs", "benchmarks.peers.contestants.CONTESTANTS")
"""Symbols that are not followed from a benchmark: one names a record, the others say which packages are installed."""


def of_runs(policy: str) -> str:
    """The version of the code that `core.optimize` uses in runs of a policy without contexts."""
    return of_names("core.optimizer.optimize", ["optimize"], CONTEXTS, strings=[policy]).code
