"""When do two results agree? The tolerances of `verify` and `carry`, fixed before anything is compared.

Every stored array belongs to one of five kinds, by its name and shape:

* `design`: arrays drawn before any search: queries `x` and contexts `context` of the initial design, samples (`x` where
  there is no initial design, `x_iid`), or the digests, one a seed, that the reference keeps for the first two
  (`slim.py` beside it). Bitwise.
* `given`: arrays that hold for all seeds alike (grids, counts, sizes, the problem's optimum and range). Whole numbers
  and text bitwise, others within :data:`ROUNDING` of their largest entry: another processor rounds sines differently.
* `outcome`: everything else that has a row a seed, regrets above all. A rounding error changes a query, and then a
  whole run; so runs are not compared entry by entry but by two numbers a seed, the last column and the mean (of the
  finite entries, whose share is compared alike). With d the mean difference over equal seeds and s the standard
  deviation of the reference's seeds, the margin is :data:`MARGIN` s (and never below ROUNDING). *reproduced*: Student's
  interval of d at level :data:`EQUIVALENT` (two one-sided tests at 5 %) lies within the margin. *deviates*: the
  interval at level :data:`DIFFERENT` lies outside it. Otherwise *undecided*: too few seeds. Equal arrays are
  reproduced, however few.
* `seconds`: measured times. Reported as a ratio, never judged.
* queries after the design are not compared: they move with every rounding, and what they are worth is an outcome. Nor
  are arrays that are kept of the first seed alone, for a picture.

Where one side is in single precision, both are compared in single precision.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from experiments.engine.slim import DIGEST, FIRST

__all__ = [
    "DIFFERENT",
    "EQUIVALENT",
    "MARGIN",
    "ROUNDING",
    "SEVERITY",
    "Judgement",
    "Kind",
    "Statistic",
    "Word",
    "bitwise",
    "judged",
    "one_sided",
    "same_precision",
    "statistics_of",
]

MARGIN = 0.5
"""The margin of equivalence, in standard deviations of the reference's seeds."""

EQUIVALENT, DIFFERENT = 0.90, 0.999
"""The levels of the intervals that must lie within the margin, or outside it."""

ROUNDING = 1e-6
"""The relative difference that counts as rounding; stored single precision has 6e-8."""

DRAWN = ("x", "context")
"""The arrays of queries and contexts, whose initial design is compared."""

Kind = Literal["design", "given", "outcome", "seconds"]
Word = Literal["reproduced", "deviates", "undecided", "reported"]


SEVERITY: tuple[Word, ...] = ("reported", "reproduced", "undecided", "deviates")
"""The words from the mildest to the gravest."""


class Statistic(NamedTuple):
    """A named part of a result and its kind; `values` has one row a seed unless the kind is `given`."""

    name: str
    kind: Kind
    values: np.ndarray


class Judgement(NamedTuple):
    """The outcome for a statistic, and the size of the deviation; see `unit`."""

    word: Word
    size: float
    unit: str


def statistics_of(arrays: Mapping[str, np.ndarray], seeds: int) -> Iterator[Statistic]:
    """The parts of a result over so many seeds that are compared."""
    initial = int(arrays["initial_size"]) if "initial_size" in arrays else 0
    for name, array in sorted(arrays.items()):
        by_seed = array.ndim > 0 and len(array) == seeds
        if name.endswith(FIRST):
            continue
        if "seconds" in name:
            yield Statistic(name, "seconds", np.ravel(array))
        elif name in DRAWN:
            if by_seed and array.ndim > 1:
                yield Statistic(f"{name} of the design", "design", array[:, :initial] if initial else array)
        elif name.removesuffix(DIGEST) in DRAWN:
            yield Statistic(f"{name.removesuffix(DIGEST)} of the design, digest", "design", array)
        elif name == "x_iid" and by_seed:
            yield Statistic(name, "design", array)
        elif not by_seed or array.dtype.kind not in "fiub":
            yield Statistic(name, "given", array)
        elif array.ndim == 1:
            yield Statistic(name, "outcome", array)
        else:
            yield Statistic(f"{name}, end", "outcome", _row_means(array[..., -1]))
            yield Statistic(f"{name}, mean", "outcome", _row_means(array))


def _row_means(array: np.ndarray) -> np.ndarray:
    """Two numbers a row: the mean of its finite entries (0 where there are none), and the share of these entries."""
    rows = np.asarray(array, float if array.dtype.kind != "f" else array.dtype).reshape(len(array), -1)
    finite = np.isfinite(rows)
    mean = np.sum(np.where(finite, rows, 0.0), axis=1, dtype=float) / np.maximum(finite.sum(axis=1), 1)
    return np.stack([mean.astype(rows.dtype), finite.mean(axis=1).astype(rows.dtype)], axis=1)


def judged(kind: Kind, ours: np.ndarray, theirs: np.ndarray) -> Judgement:
    """This machine's values of a statistic against the reference's, of equal seeds in equal order."""
    if kind == "seconds":
        reference = float(np.median(theirs)) if theirs.size else np.nan
        return Judgement("reported", float(np.median(ours)) / reference if reference else np.nan, "times theirs")
    if ours.shape != theirs.shape:
        return Judgement("deviates", np.inf, f"shape {ours.shape} for {theirs.shape}")
    if kind == "outcome" and ours.ndim == 2:
        columns = [judged(kind, *pair) for pair in zip(ours.T, theirs.T, strict=True)]
        return max(columns, key=lambda one: SEVERITY.index(one.word))
    ours, theirs = same_precision(ours, theirs)
    if _equal(ours, theirs):
        return Judgement("reproduced", 0.0, "")
    if kind == "design" or ours.dtype.kind not in "fiub" or (kind == "given" and ours.dtype.kind != "f"):
        return Judgement("deviates", float(np.sum(ours != theirs)), f"of {ours.size} entries")
    finite = np.isfinite(theirs)
    if not (np.array_equal(np.isfinite(ours), finite) and _equal(ours[~finite], theirs[~finite])):
        return Judgement("deviates", np.inf, "other entries are infinite")
    return (_close if kind == "given" else _paired)(ours[finite].astype(float), theirs[finite].astype(float))


def _close(ours: np.ndarray, theirs: np.ndarray) -> Judgement:
    size = float(np.max(np.abs(ours - theirs), initial=0.0) / max(np.max(np.abs(theirs), initial=0.0), 1e-300))
    return Judgement("reproduced" if size <= ROUNDING else "deviates", size, "relative")


def _paired(ours: np.ndarray, theirs: np.ndarray) -> Judgement:
    """The rule of outcomes; the size is the mean difference in standard deviations of the reference's seeds."""
    difference = ours - theirs
    spread = float(np.std(theirs, ddof=1)) if len(theirs) > 1 else 0.0
    rounding = ROUNDING * float(np.max(np.abs(theirs), initial=0.0))
    margin, centre = max(MARGIN * spread, rounding), float(np.mean(difference))
    size, unit = (centre / spread, "sd") if spread > rounding else (centre, "")
    if np.max(np.abs(difference)) <= rounding:
        return Judgement("reproduced", size, unit)
    if len(difference) < 2:
        return Judgement("undecided", size, unit)
    from scipy import stats  # the import takes a second, and every command and worker process imports this module

    error = float(np.std(difference, ddof=1)) / np.sqrt(len(difference))
    within, outside = (stats.t.ppf((1 + level) / 2, len(difference) - 1) * error for level in (EQUIVALENT, DIFFERENT))
    if abs(centre) + within <= margin:
        return Judgement("reproduced", size, unit)
    return Judgement("deviates" if abs(centre) - outside > margin else "undecided", size, unit)


def same_precision(ours: np.ndarray, theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of floating-point numbers in the precision of the less precise one; other arrays unchanged."""
    if ours.dtype.kind == theirs.dtype.kind == "f" and ours.dtype != theirs.dtype:
        narrow = min(ours.dtype, theirs.dtype, key=lambda kind: kind.itemsize)
        return ours.astype(narrow), theirs.astype(narrow)
    return ours, theirs


Arrays = Mapping[str, np.ndarray]


def one_sided(before: Arrays, after: Arrays) -> list[str]:
    """A sentence for each array that is on one side alone; measured times do not count."""
    names = sorted(name for name in before.keys() ^ after.keys() if "seconds" not in name)
    return [f"{name} is there only {'before' if name in before else 'afterwards'}" for name in names]


def bitwise(before: Arrays, after: Arrays, *, narrow: bool = False) -> list[str]:
    """A sentence for each array that is on one side alone or differs in a bit; measured times do not count.

    With `narrow`, arrays are compared in single precision where one side is in single precision.
    """
    sentences = one_sided(before, after)
    for name in sorted(name for name in before.keys() & after.keys() if "seconds" not in name):
        old, new = before[name], after[name]
        if narrow:
            old, new = same_precision(old, new)
        if (old.dtype, old.shape) != (new.dtype, new.shape):
            sentences.append(f"{name} was {old.dtype}{old.shape}, is {new.dtype}{new.shape}")
        elif old.tobytes() != new.tobytes():
            sentences.append(f"{name} differs in {int(np.sum(old != new))} of {old.size} entries")
    return sentences


def _equal(ours: Any, theirs: Any) -> bool:
    return np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f" and theirs.dtype.kind == "f")
