"""The sentences of a paper under the panels of its figures: the choice of sentences, their words, and their places."""

from dataclasses import replace

import matplotlib.pyplot as plt
import pytest

from experiments.engine.store import ROOT
from paper_figures.claims import ClaimEntry, load_published
from paper_figures.figure import figures
from paper_figures.footer import Sentence, footer, remark
from paper_figures.sentences import by_figure, readings_of, sentences_of
from paper_figures.style import new_figure
from theory_checks.readings.words import HEADS


@pytest.fixture(scope="module")
def entries() -> list[ClaimEntry]:
    return load_published(ROOT)


def test_a_figure_as_printed_has_the_sentences_that_name_it(entries):
    """Further drawings of it have none; sentences without a figure stand where their study alone is drawn."""
    found = by_figure(entries)
    assert set(found) == set(figures())
    assert [one.says for one in found["cei.fig2"]] == ["Corrected EI has a higher profit"]
    assert found["cei.fig3"]
    assert not found["cei.fig3_ratios"]
    assert {one.says for one in found["uhe.fig4"]}.isdisjoint(one.says for one in found["uhe.fig2"])
    assert [one.says for one in found["uhe.exp3"]] == ["UHE-BO learns to switch between decisions"]


def test_no_sentence_without_evidence(entries):
    spec, specs = figures()["ctx.fig1a"], list(figures().values())
    bare = [replace(one, stored=None) for one in entries]
    assert sentences_of(spec, entries, specs)
    assert sentences_of(spec, bare, specs) == ()
    assert readings_of(spec, bare, specs)


def test_words_are_the_evidences_numbers(entries):
    """Verdict, comparisons that hold at the default setting, and shares of settings: counted here again."""
    entry = next(one for one in entries if one.claim.id == "ctx.fig1_best")
    (told,) = (one for one in by_figure(entries)["ctx.fig1a"] if one.says == "SBO-KDE and DRBO-KDE beat all baselines")
    assert told.verdict == entry.verdict
    states = [one["state"] for one in entry.numbers["default"].values() if isinstance(one, dict) and "state" in one]
    held = sum(state == "holds" for state in states)
    assert told.found.startswith(
        f"at the default: {held} of {len(states)} hold; {entry.numbers['settings']} settings: "
    )
    for state, share in entry.numbers["shares"].items():
        words = f"{HEADS[state]} {share:.0%}".replace("%", " %").replace(" ", "\N{NO-BREAK SPACE}")
        assert (words in told.found) == (share > 0)


@pytest.mark.parametrize("said", ["", "one", "Seeds: 280 (EI), 15 (PI; NEI)"])
@pytest.mark.parametrize("last", ["scale paper", "scale paper · 30 seeds · as calibrated with these constants · " * 4])
def test_last_lines_of_any_length_fit(said, last):
    figure, _ = new_figure(1, 1, height=2.0, width=4.5)
    figure.set_dpi(200)  # as saved
    if said:
        remark(figure, said)
    footer(figure, last)
    boxes = [text.get_window_extent() for text in figure.texts]
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
    assert " ".join(text.get_text() for text in figure.texts if text.get_ha() == "left") == said
    words = " ".join(text.get_text() for text in figure.texts).split()
    assert sorted(word for word in words if word != "·") == sorted(f"{said} {last}".replace("·", "").split())
    assert not any(text.get_text().strip("·") != text.get_text() for text in figure.texts)
    plt.close(figure)


@pytest.mark.parametrize("width", [3.6, 7.0])
def test_sentences_stand_between_panels_and_remarks(width):
    """No line leaves the page, covers a panel, or stands on another line."""
    figure, grid = new_figure(1, 1, height=2.0, width=width)
    figure.set_dpi(200)  # as saved
    grid[0][0].set_xlabel("Evaluations")
    said = [
        Sentence(
            "SBO-KDE and DRBO-KDE ARE CLOSE ON BRANIN AND HARTMANN", "not reproduced", "at the default: 2 of 8 hold"
        ),
        Sentence(
            "WWWWWWWWWW mmmmmmmmmmmm",
            "opposite",
            "at the default: opposite; 4 settings: does not hold 25 %, opposite 75 %",
        ),
    ]
    remark(figure, "Seeds: 280 (Corrected EI; EI), 15 (GP-UCB, refitted; Corrected PI; PI; NEI; qNEI), and so on " * 2)
    footer(figure, "scale paper · 15–280 seeds", said)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.texts]
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
    panel = grid[0][0].get_tightbbox()
    assert all(box.y1 <= panel.y0 for box in boxes)
    assert not any(
        min(a.x1, b.x1) - max(a.x0, b.x0) > 0 and min(a.y1, b.y1) - max(a.y0, b.y0) > 3.0
        for index, a in enumerate(boxes)
        for b in boxes[:index]
    )
    texts = " ".join(text.get_text() for text in figure.texts)
    assert all(word in texts for one in said for word in (*one.says.split(), one.verdict, *one.found.split()))
    plt.close(figure)
