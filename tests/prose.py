"""`python -m tests.prose`, a step of `make lint`: proselint and house rules over every Markdown page and docstring.

Code, formulas and quotations are blanked before the check, because the words there are the papers' or the machine's.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from proselint.checks import __register__
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

PROJECT = Path(__file__).resolve().parent.parent
OFF = {
    "archaism": "it takes `for every` for `for ever`",
    "dates_times": "a range of numbers is no date",
    "industrial_language.chatspeak": "(B4) is an equation",
    "lexical_illusions": "formulas repeat letters; `REPEATED` looks for repeated words",
    "misc.illogic": "`more than half of all` is a rule",
    "misc.phrasal_adjectives.ly": "it takes `multiply` and `family` for adverbs",
    "psychology.p_equals_zero": "`p = 0.00` may be a probability",
    "typography": "straight quotes and three dots are what code and terminals show",
    "weasel_words.very": "a paper's sentence on `very hard` problems",
    "uncomparables": "`more general` and `most likely` are terms of mathematics",
}
"""Checks that are off, and why."""
REPEATED = re.compile(r"\b(?!log|int|phi)([a-z]{2,})[ \n]+\1\b")
STYLE = {
    re.compile(
        r"(?<=[.:;][ \n])(?:[ \n]*)What[ \n][^.?!:;]{2,70}[ \n](?:is|are|was|were)[ \n]"
    ): "name the subject, not `what ... is`",
    re.compile(r"\bfor want of\b"): "say what lacks what",
    re.compile(
        r"(?<=[.:;][ \n])(?:Looked at|Judged|Reported|Tried|Compared)[ \n](?:is|are|was|were|besides)\b"
    ): "put the subject first",
    re.compile(r"(?<=[.:;][ \n])Of[ \n][^,.;:]{3,60}[ \n](?:nothing|none)[ \n](?:is|are|was|were)\b"): "name the actor",
    re.compile(r"\b(?:used to be|formerly|was renamed|were renamed)\b"): "history stands in CHANGELOG.md",
    re.compile(r"(?<![\w`])(?:is|are|was|were) what\b"): "use the noun, not `is what`",
}
"""Faults that docs/style.md names, and that a pattern finds without many false alarms."""
OPENING = re.compile(r"\A(?:What|That|Those|Whose|Who|Which|Where|Whether|How|Of|As|(?:By|In|From|At|On|With) which)\s")
"""Openings of a docstring that leave the subject out: "What it returns.", "Of the noise.", "Whether it is one."."""
EXEMPT = (
    "CHANGELOG.md",
    "docs/rule_history.md",
    "docs/style.md",
    "docs/claims/",
    "theory_checks/certificates/checker.py",
)
"""Files that tell history, that quote faults, or whose bytes are hashed: the patterns pass over these."""
BLANK = re.compile(
    r"^::\n\n(?:[ \t]+\S[^\n]*\n|\n)+|```.*?```|<!--.*?-->|``.*?``|`[^`\n]*`|"
    r"\$[^$\n]+\$|\]\([^)\s]*\)|“[^”]*”|\"[^\"\n]*\"|^>>> .*?$|^[ \t]*\|.*\|[ \t]*$|^> .*?$",
    re.DOTALL | re.MULTILINE,
)
"""Indented, fenced and inline code, comments, formulas, targets of links, quotations, doctests, tables."""


def blanked(text: str) -> str:
    """The text with a 0 for every character that is no prose of ours; lines and columns stay."""
    return BLANK.sub(lambda match: re.sub(r"\S", "0", match[0]), text)


def tracked(*patterns: str) -> list[Path]:
    """Files that git tracks, by pattern; those on the disk where this is no clone."""
    found = subprocess.run(["git", "ls-files", *patterns], cwd=PROJECT, capture_output=True, text=True)
    names = found.stdout.split("\n") if found.returncode == 0 else []
    return [PROJECT / name for name in names if name] or [
        path for pattern in patterns for path in PROJECT.rglob(pattern) if ".venv" not in path.parts
    ]


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """(first line, text) of every string that stands by itself: docstrings of modules, classes, functions, fields."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def faults(path: Path) -> list[str]:
    """The findings in a file, as "path:line: message"."""
    text = path.read_text(encoding="utf-8")
    found = []
    for first, part in docstrings(text) if path.suffix == ".py" else [(1, text)]:
        prose = blanked(part) + "\n"
        told = [
            (result.pos[0], result.check_result.message)
            for result in LintFile(path.name, prose).lint(DEFAULT)
            if not result.check_result.check_path.startswith(tuple(OFF))
        ]
        told += [(prose[: match.start()].count("\n") + 1, f"{match[0]!r}") for match in REPEATED.finditer(prose)]
        name = str(path.relative_to(PROJECT))
        if not name.startswith(EXEMPT):
            opening = {OPENING: "begin with a noun or a verb"} if path.suffix == ".py" else {}
            told += [
                (prose[: match.start()].count("\n") + 1, f"{' '.join(match[0].split())!r}: {advice}")
                for pattern, advice in (STYLE | opening).items()
                for match in pattern.finditer(prose)
            ]
        found += [f"{path.relative_to(PROJECT)}:{first + line - 1}: {message}" for line, message in told]
    return found


def main() -> int:
    """Prints the findings; status 1 where there are any."""
    CheckRegistry().register_many(__register__)
    found = [fault for path in tracked("*.md", "*.py") for fault in faults(path)]
    print("\n".join(found) or "prose: nothing found")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
