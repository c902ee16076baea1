"""The report in a real browser: filters, search, sort, rows, links, keyboard, no request, no message, accessibility.

Needs the extra [browser] and a Chromium of the system (Debian's package `chromium`); skipped, with the reason, without.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from paper_figures import report
from paper_figures.claims import ClaimEntry
from paper_figures.draw import Drawn
from paper_figures.figure import figures
from paper_figures.table import Table
from theory_checks.ledger import load

CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
SHOWN = {
    "boke.thm9_instant": "refuted",
    "boke.prop1": "supported",
    "boke.fig6_competitive": "undecided",
    "cei.lemma_G": "refuted",
    "cei.lemma_G_repaired": "supported",
    "uhe.thm6_8": "vacuous",
}
PRINTED_PAGES = 8
"""Of the made-up report: a few for the claims and the figure, the rest for assumptions and deviations."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium")


def entry(id: str, verdict: str) -> ClaimEntry:
    numbers = {"level": 0.01, "a / b": {"pairs": 8, "problems": {"p": {"mean": [1.0, 0.5, 2.0]}, "q": {"mean": 2.0}}}}
    stored = {"id": id, "verdict": verdict, "summary": f"Found of {id}.", "numbers": numbers, "scale": "quick"}
    return ClaimEntry(load()[id], {**stored, "counterexample": None, "seconds": 1.0}, "reference")


@pytest.fixture(scope="module")
def address(tmp_path_factory, study_results) -> str:
    """A report of few claims and one figure, whose picture is a white square."""
    folder: Path = tmp_path_factory.mktemp("page")
    Image.new("RGB", (1400, 700), "white").save(folder / "square.png")
    table = Table("Comparisons", ("Peer", "p"), (("GP-UCB", "0.5"),), "A note.")
    spec = replace(figures()["boke.fig6"], tables=lambda data: (table,))
    drawn = [Drawn(spec, study_results("boke.fig6"), (folder / "square.png",))]
    claims = [entry(*item) for item in SHOWN.items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "audit_tables", lambda paper: (table,))
        patch.setattr(report, "studies_table", lambda scale, results: table)
        return report.write_report(drawn, claims, "quick", folder, folder / "index.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install 'kernelbo[browser]'")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def page(browser, address) -> Iterator[Any]:
    """The page, which asks for nothing but itself and says nothing on the console."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    yield opened
    assert said == []
    assert {url.split("#")[0] for url in asked if not url.startswith("data:")} == {address}
    opened.close()


def shown(page: Any) -> list[str]:
    """The claims that the table shows, in its order."""
    found: list[str] = page.eval_on_selector_all(
        "table.claims > tbody:not([hidden])", "bodies => bodies.map(body => body.dataset.words)"
    )
    return found


def test_filters_search_and_sort(page):
    assert shown(page) == list(SHOWN)
    page.select_option("select[name=verdict]", "refuted")
    assert shown(page) == ["boke.thm9_instant", "cei.lemma_G"]
    page.select_option("select[name=severity]", "misprint")
    assert shown(page) == ["cei.lemma_G"]
    assert page.inner_text("#count") == "1 of 6 claims"
    page.click("text=Show all")
    page.wait_for_function("document.querySelectorAll('table.claims > tbody:not([hidden])').length === 6")
    page.select_option("select[name=origin]", "repair")
    assert shown(page) == ["cei.lemma_G_repaired"]
    page.click("text=Show all")
    page.fill("input[type=search]", "found lemma_g")
    assert shown(page) == ["cei.lemma_G", "cei.lemma_G_repaired"]
    page.fill("input[type=search]", "nothing like it")
    assert page.is_visible("#none")
    page.fill("input[type=search]", "")
    page.click("button[data-sort=verdict]")
    assert shown(page)[0] == "boke.fig6_competitive"
    page.click("button[data-sort=verdict]")
    assert shown(page)[0] == "uhe.thm6_8"
    assert page.get_attribute("th:has(button[data-sort=verdict])", "aria-sort") == "descending"


def test_links_open_rows_and_lead_back(page, address):
    """From a card to the claim, from the claim to its figure and back, also where a filter hid it."""
    page.select_option("select[name=paper]", "B")
    page.click('.card a[href="#boke.fig6_competitive"]')
    page.wait_for_function("document.getElementById('boke.fig6_competitive').open")
    assert "boke.fig6_competitive" in shown(page)
    page.click('details[id="boke.fig6_competitive"] a[href="#boke.fig6"]')
    assert page.is_visible("figure table.readings")
    page.click('figure a[href="#boke.fig6_competitive"]')
    assert page.evaluate("document.activeElement.closest('details').id") == "boke.fig6_competitive"
    links = page.eval_on_selector_all("a[href^='#']", "found => found.map(one => one.getAttribute('href').slice(1))")
    assert [one for one in set(links) if not page.evaluate("id => !!document.getElementById(id)", one)] == []
    page.goto(f"{address}#cei.lemma_G")
    page.wait_for_function("document.getElementById('cei.lemma_G').open")


def test_keyboard(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.focus("button[data-sort=paper]")
    page.keyboard.press("Enter")
    assert page.get_attribute("th:has(button[data-sort=paper])", "aria-sort") == "ascending"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_on_a_phone_and_the_verdict_comes_first(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    row = page.locator("table.claims tr.row").first
    verdict, words = (row.locator(f"td:nth-child({i})").bounding_box() for i in (3, 2))
    assert verdict["y"] < words["y"]


def test_print_has_a_row_a_claim_and_what_the_reader_opened(page, address):
    """No controls, no folded evidence; a row that is open on the page is open on paper."""
    page.goto(f"{address}#cei.lemma_G")
    page.wait_for_function("document.getElementById('cei.lemma_G').open")
    page.emulate_media(media="print")
    assert not any(page.is_visible(one) for one in ("nav", ".filters", ".index", "details.fold"))
    assert page.is_visible(".printed")
    rows = page.locator("table.claims tr.row")
    assert [rows.nth(i).is_visible() for i in range(rows.count())] == [True] * len(SHOWN)
    open_rows = page.eval_on_selector_all(
        "details.claim", "found => found.filter(one => one.offsetHeight > 0).map(one => one.id)"
    )
    assert open_rows == ["cei.lemma_G"]
    assert len(re.findall(rb"/Type */Page\b", page.pdf(format="A4"))) <= PRINTED_PAGES


def test_every_figure_has_a_small_picture_that_leads_to_it(page):
    assert page.eval_on_selector_all(".index a", "found => found.map(one => one.hash)") == ["#boke.fig6"]
    assert page.locator(".index img").bounding_box()["width"] <= 190


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_accessibility(page, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe: pip install 'kernelbo[browser]'")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 850})
    page.eval_on_selector_all("details", "found => found.forEach(one => { one.open = true; })")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
