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
    """The results of a study: local ones if every cell of the present code is there, else the reference ones.

    Also the reference ones where data are missing on this machine: local results then lack what a claim is about.
    Empty where there are neither, or where no study of that id is registered.
    """
    if study not in STUDIES:
        return []
    local = Store(LOCAL)
    if not skipped(STUDIES[study], scale) and not local.missing(study, scale):
        return [Stored(local.path(cell)) for cell in STUDIES[study].cells(scale)]
    return committed(study, scale)


def committed(study: str, scale: str) -> list[Stored]:
    """The reference results of a study that stand today: by the protocol where they are complete, else earlier ones."""
    return Store(REFERENCE, any_code=True).current(study, scale)


def largest(studies: Sequence[str]) -> str:
    """The largest scale at which there are results of each of the studies that have any; scale quick for none."""
    kept = [study for study in studies if any(files(study, scale) for scale in SCALES)]
    return next((scale for scale in reversed(SCALES) if kept and all(files(one, scale) for one in kept)), "quick")


def results(study: str, scale: str) -> list[Result]:
    """The results in `files(study, scale)`; a file that cannot be read, or is of another study, is passed over.

    A check that needs results and finds none should answer `undecided` and say `how_to_get(study, scale)`.
    """
    found = []
    for one in files(study, scale):
        try:
            found.append(widened(one.load(study, scale)))
        except UNREADABLE:
            continue
    return found


def how_to_get(study: str, scale: str) -> str:
    """The sentence for evidence without its inputs."""
    absent = skipped(STUDIES[study], scale) if study in STUDIES else []
    command = f"no results of {study} at scale {scale}: python -m experiments run --only {study} --scale {scale}"
    return "; ".join([command, *absent])
