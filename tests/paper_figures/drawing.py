"""Figures as the command draws them."""

from collections.abc import Iterator

from matplotlib.figure import Figure
from matplotlib.text import Text

from paper_figures.figure import figures
from paper_figures.footer import footer
from paper_figures.load import StudyResults
from paper_figures.style import close_lines


def drawn(study_results, figure_id: str) -> tuple[Figure, StudyResults]:
    spec = figures()[figure_id]
    data = study_results(spec.study)
    figure = spec.draw(data)
    footer(figure, spec.provenance(data))
    close_lines(figure)
    figure.draw_without_rendering()
    return figure, data


def shown_texts(figure: Figure) -> Iterator[Text]:
    """Every text that the figure shows: figure, panels, ticks in view, legends."""
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    found = [*figure.texts, *(text for legend in legends for text in (*legend.get_texts(), legend.get_title()))]
    for axes in (axes for axes in figure.axes if axes.axison):
        found += [*(axes.title, axes._left_title, axes._right_title), axes.xaxis.label, axes.yaxis.label, *axes.texts]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            found += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    yield from (text for text in found if text.get_visible() and text.get_text().strip())
