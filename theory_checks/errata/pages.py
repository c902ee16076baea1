"""The pages of the records: docs/errata.md and docs/constants.md, with a page a paper below each."""

import ast
import inspect
from collections import Counter
from collections.abc import Sequence

from experiments.papers import PAPERS, Paper
from theory_checks.errata.records import MEANINGS, Part, Record, parts
from theory_checks.references import resolve

__all__ = ["constants", "constants_index", "errata", "errata_index", "index", "markdown_table"]

MADE = "<!-- Written by `make publish` from theory_checks/{}: edit those. -->"

_ERRATA_INTRODUCTION = """
# Errata

Misprints, contradictions, missing hypotheses and open choices in the papers, with what we do instead, and where our
experiments differ from theirs. Equations carry the paper's letter, as A (5). Numbers of Paper A are those of its
earlier version, with the later version's in brackets. `.venv/bin/python -m theory_checks show ID` prints the evidence
on a claim that an entry names, and `replay ID` evaluates its counterexample. The kinds of entries are:
"""

_CONSTANTS_INTRODUCTION = """
# Constants

The constants of the methods and studies of each paper: the paper's own, those of its public code, and our choices.
"""


def index(folder: str, introduction: str, told: dict[Paper, str]) -> str:
    """A first page: an introduction, and a line a paper with a link to the paper's page in a folder."""
    lines = [
        f"- [Paper {paper.letter}: {paper.subject}]({folder}/{paper.key}.md): {text}" for paper, text in told.items()
    ]
    return f"{introduction.strip()}\n\n" + "\n".join(lines) + "\n"


def errata_index() -> str:
    """The text of docs/errata.md: the numbers of entries of each kind, by paper."""
    kinds = {
        paper: Counter(str(one.kind) for part in parts(paper) if part.page == "errata" for one in part.records)
        for paper in PAPERS
    }
    told = {paper: ", ".join(f"{kind} {of[kind]}" for kind in MEANINGS if of[kind]) for paper, of in kinds.items()}
    meanings = "\n".join(f"- **{kind}**: {meaning}." for kind, meaning in MEANINGS.items())
    return index("errata", f"{_ERRATA_INTRODUCTION}\n{meanings}\n\nThe entries of each kind, by paper:", told)


def constants_index() -> str:
    """The text of docs/constants.md: the tables on each paper's page."""
    told = {
        paper: "; ".join(
            f"{part.title[0].lower()}{part.title[1:]}" for part in parts(paper) if part.page == "constants"
        )
        for paper in PAPERS
    }
    return index("constants", _CONSTANTS_INTRODUCTION, told)


def errata(paper: Paper) -> str:
    """The text of docs/errata/<paper>.md."""
    return _page("errata", "Errata", paper)


def constants(paper: Paper) -> str:
    """The text of docs/constants/<paper>.md."""
    return _page("constants", "Constants", paper)


def _page(name: str, word: str, paper: Paper) -> str:
    blocks = [MADE.format(f"errata/{paper.key}.toml"), f"# {word} of Paper {paper.letter}: {paper.subject}"]
    for part in parts(paper):
        if part.page == name:
            blocks += [f"## {part.title}", *_part(part)]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _part(part: Part) -> list[str]:
    blocks = [part.text]
    if part.page == "errata":
        blocks += ["\n".join(map(_entry, part.records))]
    elif part.module or part.records:
        blocks += [markdown_table(*constants_rows(part))]
    if part.appendix:
        blocks += [_folded("Tables", resolve(part.appendix)())]
    return [block for block in blocks if block]


def _folded(title: str, text: str) -> str:
    return f'<details markdown="1">\n<summary>{title}</summary>\n\n{text}\n\n</details>'


def _entry(record: Record) -> str:
    """One entry of the errata: the place and the kind, the printed text, the reason, and our choice."""
    lines = [f"- **{record.place}** · {record.kind}"]
    for word, text in (("Printed", record.printed), ("Problem", record.why), ("Here", record.ours)):
        lines += [f"    - *{word}:* {text}"] if text else []
    if record.claims:
        lines += [f"    - *Claims:* {', '.join(f'`{name}`' for name in record.claims)}"]
    return "\n".join(lines)


def constants_rows(part: Part) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of a part's table of constants."""
    if part.module:
        return ("constant", "value", "meaning"), module_constants(part.module)
    rows = [(record.subject, record.ours, record.why) for record in part.records]
    return _without_empty_columns(("constant", "value", "where it comes from"), rows)


def module_constants(name: str) -> list[tuple[str, ...]]:
    """Every constant of a module, with its value and its docstring."""
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
