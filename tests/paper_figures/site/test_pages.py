"""Pages of the site in Markdown: links, parts of documents, names in words, numbers of the evidence, sizes."""

import re
from dataclasses import replace

import pytest

from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry, load_published
from paper_figures.claims_markdown import claim_files
from paper_figures.figure import figures
from paper_figures.sentences import readings_of
from paper_figures.site.claim_page import claim_page, with_numbers
from paper_figures.site.documents import REPOSITORY, SECTIONS, Document, Page, pages_of, slug
from paper_figures.site.figure_page import readings_table
from paper_figures.site.formulas import FORMULA, mathml
from paper_figures.site.links import Finisher
from paper_figures.site.markdown import cell, in_words, name_in_words, prose
from paper_figures.site.paper_page import paper_page
from paper_figures.site.places import claim_place, own_page, relative
from paper_figures.site.rule import rule_points
from paper_figures.site.seen import seen
from theory_checks.ledger import load
from theory_checks.readings.declaration import READINGS

PAPER_BYTES = 12 * 1024
"""The largest size of a paper's page in Markdown, in bytes."""


@pytest.fixture(scope="module")
def entries() -> list[ClaimEntry]:
    from experiments.engine.store import ROOT

    return load_published(ROOT)


def finisher(*pages: Page) -> Finisher:
    return Finisher(pages, load(), frozenset({"boke.fig6"}), frozenset({"boke.fig6"}), "facts", {})


def test_links_lead_to_pages_of_the_site():
    """Links lead to another document, to a part of one, to a claim by its name, or nowhere: then the file's name is
    left."""
    here = Page("reference/errata/a.md", "A", "", "docs/errata.md")
    there = Page("use/index.md", "Use", "# Use\n", "docs/use.md", frozenset({"use"}))
    part = Page("use/noise.md", "Noise", "# Noise\n\n## Known", "docs/use.md", frozenset({"noise", "known"}))
    text = (
        "[a](use.md) [b](use.md#noise) [c](use.md#known) [d](../core/simulate.py) `boke.prop1` cei.closed_form,"
        " [![e](../docs/use.md)](use.md)\n\n```\n[a](use.md) `boke.prop1`\n```\n"
    )
    found = finisher(here, there, part).finished(replace(here, text=text))
    assert (
        "[a](../../use/index.md) [b](../../use/noise.md) [c](../../use/noise.md#known) d (`core/simulate.py`)" in found
    )
    assert "[`boke.prop1`](../../claims/boke/prop1.md)" in found
    assert "[cei.closed_form](../../claims/cei/closed_form.md)," in found
    assert "[![e](../../use/index.md)](../../use/index.md)" in found
    assert found.endswith("```\n[a](use.md) `boke.prop1`\n```\n"), "code stays as it is"


def test_comments_become_pictures_and_words_of_verdicts_badges():
    page = Page(
        "papers/boke.md",
        "A",
        "<!-- facts -->\n<!-- figures -->\n<!-- figure boke.fig6 --> <!-- figure boke.fig1 -->\n✘ refuted (step)",
    )
    empty = "### Figure 9\n\n<!-- figure boke.fig9 -->\n\nNo sentence on its own.\n\n"
    assert finisher().finished(replace(page, text=f"{empty}## More, 5 %")) == "## More, 5\u00a0%"
    found = finisher().finished(page)
    assert '<span class="facts">facts</span>' in found
    assert "\n## Figures\n" in found
    assert "(../figures/boke_fig6.png)" in found
    assert "Not shown here." in found
    listed = "- <!-- link boke.fig6 -->Figure 6\n- <!-- link boke.fig1 -->Figure 1\n"
    assert "- [Figure 6](../figures/boke_fig6.md)\n- Figure 1\n" in finisher().finished(replace(page, text=listed))
    assert '<span class="badge refuted">✘ refuted</span> (step)' in found


def test_a_repair_stands_on_the_page_of_its_claim():
    claims = load()
    repair = next(one for one in claims.values() if one.repairs)
    page, _, anchor = claim_place(repair.id, claims).partition("#")
    assert anchor
    assert page == claim_place(repair.repairs or "", claims).partition("#")[0]
    assert relative("claims/boke/prop1.md", "claims/cei/x.md") == "../boke/prop1.md"
    assert relative("index.md", "claims/cei/x.md") == "../../index.md"


def test_a_document_in_parts(monkeypatch):
    text = "# Use\n\nFirst.\n\n## One, two\n\n### Deeper\n\n```sh\n## no heading\n```\n\n## Three\n"
    monkeypatch.setattr("paper_figures.site.documents.text_of", lambda source, entries: text)
    index, one, three = pages_of(Document("docs/use.md", "use", parts=True), [])
    assert (index.target, one.target, three.target) == ("use/index.md", "use/one-two.md", "use/three.md")
    assert index.text == "# Use\n\nFirst.\n\n- [One, two](#one-two)\n- [Three](#three)\n"
    assert one.text.startswith("# One, two\n\n## Deeper\n")
    assert "\n## no heading\n" in one.text
    assert one.anchors == {"one-two", "deeper"}
    assert slug("A (5): x & y") == "a-5-x--y"


def test_every_document_has_a_place_on_the_site():
    listed = {one.source for of in SECTIONS.values() for one in of}
    there = {str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "docs").rglob("*.md")}
    assert {one for one in there - listed if not one.startswith(("docs/claims/", "docs/certificates/"))} == set()


def test_names_are_in_words():
    assert in_words("gp_ucb before ei on six_hump_camel, boke.fig6 and `gp_ucb`") == (
        "GP-UCB before EI on Six-Hump Camel, boke.fig6 and `gp_ucb`"
    )


def test_cells_and_prose_keep_formulas():
    assert cell("a | $|x| \\| y$\n b") == "a \\| $\\vert x\\vert  \\Vert  y$ b"
    assert prose("a_b *c* <d> $x_t^*$ `e_f`") == "a\\_b \\*c\\* &lt;d> $x_t^*$ `e_f`"


def test_every_formula_of_the_ledger_can_be_read():
    for claim in load().values():
        for text in (claim.title, claim.statement, *claim.hypotheses, claim.rule, claim.control_statement):
            for found in re.finditer(FORMULA, prose(text)):
                assert "<math alttext=" in mathml(found[1]), claim.id


def test_what_we_see_is_the_declared_setting_of_the_evidence(entries):
    """A ratio of losses is ten to the minus advantage, its interval turned round; a difference has the other sign."""
    entry = next(one for one in entries if one.claim.id == "boke.fig6_competitive")
    (name, found) = next(item for item in entry.numbers["default"].items() if item[0].startswith("boke against"))
    assert name == "boke against gp_ucb"
    mean, low, high = (10**-value for value in found["advantage"])
    assert high < mean < low
    assert f"BOKE / GP-UCB = {mean:.2g} [{high:.2g}, {low:.2g}]" in seen(entry)


def test_two_comparisons_of_different_states_are_named(entries):
    entry = next(one for one in entries if one.claim.id == "cei.figB_wilcoxon")
    names = "corrected EI above EI", "corrected EI below EI"
    for states in (("holds", "opposite"), ("opposite", "holds"), ("holds", "holds")):
        default = {name: {"state": state, "advantage": [0, 0, 0]} for name, state in zip(names, states, strict=True)}
        stored = {**(entry.stored or {}), "numbers": {**entry.numbers, "default": default}}
        told = "; ".join(f"{name}: {state}" for name, state in zip(names, states, strict=True))
        assert (f"({told})" in seen(replace(entry, stored=stored))) == (states[0] != states[1])


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_page_of_a_paper(entries, tmp_path, paper):
    """Short; every figure of the paper once, every sentence on an experiment once."""
    text = paper_page(entries, paper=paper)
    assert len(text.encode()) <= PAPER_BYTES
    specs = [one for one in figures().values() if one.id.startswith(f"{paper.key}.")]
    for spec in specs:
        assert text.count(f"<!-- {'figure' if spec.as_printed else 'link'} {spec.id} -->") == 1
    body = text.partition("## Figures")[2]
    for entry in entries:
        if entry.claim.paper == paper.letter and entry.claim.kind == "experiment" and not entry.claim.repairs:
            assert body.count(f"(../{own_page(entry.claim.id)})") == 1, entry.claim.id


def test_a_reading_is_shown_under_the_figure_that_it_names(entries):
    specs = list(figures().values())

    def ids(name: str) -> set[str]:
        return {one.claim.id for one in readings_of(figures()[name], entries, specs)}

    assert "uhe.fig4_mse" in ids("uhe.fig4") - ids("uhe.fig2")
    assert "ctx.fig1_newsvendor" in ids("ctx.fig1b") - ids("ctx.fig1a")
    assert "cei.fig3_public_code" in ids("cei.fig3_public")


def test_every_page_of_a_claim(entries):
    """Each claim stands on one page, its figures and numbers in comments that the site replaces."""
    files = dict(claim_files(entries))
    pages = {name: text for name, text in files.items() if name.endswith(".md")}
    assert set(pages) == {claim_place(one.claim.id, load()).partition("#")[0] for one in entries}
    for entry in entries:
        page, _, anchor = claim_place(entry.claim.id, load()).partition("#")
        text = pages[page]
        assert entry.weight in text
        assert not anchor or anchor in {slug(one) for one in re.findall(r"^## (.*)$", text, re.MULTILINE)}
        assert text.count(f"<!-- numbers {entry.claim.id} -->") == 1
    for name in (name for name in files if name.endswith(".svg")):
        assert any(f"]({name.rpartition('/')[2]})" in text for text in pages.values()), name


def test_a_rule_is_a_paragraph_and_a_point_for_each_verdict():
    """No word of a rule is lost; a verdict after a semicolon begins a point, a verdict within parentheses does not."""
    claims = load()
    toy = replace(
        claims["boke.prop1"],
        rule="Runs of i.i.d. data are made (refuted ones too). Refuted if a < b; otherwise supported. No T does.",
    )
    assert rule_points(toy) == [
        "Runs of i.i.d. data are made (refuted ones too).",
        "",
        "- Refuted if a &lt; b.",
        "- Otherwise supported.",
        "",
        "No T does.",
    ]

    begun = {"x_t = x'": "x\\_t = x'.", "a and b by fit": "a and b by fit.", "a sum": "A sum.", "n points": "n points."}
    assert {rule: rule_points(replace(toy, rule=rule))[0] for rule in begun} == begun, "a symbol stays small"

    def letters(text: str) -> str:
        return re.sub(r"[^\w]", "", text).lower()

    for claim in claims.values():
        if claim.id not in READINGS:
            assert letters(" ".join(rule_points(claim))) == letters(prose(in_words(claim.rule))), claim.id


def test_a_readings_rule_tells_once_what_its_orders_and_measures_share():
    """Every order and every measure of the declaration can be read off the short form."""

    def method(name: str) -> str:
        return name_in_words(name).replace("GP-UCB, refitted", "refitted GP-UCB")

    def words(text: str) -> set[str]:
        return set(re.findall(r"\w+", text.lower()))  # a rule says pi, its page PI

    claims = load()
    for name, reading in READINGS.items():
        points = rule_points(claims[name])
        assert words(prose(in_words(claims[name].rule))) <= words("\n".join(points))
        if not reading.measures:
            continue
        (line,) = (point for point in points if point.startswith("- Orders"))
        told = []
        for part in re.sub(r"^.*?(?:by itself|equal weight): ", "", line.rstrip(".")).split("; "):
            ahead, behind = re.split(r" (?:ahead of|not behind|ahead by the margin of|similar to) ", part)
            behind = behind.removeprefix("each of ")
            first = ahead.removeprefix("each of ").split(", ")
            told += [(one, other) for one in first for other in re.sub(r" \([^;]*\)$", "", behind).split(", ")]
        expected = [(method(one.first), method(one.second)) for one in reading.orders]
        assert sorted(told) == sorted(expected), name
        (line,) = (point for point in points if point.startswith("- Measures"))
        for measure in reading.measures:
            size = measure.in_words(reading.orders[0].kind).removeprefix(f"{measure.name} (").rstrip(")")
            own = rf"(?:first: |; ){re.escape(measure.name)}(?:; .+?)? \((?:each: )?((?:smallest|margin)[^()]+)\)"
            assert re.findall(own, line) == [size], name


def test_numbers_stand_on_the_site_alone(entries):
    entry = next(one for one in entries if one.claim.id == "boke.fig6_competitive")
    text = claim_page(entry, [entry])
    assert "<!-- figures -->\n\n<!-- figure boke.fig6 -->" in text
    assert "\n## Figures" not in text, "the repository shows no picture"
    assert "`make figures ONLY=boke.fig6," in text
    assert "Quantity" not in text
    assert f"Evidence: scale {entry.scale}, {entry.standing.words}. <!-- numbers {entry.claim.id} -->" in text
    filled = with_numbers(text, {entry.claim.id: entry})
    assert "| Quantity | Value |" in filled
    assert f"| shares, does not hold | {entry.numbers['shares']['level']:.4g} |" in filled, "a state, no level of tests"
    assert re.search(r"default, BOKE against GP-UCB, advantage \[95 % interval\] \| \S+ \[\S+, \S+\] \|", filled)
    assert "Evidence: scale" not in filled
    assert f"{entry.standing.words})</summary>" in filled


def test_a_table_of_readings_leaves_variants_to_their_page(entries):
    variants = [one for one in entries if one.claim.repairs]
    assert variants
    assert readings_table(variants) == []
