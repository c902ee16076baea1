"""Run times, scales and machines of every study, as the report's table shows them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.engine.registry import STUDIES
from experiments.engine.scale import SCALES
from paper_figures.load import MissingResults, StudyResults, load
from paper_figures.table import Table, seconds

COLUMNS = ("Study", "Title", "Shown", "Cells", "Seeds", "Wall", "CPU", "Commit", "Machine")


def studies_table(scale: str, results: Path) -> Table:
    """One row a study: the results shown, their cost and their machines; missing results are marked."""
    rows = []
    for study in STUDIES.values():
        try:
            data = load(study.id, scale, results)
        except MissingResults:
            word = "✘ missing" if study.default else "– runs only by name"
            rows.append((study.id, study.title, word, "", "", "", "", "", ""))
            continue
        rows.append(
            (study.id, study.title, _shown(data), str(len(data.results)), str(data.seed_count()),
             seconds(_total(data, "wall_seconds")), seconds(_total(data, "cpu_seconds")), ", ".join(data.commits()),
             "; ".join(machines(data)))
        )  # fmt: skip
    return Table(
        "Studies, run times and machines",
        COLUMNS,
        tuple(rows),
        "Times are sums over the cells of a study as measured when they ran; cells run side by side on several cores.",
    )


def _shown(data: StudyResults) -> str:
    text = f"{data.scale}, {data.source}"
    if SCALES.index(data.scale) < SCALES.index(data.requested):
        text += f" ({data.requested} not available)"
    return ", ".join(filter(None, (text, data.lacking)))


def _total(data: StudyResults, name: str) -> float:
    return sum(float(result.metadata.get(name) or 0.0) for result in data.results)


def machines(data: StudyResults) -> list[str]:
    """The distinct machines, in words."""
    return list(dict.fromkeys(_machine(result.metadata) for result in data.results))


def _machine(metadata: Mapping[str, Any]) -> str:
    described = metadata.get("machine")
    if not isinstance(described, Mapping):
        return "unknown"
    parts: Sequence[str] = (str(described.get("processor", "unknown")), f"{described.get('cores', '?')} cores")
    platform = metadata.get("platform")
    return ", ".join((*parts, str(platform)) if platform else parts)
