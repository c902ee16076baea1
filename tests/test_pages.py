"""The pages for readers: their code runs, their verdicts are the pinned verdicts, and their names and links exist."""

import importlib.util
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from core.policies import FINITE_SET, REGISTRY
from experiments.papers import PAPERS
from tests.test_docs import names
from theory_checks.ledger import Kind, Origin, Outcome, Severity, Verdict
from theory_checks.readings.judgement import State

DOCS = Path(__file__).parent.parent / "docs"
TUTORIALS = [DOCS / "tutorials" / f"{paper.key}.md" for paper in PAPERS]
PAGES = [*TUTORIALS, *(DOCS / f"{name}.md" for name in ("ecosystem", "which_policy", "glossary", "results"))]
PINNED = json.loads((DOCS.parent / "theory_checks" / "expected.json").read_text())
NUMBER = re.compile(r"\d[\d.]*")
BLOCK = re.compile(r"```python ?(\w*)\n(.*?)```", re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The code of a page: what it needs besides the requirements, and the text."""
    return [(block[1], block[2]) for block in BLOCK.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs_and_draws_its_figure(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plt.close("all")  # what another test has left open
    code = "\n".join(text for _, text in blocks(page))
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, page.name, "exec"), {})
    told = "".join(re.findall(r"```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
    assert NUMBER.sub("#", printed.getvalue()) == NUMBER.sub("#", told)
    ours, theirs = ([float(number) for number in NUMBER.findall(one)] for one in (printed.getvalue(), told))
    assert ours == pytest.approx(theirs, rel=0.5)  # another processor rounds differently, and runs branch
    (figure,) = tmp_path.glob("*.png")
    assert figure.stem == page.stem
    assert plt.imread(figure).std() > 0.01
    assert not plt.get_fignums()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("needs", "code"), blocks(DOCS / "ecosystem.md"), ids=["optuna", "sklearn", "context", "noise"]
)
def test_an_example_runs(needs: str, code: str) -> None:
    if needs and importlib.util.find_spec(needs) is None:
        pytest.skip(f"the extra [{needs}] is not installed")
    exec(compile(code, "ecosystem.md", "exec"), {})


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_says_what_the_ledger_says(page: Path) -> None:
    """Its verdicts are those pinned at the largest scale; its claims are of its paper; its commands name some."""
    text = page.read_text(encoding="utf-8")
    told = re.findall(r"`((?:\w+)\.(?:\w+))`\s+\(([a-z ]+)\)", text)
    assert len(told) >= 4
    for claim, verdict in told:
        assert claim.startswith(f"{page.stem}.")
        assert PINNED[claim].get("paper", PINNED[claim]["quick"]) == verdict, claim
    assert set(re.findall(r"theory_checks \w+ (\S+)", text)) <= set(PINNED)
    assert len(text.splitlines()) < 90  # ten minutes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
    for path in re.findall(r"`((?:core|docs|experiments|results)/[\w/.]*)`", page.read_text(encoding="utf-8")):
        assert (DOCS.parent / path).exists(), path


def test_policies_to_choose_from_are_registered() -> None:
    table = [line for line in (DOCS / "which_policy.md").read_text().splitlines() if line.startswith("| ")][2:]
    chosen = {name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[2])}
    assert len(chosen) >= 6
    assert chosen <= set(REGISTRY)


@pytest.mark.parametrize("name", sorted({**REGISTRY, **FINITE_SET}.keys() - {"random_search"}))
def test_the_docstring_of_a_policy_names_its_source(name: str) -> None:
    """A paper's letter with a number, or the year of a paper that has none."""
    text = {**REGISTRY, **FINITE_SET}[name].__doc__ or ""
    assert re.search(r"\b[A-D] \(\w+\)|\b(Algorithm|section) [\d.]+ of [A-D]\b|\(\d{4}\)| \d{4}\)", text), text


def test_the_glossary_is_in_order_and_its_names_exist() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^- \*\*(.+?)\*\*", text, re.MULTILINE)
    assert words == sorted(words, key=str.lower)
    quoted = [name for name in re.findall(r"`([^`]+)`", text) if not re.search(r"/|\.md$|^make\s", name)]
    for name in quoted:
        assert set(name.split(".")) - {"core"} <= names(), name


TERMS = """advantage ahead arm bandwidth baseline block budget cell certificate claim comparison context control
counterexample cube declaration density depends deviation evidence exploratory gap here incumbent lengthscale ledger
level look margin measure peer panel pair policy problem public code pseudo-data query random search reading
record reference regret result round run sample path scale seed sentence setting smallest effect that matters stamp
standing statistic study unit variant verdict"""
"""Words of ours that English does not explain."""
PHRASES = ("public code", "random search", "sample path", "smallest effect that matters")
OFTEN = 10
"""Uses on the pages from which on the glossary must have a word."""


def test_the_glossary_has_every_term_in_use() -> None:
    """The words above, and every verdict, state, severity, origin and kind that the pages say ten times."""
    singles = TERMS
    for phrase in PHRASES:
        assert phrase in " ".join(TERMS.split())
        singles = " ".join(singles.split()).replace(phrase, "")
    values = [str(one) for kind in (Verdict, Outcome, State, Severity, Origin, Kind) for one in kind]
    pages = [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")]
    history = {"CHANGELOG.md", "rule_history.md", "glossary.md"}
    text = " ".join(page.read_text(encoding="utf-8") for page in pages if page.name not in history).lower()
    text = " ".join(text.split())
    glossary = " ".join((DOCS / "glossary.md").read_text(encoding="utf-8").lower().split())
    for term in {*singles.split(), *PHRASES, *values}:
        uses = len(re.findall(rf"\b{re.escape(term)}(?:e?s)?\b", text))
        assert uses < OFTEN or re.search(rf"- \*\*{term}\b", glossary), f"{term}: {uses} uses"


@pytest.mark.parametrize("page", [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")], ids=lambda page: page.name)
def test_nothing_on_a_page_is_cut(page: Path) -> None:
    """No cell and no line ends with an ellipsis."""
    assert not re.search(r"…\s*(?:\||$)", page.read_text(encoding="utf-8"), re.MULTILINE)
