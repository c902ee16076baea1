"""The site in a real browser: search, filters, links, keyboard, phone, print and accessibility, without network.

Needs the extra [browser] and a Chromium of the system (Debian's package `chromium`); skipped, with the reason, without.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from paper_figures.claims import ClaimEntry
from paper_figures.draw import Drawn
from paper_figures.figure import figures
from paper_figures.site import build
from paper_figures.table import Table
from theory_checks.ledger import load

CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
SHOWN = {
    "boke.thm9_instant": "refuted",
    "boke.thm9_instant_repaired": "proved",
    "boke.prop1": "supported",
    "boke.fig6_competitive": "undecided",
    "cei.lemma_G": "refuted",
    "uhe.thm6_8": "vacuous",
}
KINDS = (
    "index.html",
    "papers/boke.html",
    "claims/index.html",
    "claims/boke/thm9_instant.html",
    "claims/boke/fig6_competitive.html",
    "figures/boke_fig6.html",
    "use/which_policy.html",
    "reference/glossary.html",
)
PHONE = {"width": 390, "height": 844}
PRINTED_PAGES = 12
"""The largest number of printed pages of a paper's page with one figure."""
PATIENCE = 180_000
"""Milliseconds that a page may take on a machine that does other work."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium"),
]


def entry(id: str, verdict: str) -> ClaimEntry:
    numbers = {"level": 0.01, "a / b": {"pairs": 8, "problems": {"p": {"mean": [1.0, 0.5, 2.0]}, "q": {"mean": 2.0}}}}
    stored = {"id": id, "verdict": verdict, "summary": f"Found of {id}.", "numbers": numbers, "scale": "quick"}
    return ClaimEntry(load()[id], {**stored, "counterexample": None, "seconds": 1.0}, "reference")


@pytest.fixture(scope="module")
def site(tmp_path_factory, study_results) -> Path:
    """A site of few claims and one figure, whose picture is a white square."""
    folder: Path = tmp_path_factory.mktemp("site")
    Image.new("RGB", (1400, 700), "white").save(folder / "square.png")
    (folder / "site").mkdir()
    (folder / "site" / "article.pdf").touch()
    (folder / "site" / "stale.html").touch()
    drawn = [Drawn(figures()["boke.fig6"], study_results("boke.fig6"), (folder / "square.png",))]
    table = Table("Comparisons", ("Peer", "p"), (("GP-UCB", "0.5"),), "A note.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "audit_tables", lambda paper: (table,))
        patch.setattr(build, "studies_table", lambda scale, results: table)
        patch.setattr(build, "_home", lambda entries: "# kernelbo\n\n<!-- facts -->\n\n[Claims](CLAIMS.md)\n")
        entries = [entry(*item) for item in SHOWN.items()]
        return build.build_site(drawn, entries, "quick", folder, folder / "site", interface=False).parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install 'kernelbo[browser]'")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def page(browser, site) -> Iterator[Any]:
    """A page that asks for files of the site alone and says nothing on the console."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(PATIENCE)
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto((site / "index.html").as_uri())
    yield opened
    assert said == []
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:", "about:"))] == []
    opened.close()


def rows(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        ".filters ~ * tbody tr:not([hidden]) a[href$='.html']",
        "links => [...new Set(links.map(link => link.getAttribute('href')))]",
    )
    return found


def test_the_site_is_whole(site):
    """A page a claim and a figure, repairs on the page of their claim; the article stays, other old files go."""
    assert (site / "article.pdf").is_file()
    assert not (site / "stale.html").exists()
    assert {path.stem for path in (site / "claims" / "boke").glob("*.html")} == {
        "thm9_instant",
        "prop1",
        "fig6_competitive",
    }
    text = (site / "claims" / "boke" / "thm9_instant.html").read_text(encoding="utf-8")
    assert 'id="bokethm9_instant_repaired"' in text
    assert "<math" in text
    for one in site.rglob("*.html"):
        assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=.?https?:", one.read_text(encoding="utf-8")), one


def test_filters(page, site):
    page.goto((site / "claims" / "index.html").as_uri())
    assert len(rows(page)) == 5
    assert page.is_visible("#experiments-of-paper-a")
    page.select_option("select[name=verdict]", "✘ refuted")
    assert rows(page) == ["boke/thm9_instant.html", "cei/lemma_G.html"]
    assert not page.is_visible("#experiments-of-paper-a"), "a heading without rows goes with them"
    page.fill("input[name=search]", "a: boke")
    assert rows(page) == ["boke/thm9_instant.html"]
    assert page.inner_text(".filters output") == "1 of 5 claims"
    page.click("text=Show all")
    page.wait_for_function("document.querySelectorAll('.filters ~ * tbody tr:not([hidden])').length === 5")


def test_search_finds_a_page_without_a_server(page):
    page.click("input.md-search__input")
    page.keyboard.type("lemma_G")
    page.wait_for_selector(".md-search-result__link[href*='lemma_G']")


def test_links_from_a_paper_to_a_claim_and_to_a_figure(page, site):
    page.goto((site / "papers" / "boke.html").as_uri())
    page.click("a[href='../claims/boke/fig6_competitive.html'] >> nth=0")
    assert page.url.endswith("claims/boke/fig6_competitive.html")
    page.click("a[href='../../figures/boke_fig6.html']")
    assert page.url.endswith("figures/boke_fig6.html")


def test_the_first_screen_of_a_paper_says_what_is_shown(page, site):
    page.goto((site / "papers" / "boke.html").as_uri())
    for words in (
        r"kernelbo \d+\.\d+",
        r"commit [0-9a-f]{7} of \d{4}-\d\d-\d\d",
        "Theory, 2 claims: 1 supported, 1 refuted",
    ):
        assert page.locator("main p", has_text=re.compile(words)).first.bounding_box()["y"] < 900, words


def test_keyboard(page, site):
    page.goto((site / "papers" / "boke.html").as_uri())
    page.keyboard.press("Tab")
    assert "md-skip" in page.evaluate("document.activeElement.className")
    page.goto((site / "claims" / "index.html").as_uri())
    page.focus(".filters input")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "paper"


@pytest.mark.parametrize("name", KINDS)
def test_a_phone_shows_it_all(page, site, name):
    """The page is no wider than the phone; a table that is says so, and scrolls by keyboard."""
    page.set_viewport_size(PHONE)
    page.goto((site / name).as_uri())
    page.eval_on_selector_all(".md-content details", "found => found.forEach(one => { one.open = true; })")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    unsaid = page.evaluate(
        "[...document.querySelectorAll('.md-typeset__scrollwrap')].filter(one => one.offsetHeight"
        " && one.scrollWidth > one.clientWidth + 1"
        " && !(one.classList.contains('scrolls') && one.tabIndex === 0)).length"
    )
    assert unsaid == 0


def test_print_leaves_out_controls(page, site):
    page.goto((site / "claims" / "index.html").as_uri())
    page.emulate_media(media="print")
    assert not any(page.is_visible(one) for one in (".filters", ".md-header", ".md-sidebar"))
    page.goto((site / "papers" / "boke.html").as_uri())
    assert len(re.findall(rb"/Type */Page\b", page.pdf(format="A4"))) <= PRINTED_PAGES


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_accessibility(page, site, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe: pip install 'kernelbo[browser]'")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 850})
    found = {}
    for name in KINDS[:6]:
        page.goto((site / name).as_uri())
        page.eval_on_selector_all(".md-content details", "found => found.forEach(one => { one.open = true; })")
        page.wait_for_timeout(300)
        # a page that is opened as a file may not fetch its own style sheets, which axe would preload
        told = axe.Axe().run(page, context={"include": [["main"]]}, options={"preload": False})
        for one in told.response["violations"]:
            found[f"{name}: {one['id']}"] = one["nodes"][0]["html"]
    assert json.dumps(found, indent=1) == "{}"
