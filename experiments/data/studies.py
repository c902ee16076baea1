"""The public data that studies need: obtained before a run, and named where it is missing."""

from collections.abc import Callable, Sequence

from experiments.data.sources import how_to_get, obtain, present
from experiments.engine.study import Study

__all__ = ["absent_data", "obtain_for", "skipped"]


def obtain_for(studies: Sequence[Study], scale: str, report: Callable[[str], None]) -> None:
    """Downloads the files that these studies use at a scale and that this machine lacks; reports everything that is
    left out."""
    if scale == "smoke":
        return
    obtain([name for study in studies for name in study.data], report)
    for message in (message for study in studies for message in study.left_out()):
        report(message)


def absent_data(studies: Sequence[Study], scale: str) -> list[str]:
    """The files of public data that studies use at a scale and that are not on this machine."""
    if scale == "smoke":
        return []
    return list(dict.fromkeys(name for study in studies for name in study.data if present(name) is None))


def skipped(study: Study, scale: str) -> list[str]:
    """The data files that a study lacks at a scale on this machine: a sentence a file, with how to get it."""
    if scale == "smoke":
        return []
    absent = [f"skipped: data: {how_to_get(name)}" for name in absent_data([study], scale)]
    return [*absent, *study.left_out()]
