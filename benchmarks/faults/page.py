"""`docs/faults.md`, from the counts of a campaign."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchmarks.document import made_by, paragraphs, table
from benchmarks.faults.trial import Verdict

__all__ = ["Count", "page"]


@dataclass
class Count:
    """The outcomes of the trials of one kind of fault.

    Attributes:
        name, how: in the table.
        runs: True where a trial disturbs a run, False where it damages a file of evidence.
    """

    name: str
    how: str
    runs: bool = True
    trials: int = 0
    struck: int = 0
    finished: int = 0
    again: int = 0
    skipped: int = 0
    complaints: list[str] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """One more trial."""
        self.trials += 1
        self.struck += verdict.struck
        self.finished += verdict.finished
        self.again += verdict.again
        self.complaints += verdict.complaints


def page(counts: list[Count], made: dict[str, Any]) -> str:
    """The page: the campaign, its place and time, and one row for every kind of fault."""
    runs, struck = (sum(getattr(each, name) for each in counts if each.runs) for name in ("trials", "struck"))
    files, complaints = (
        sum(each.trials for each in counts if not each.runs),
        sum(len(each.complaints) for each in counts),
    )
    intro = (
        f"Of {runs} disturbed runs and {files} damaged files of evidence {complaints} gave a complaint. The fault came "
        f"in time in {struck} of the runs. A campaign (`make faults`) disturbs a run of the "
        "command line on small studies. A plain rerun must then end with the results of an undisturbed run: arrays and "
        "metadata agree bit by bit, measured times excepted. A complaint is a result that differs, is lost, is "
        "incomplete, was trusted although damaged, or was computed again although finished, or a refusal without words."
    )
    where = (
        f"{made_by(made['provenance'])} Seed {made['seed']}, {datetime.now(UTC):%Y-%m-%d}, "
        f"{made['minutes']:.0f} minutes."
    )
    rows = [
        (
            each.name,
            each.how,
            str(each.trials) + (f" ({each.skipped} left out: out of time)" if each.skipped else ""),
            str(each.struck),
            str(each.finished),
            str(each.again),
            str(len(each.complaints)) if not each.complaints else f"**{len(each.complaints)}**",
        )
        for each in counts
    ]
    total = (
        "all",
        "",
        *(str(sum(getattr(each, name) for each in counts)) for name in ("trials", "struck", "finished", "again")),
        str(sum(len(each.complaints) for each in counts)),
    )
    header = ("fault", "by", "trials", "came in time", "results finished before", "computed by the rerun", "complaints")
    notes = (
        "A kill after the end of its run is no fault, but its trial counts. The results finished before are the "
        "results that were whole when the fault was over. The campaign must complain where a guard of the engine is "
        "taken away (`--guard atomic`, `checked`, `resumed`); a test checks this."
    )
    return paragraphs("# A machine that fails", intro, table(header, [*rows, total]), notes, where)
