"""Every figure draws from made-up or committed results, with labels, legends and filled tables."""

import itertools
import warnings

import matplotlib.pyplot as plt
import pytest

from experiments.engine.registry import STUDIES
from paper_figures.figure import figures
from paper_figures.style import WIDTH
from tests.paper_figures import conftest
from tests.paper_figures.drawing import drawn, shown_texts

IDS = list(figures())
TOUCH = 6.0
"""Square pixels that the boxes of two texts may share: boxes are a little larger than letters."""
UNDRAWN = {
    "boke.calibration",
    "boke.fig8_seeds",
    "boke.fig9_boxes",
    "boke.fig9_constants",
    "boke.fig9_seeds",
    "boke.settings",
    "cei.fig7_public",
    "cei.fig7_seeds",
    "cei.fig8_public",
    "cei.fig8_seeds",
    "ctx.fig1_seeds",
    "ctx.full_length",
    "ctx.model_arms",
    "ctx.public_arms",
    "uhe.fig2_arms",
    "uhe.fig2_seeds",
    "uhe.fig5_effort",
    "uhe.iid_consistency",
}
"""Studies behind a constant or a reading, not behind a figure."""


def overlap(first, second) -> float:
    width = min(first.x1, second.x1) - max(first.x0, second.x0)
    height = min(first.y1, second.y1) - max(first.y0, second.y0)
    return max(width, 0.0) * max(height, 0.0)


def test_every_study_has_a_figure():
    drawn_studies = {spec.study for spec in figures().values()}
    assert drawn_studies == set(STUDIES) - UNDRAWN
    assert drawn_studies >= set(conftest.STUDIES)


@pytest.mark.parametrize("figure_id", IDS)
def test_figure_draws_with_labels_and_clear_legends(study_results, figure_id):
    """No warning, every panel labelled at the margin, legends and provenance outside the data and inside the page."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure, _ = drawn(study_results, figure_id)
    panels = [axes for axes in figure.axes if axes.axison]
    boxes = [axes.get_window_extent() for axes in panels if axes.get_label() != "<colorbar>"]
    assert all(box.width > 60 and box.height > 25 for box in boxes), "a panel collapsed"
    assert any(axes.get_xlabel() for axes in panels)
    assert any(axes.get_ylabel() for axes in panels)
    assert figure.get_figwidth() <= 7.0
    legends = [*figure.legends, *(axes.get_legend() for axes in panels if axes.get_legend())]
    assert legends
    page = figure.bbox
    for legend in legends:
        box = legend.get_window_extent()
        assert all(overlap(box, panel) == 0.0 for panel in boxes), "the legend covers data"
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, "the legend leaves the page"
        assert box.y1 <= page.y1 + 1
    for text in (text for axes in panels for text in axes.texts if text.get_text()):
        box = text.get_window_extent()
        assert page.x0 - 1 <= box.x0 <= box.x1 <= page.x1 + 1, f"{text.get_text()} leaves the page"
    line = figure.texts[-1].get_window_extent()
    assert all(overlap(line, box) == 0.0 for box in boxes)
    plt.close(figure)


@pytest.mark.parametrize("figure_id", IDS)
def test_texts_are_large_enough_and_apart(study_results, figure_id):
    """No text is smaller than 6 points on a page of 16 cm, leaves the figure, or lies on another text."""
    figure, _ = drawn(study_results, figure_id)
    texts = [(text.get_text(), text.get_window_extent()) for text in shown_texts(figure)]
    assert min(text.get_fontsize() for text in shown_texts(figure)) * 16 / (WIDTH * 2.54) >= 6.0
    page = figure.bbox
    cut = [text for text, box in texts if box.x0 < page.x0 - 1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1]
    assert not cut
    crossing = [(a, b) for (a, one), (b, other) in itertools.combinations(texts, 2) if overlap(one, other) > TOUCH]
    assert not crossing
    plt.close(figure)


@pytest.mark.parametrize("figure_id", IDS)
def test_tables_are_filled(study_results, figure_id):
    spec = figures()[figure_id]
    for table in spec.tables(study_results(spec.study)):
        assert table.rows
        assert table.title
        assert all(cell != "nan" for row in table.rows for cell in row)
