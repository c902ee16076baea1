"""Figures as the command draws them."""

from matplotlib.figure import Figure

from paper_figures.figure import figures
from paper_figures.footer import footer
from paper_figures.load import StudyResults


def drawn(study_results, figure_id: str) -> tuple[Figure, StudyResults]:
    spec = figures()[figure_id]
    data = study_results(spec.study)
    figure = spec.draw(data)
    footer(figure, spec.provenance(data))
    figure.draw_without_rendering()
    return figure, data
