"""The pages that the records give: docs/errata.md and docs/constants.md."""

import ast
import inspect
from collections.abc import Sequence

from experiments.papers import PAPERS
from theory_checks.errata.records import Part, Record, parts
from theory_checks.references import resolve

_MADE = "<!-- Written by `make publish` from theory_checks/errata/*.toml: edit those. -->"

_ERRATA_INTRODUCTION = """
# Errata

Misprints, contradictions, missing hypotheses and undocumented choices found in the papers, with what we do instead, and
where our experiments differ from theirs. Equations are cited with the paper's letter, as A (5). Numbers of Paper A are
those of its earlier version, the later version's in brackets. Where claims of the ledger stand behind an entry, their
ids are given; `python -m theory_checks show ID` has the evidence and `replay ID` the counterexample. Constants are in
[constants.md](constants.md).
"""

_CONSTANTS_INTRODUCTION = """
# Constants

What the methods and studies of each paper use where the paper gives a value, its public code does, or we had to choose.
"""


def errata() -> str:
    """The text of docs/errata.md."""
    return _page("errata", _ERRATA_INTRODUCTION)


def constants() -> str:
    """The text of docs/constants.md."""
    return _page("constants", _CONSTANTS_INTRODUCTION)


def _page(name: str, introduction: str) -> str:
    blocks = [_MADE, introduction.strip()]
    for paper in PAPERS:
        blocks.append(f"## Paper {paper.letter}: {paper.subject}")
        for part in parts(paper):
            if part.page == name:
                blocks += [f"### {part.title}", *_part(part)]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _part(part: Part) -> list[str]:
    header, rows = (errata_rows if part.page == "errata" else constants_rows)(part)
    blocks = [part.text, markdown_table(header, rows) if rows else ""]
    if part.appendix:
        blocks.append(resolve(part.appendix)())
    return [block for block in blocks if block]


def errata_rows(part: Part) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of a part's table of errata."""
    header = ("where", "kind", "as printed", "what is wrong or left open", "what we do", "ledger")
    return _without_empty_columns(header, [_errata_row(record) for record in part.records])


def _errata_row(record: Record) -> tuple[str, ...]:
    claims = ", ".join(f"`{name}`" for name in record.claims)
    return (record.place, str(record.kind), record.printed, record.why, record.ours, claims)


def constants_rows(part: Part) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of a part's table of constants."""
    if part.module:
        return ("constant", "value", "meaning"), module_constants(part.module)
    rows = [(record.subject, record.ours, record.why) for record in part.records]
    return _without_empty_columns(("constant", "value", "where it comes from"), rows)


def module_constants(name: str) -> list[tuple[str, ...]]:
    """Every constant that a module sets with its value and the docstring that follows it."""
    module = resolve(name)
    body = ast.parse(inspect.getsource(module)).body
    rows: list[tuple[str, ...]] = []
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        constant, words = node.targets[0].id, ""
        if constant.startswith("_") or not constant.isupper():
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            words = " ".join(str(after.value.value).split())
        rows.append((f"`{constant}`", str(getattr(module, constant)), words))
    return rows


def _without_empty_columns(
    header: Sequence[str], rows: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    kept = [index for index in range(len(header)) if any(row[index] for row in rows)]
    return tuple(header[index] for index in kept), [tuple(row[index] for index in kept) for row in rows]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; vertical bars in a cell are escaped."""
    lines = [list(header), ["---"] * len(header), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("| --- ", "|---").replace("|--- |", "|---|")
