"""The stored study results that claims about figures and tables read."""

from collections.abc import Sequence

from experiments.data import skipped
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import UNREADABLE, Result
from experiments.engine.scale import SCALES
from experiments.engine.slim import widened
from experiments.engine.store import LOCAL, REFERENCE, Store
from experiments.engine.stored import Stored


def files(study: str, scale: str) -> list[Stored]:
    """The results of a study: the local results if every cell of the present code is there, else the reference.

    The reference is also used where data are missing on this machine, since local results are then incomplete. The list
    is empty without results, and for an unknown study.
    """
    if study not in STUDIES:
        return []
    local = Store(LOCAL)
    if not skipped(STUDIES[study], scale) and not local.missing(study, scale):
        return [Stored(local.path(cell)) for cell in STUDIES[study].cells(scale)]
    return committed(study, scale)


def committed(study: str, scale: str) -> list[Stored]:
    """The current reference results of a study: by the protocol where they are complete, else earlier results."""
    return Store(REFERENCE, any_code=True).current(study, scale)


def largest(studies: Sequence[str]) -> str:
    """The largest scale with results of every study that has any results; quick without results."""
    kept = [study for study in studies if any(files(study, scale) for scale in SCALES)]
    return next((scale for scale in reversed(SCALES) if kept and all(files(one, scale) for one in kept)), "quick")


def results(study: str, scale: str) -> list[Result]:
    """The results in `files(study, scale)`, without files that cannot be read or belong to another study.

    A check without its results answers `undecided` and says `how_to_get(study, scale)`.
    """
    found = []
    for one in files(study, scale):
        try:
            found.append(widened(one.load(study, scale)))
        except UNREADABLE:
            continue
    return found


def how_to_get(study: str, scale: str) -> str:
    """The sentence that names the command which computes missing results."""
    absent = skipped(STUDIES[study], scale) if study in STUDIES else []
    command = f"no results of {study} at scale {scale}: python -m experiments run --only {study} --scale {scale}"
    return "; ".join([command, *absent])
