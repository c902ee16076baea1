"""Wrong neighbours of a step, which the checker must refuse: a step that passes when altered proves nothing."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from theory_checks.certificates.checker import Boxes, Step


def _substituted(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, tuple):
        return tuple(_substituted(each, old, new) for each in value)
    return {key: _substituted(each, old, new) for key, each in value.items()}


def perturbed(step: Step) -> Iterator[Step]:
    """The step with its `broken` text put in and, for boxes, each step that lacks the first or the last cut of a
    variable.

    Raises ValueError where the text that `broken` replaces does not occur.
    """
    old, new = step.broken
    changed = {name: _substituted(getattr(step, name), old, new) for name in ("let", "holds")}
    altered = replace(step, **changed)
    if altered == step or old == new:
        raise ValueError(f"{old!r} does not occur in the step: {step.says}")
    yield altered
    if isinstance(step, Boxes):
        for name, cuts in step.cuts.items():
            for end in (slice(1, None), slice(None, -1)):
                yield replace(step, cuts={**step.cuts, name: cuts[end]})
