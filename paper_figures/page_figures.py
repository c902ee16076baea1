"""What the report shows of a figure: the picture, what the paper says of it and what we see, and how to run it."""

from collections.abc import Sequence
from typing import Any

from experiments.data import skipped
from experiments.engine.registry import STUDIES
from experiments.groups import GROUPS
from paper_figures.claims import BADGES, ClaimEntry
from paper_figures.draw import Drawn
from paper_figures.images import embedded, thumbnail
from paper_figures.page_claims import title_of
from paper_figures.table import seconds

__all__ = ["shown_figure"]


def shown_figure(item: Drawn, scale: str, claims: Sequence[ClaimEntry]) -> dict[str, Any]:
    """The fields of the templates."""
    spec, data = item.spec, item.data
    return {
        "id": spec.id,
        "title": title_of(spec),
        "paper": next(group.letter for group in GROUPS if group.key == spec.id.split(".")[0]),
        "caption": spec.caption,
        "image": None if item.image is None else embedded(item.image),
        "small": None if item.image is None else thumbnail(item.image),
        "short": spec.number,
        "reason": item.reason,
        "skipped": [] if data and data.source == "reference" else _skipped(spec.study, scale),
        "tables": list(spec.tables(data)) if data else [],
        "claims": [_reading(entry) for entry in claims if spec.study in entry.claim.needs],
        "provenance": spec.provenance(data) if data else "",
        "cells": f"{len(data.results)} of {len(data.results) + data.missing} cells" if data else "",
        "command": f"make experiments figures ONLY={spec.study}" + (f" SCALE={data.scale}" if data else ""),
        "cost": seconds(sum(float(one.metadata.get("cpu_seconds") or 0.0) for one in data.results)) if data else "",
    }


def _reading(entry: ClaimEntry) -> dict[str, str]:
    return {
        "id": entry.claim.id,
        "says": entry.claim.statement,
        "sees": entry.summary,
        "verdict": entry.verdict,
        "sign": BADGES[entry.verdict][0],
        "more": entry.cost or entry.shares or entry.undecided,
        "origin": str(entry.claim.origin),
    }


def _skipped(study: str, scale: str) -> list[str]:
    """What a study leaves out on this machine for want of data."""
    return skipped(STUDIES[study], scale) if study in STUDIES else []
