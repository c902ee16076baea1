"""The look of every figure: one colour, marker and label per method, panel layout, reproducible files.

Colours are the palette of Okabe and Ito (2008), which stays distinct under the common colour-vision deficiencies;
methods that share a hue in one paper differ in marker and line style too, so that no figure relies on colour alone.
GP-UCB is orange in all papers, for all treatments of its hyperparameters and of the context.
"""

import io
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.layout_engine import ConstrainedLayoutEngine  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.text import Text  # noqa: E402

from experiments.engine.files import write_whole  # noqa: E402

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#7F7F7F"
INDIGO = "#332288"
OLIVE = "#8A8A1F"
WINE = "#882255"
"""Indigo, olive and wine (after Tol's muted scheme) are for data sets and estimates; no method uses these colours."""
OKABE_ITO = (BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE)

LETTERS = string.ascii_uppercase
"""The letters of panels: Paper A's, which also serve papers without letters."""
LOWER = tuple(f"({letter})" for letter in string.ascii_lowercase)
"""Letters of the panels of Paper B."""

WIDTH = 7.0
"""Text width of a paper, in inches: the width of every multi-panel figure."""

SMALLEST = 6.7
"""The smallest font size in points: 6 on a page of 16 cm. Indices in formulas are smaller."""

BAND_ALPHA = 0.16
FOOTER_HEIGHT = 0.17
"""Inches kept free at the bottom of a figure for the provenance line."""

_SHEET = Path(__file__).with_name("kernelbo.mplstyle")


@dataclass(frozen=True)
class MethodStyle:
    """The drawing style of one method in all figures: `label`, `colour`, `marker`, `line` (a matplotlib line style)."""

    label: str
    colour: str
    marker: str
    line: Any
    papers: str

    def plot(self) -> dict[str, Any]:
        """Keyword arguments for `Axes.plot`."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line, "label": self.label}


_DASH = (0, (4.0, 1.6))
_DOT = (0, (1.0, 1.4))
_DASHDOT = (0, (4.0, 1.4, 1.0, 1.4))

METHODS: dict[str, MethodStyle] = {
    # Paper A
    "boke": MethodStyle("BOKE", BLUE, "o", "-", "A"),
    "boke_plus": MethodStyle("BOKE+", VERMILLION, "^", "-", "A"),
    "kr_ucb": MethodStyle("KR-UCB", GREEN, "s", "-", "A"),
    "gp_ucb": MethodStyle("GP-UCB", ORANGE, "D", "-", "ABCD"),
    "gp_ucb_refit": MethodStyle("GP-UCB, refitted", ORANGE, "v", _DASH, "AB"),
    "density_exploration": MethodStyle("Density exploration", BLUE, "o", "-", "A"),
    "density_exploration_small": MethodStyle("Density exploration, $h_t / 10$", VERMILLION, "X", _DASH, "A"),
    "density_exploration_spacing": MethodStyle("Density exploration, $h_t = t^{-1/d}/2$", SKY, "P", _DASH, "A"),
    "gp_exploration": MethodStyle("GP-variance exploration", ORANGE, "D", "-", "A"),
    "uniform": MethodStyle("Uniform sampling", GREY, "x", _DOT, "A"),
    "lhs": MethodStyle("Latin hypercube", GREEN, "s", _DASHDOT, "A"),
    "sobol": MethodStyle("Sobol' sequence", PURPLE, "v", _DASH, "A"),
    "finite_boke": MethodStyle("BOKE, finite set", BLUE, "o", _DASH, "A"),
    "ucb1": MethodStyle("UCB1", BLACK, "P", _DASHDOT, "A"),
    # Paper B
    "corrected_ei": MethodStyle("Corrected EI", BLUE, "o", "-", "B"),
    "ei": MethodStyle("EI", VERMILLION, "^", _DASH, "B"),
    "corrected_pi": MethodStyle("Corrected PI", SKY, "s", "-", "B"),
    "pi": MethodStyle("PI", PURPLE, "<", _DASH, "B"),
    "noisy_ei": MethodStyle("NEI", GREEN, "P", _DASHDOT, "B"),
    "qnei": MethodStyle("qNEI", BLACK, "X", _DASHDOT, "B"),
    "noisy_ei_separate": MethodStyle("NEI, separate models", GREEN, "*", _DOT, "B"),
    "qnei_separate": MethodStyle("qNEI, joint posterior", BLACK, ">", _DOT, "B"),
    "fit": MethodStyle("Refit of the hyperparameters", GREY, "p", _DOT, "B"),
    # Paper C
    "sbo_kde": MethodStyle("SBO-KDE", BLUE, "o", "-", "C"),
    "drbo_kde": MethodStyle("DRBO-KDE", VERMILLION, "^", "-", "C"),
    "drbo_mmd": MethodStyle("DRBO-MMD", GREEN, "s", _DASHDOT, "C"),
    "drbo_mmd_minimax": MethodStyle("DRBO-MMD-MinimaxApprox", PURPLE, "v", _DASHDOT, "C"),
    "context_free_ucb": MethodStyle("GP-UCB without context", ORANGE, "P", _DOT, "C"),
    "stable_opt": MethodStyle("StableOpt", BLACK, "X", _DASH, "C"),
    # Paper D
    "uhe_bo": MethodStyle("UHE-BO", BLUE, "o", "-", "D"),
    "ra_bo": MethodStyle("RA-BO", VERMILLION, "^", "-", "D"),
    "random_exp3": MethodStyle("Random + EXP3", GREEN, "P", _DASH, "D"),
    "gp_ucb_map": MethodStyle("MAP", ORANGE, "s", _DASH, "D"),
    "gp_ucb_mcmc": MethodStyle("MCMC", PURPLE, "v", _DASH, "D"),
    "a_gp_ucb": MethodStyle("A-GP-UCB", BLACK, "X", _DASHDOT, "D"),
    "wang_de_freitas": MethodStyle("Wang and de Freitas", SKY, "p", _DASHDOT, "D"),
    "portfolio_exp3": MethodStyle("Portfolio", GREEN, "*", _DASHDOT, "D"),
    # All papers, last in every legend
    "random_search": MethodStyle("Random search", GREY, "x", _DOT, "ABCD"),
}
"""Every method of the four papers. A method added here has the same style in every figure that shows it."""

PROBLEM_LABELS: dict[str, str] = {
    "eq9": "Equation (9)",
    "forrester": "Forrester (1D)",
    "goldstein_price": "Goldstein–Price (2D)",
    "log_goldstein_price": "Log Goldstein–Price (2D)",
    "six_hump_camel": "Six-Hump Camel (2D)",
    "hartmann3": "Hartmann3 (3D)",
    "rosenbrock": "Rosenbrock",
    "sphere": "Sphere",
    "rotated_sphere": "Rotated Sphere (6D)",
    "standardised_rosenbrock": "Standardised Rosenbrock (4D)",
    "branin": "Branin (2D)",
    "h1": "h1 (2D)",
    "h1_near": "h1, smaller box (2D)",
    "h1_printed": "h1, printed denominator (2D)",
    "three_bumps": "Three bumps (1D)",
    "nearest_sample": "Sample path (1D)",
    "sprinkler": "Sprinkler (8D)",
    "d": "Unit cube",
    "rf_wine": "Random forest on Wine",
    "rf_california": "Random forest on California",
    "rf_wilt": "Random forest on Wilt",
    "lr_vehicle": "Logistic regression on Vehicle",
    "xgb_australian": "XGBoost on Australian",
    "fc3_digits": "64-64-32-10 on digits (3D)",
    "fc3_mnist": "784-128-64-10 on MNIST (3D)",
    "fc3_public": "784-1000-1000-10 on MNIST (3D)",
    "vgg16_digits": "small VGG-16 on digits (13D)",
    "resnet50_digits": "small ResNet50 on digits (16D)",
    "vgg16_mnist": "VGG-16 on MNIST (13D)",
    "resnet50_mnist": "ResNet50 on MNIST (16D)",
    "context_ackley": "Ackley (2+1)",
    "context_ackley4": "Ackley (2+4)",
    "context_branin": "Modified Branin (2+2)",
    "context_hartmann": "Hartmann (5+1)",
    "context_hartmann_complicated": "Complicated Hartmann (5+1)",
    "newsvendor": "Newsvendor (1+1)",
    "portfolio_uniform": "Portfolio, uniform (3+2)",
    "portfolio_normal": "Portfolio, normal (3+2)",
}


def method_style(name: str) -> MethodStyle:
    """The style of a method; an unlisted method gets a black line and its own name, so that a new policy can be
    drawn."""
    return METHODS.get(name, MethodStyle(name, BLACK, "h", _DASH, ""))


def method_order(names: Iterable[str]) -> list[str]:
    """The given methods in the order of `METHODS`; unlisted methods come last, alphabetically."""
    listed = list(METHODS)
    return sorted(set(names), key=lambda name: (listed.index(name) if name in METHODS else len(listed), name))


def method_label(name: str) -> str:
    """Name of a method as papers print it."""
    return method_style(name).label


def problem_label(name: str) -> str:
    """Name of a problem as papers print it, with its dimension: "sphere6" is "Sphere (6D)"."""
    name, comma, remark = name.partition(",")
    if comma:
        return f"{problem_label(name)},{remark}"
    if name in PROBLEM_LABELS:
        return PROBLEM_LABELS[name]
    stem = name.rstrip("0123456789")
    dim = name[len(stem) :]
    label = PROBLEM_LABELS.get(stem, stem.replace("_", " ").strip().capitalize())
    return f"{label} ({dim}D)" if dim else label


def use() -> None:
    """Install the style sheet on top of matplotlib's defaults (not the user's own settings)."""
    plt.style.use(["default", str(_SHEET)])


def new_figure(
    rows: int, columns: int, height: float, width: float = WIDTH, legend: float = 0.0, **grid: Any
) -> tuple[Figure, list[list[Axes]]]:
    """A `rows` × `columns` grid of axes, with `legend` inches free on top and room for the provenance line below.

    `height`, `width`, `legend` are inches; `grid` goes to `Figure.subplots` (`sharex`, `gridspec_kw`, ...).
    """
    use()
    low, high = FOOTER_HEIGHT / height, 1.0 - legend / height
    layout = ConstrainedLayoutEngine(rect=(0.0, low, 1.0, high - low), w_pad=0.04, h_pad=0.03, wspace=0.03, hspace=0.04)
    figure = plt.figure(figsize=(width, height), layout=layout)
    return figure, [list(row) for row in figure.subplots(rows, columns, squeeze=False, **grid)]


def legend_height(entries: int, columns: int) -> float:
    """The height in inches of a legend with so many entries in so many columns."""
    return 0.1 + 0.165 * -(-entries // columns)


def method_legend(
    figure: Figure, names: Sequence[str], extra: Sequence[Line2D] = (), columns: int = 6, lines: bool = True
) -> None:
    """Legend of methods above the panels, outside the data; `extra` holds further handles.

    Without `lines` the legend shows marks alone, for panels that join no points.
    """
    looks = [method_style(name).plot() for name in method_order(names)]
    handles: list[Any] = [Line2D([], [], **(look if lines else look | {"linestyle": ""})) for look in looks]
    top_legend(figure, [*handles, *extra], columns)


def top_legend(figure: Figure, handles: Sequence[Any], columns: int = 6) -> None:
    """Legend on the strip above the panels."""
    figure.legend(
        handles=list(handles), loc="upper center", bbox_to_anchor=(0.5, 1.0), ncols=min(columns, len(handles)),
        borderaxespad=0.25,
    )  # fmt: skip


def panel_title(axes: Axes, letter: str, text: str) -> None:
    """Panel heading "A  text", as the papers letter their panels."""
    axes.set_title(f"$\\mathbf{{{letter}}}$  {text}")


def close_lines(figure: Figure) -> None:
    """Sets the lines of a label or title closer: the font's own distance is one and a half times its size."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and "\n" in text.get_text():
            text.set_linespacing(1.1)


def save(figure: Figure, folder: Path, name: str, formats: Sequence[str] = ("png", "pdf")) -> list[Path]:
    """Write `name`.png and `name`.pdf without dates or tool versions: equal results give equal bytes.

    Returns the paths; raises `OSError` where the folder cannot be written. The figure is closed.
    """
    metadata: dict[str, dict[str, None]] = {
        "png": {"Software": None},
        "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
        "svg": {"Date": None, "Creator": None},
    }
    close_lines(figure)
    if (layout := figure.get_layout_engine()) is not None:  # the layout is computed once, for all formats
        layout.execute(figure)
    figure.set_layout_engine("none")
    written = []
    for kind in formats:
        content = io.BytesIO()
        figure.savefig(content, format=kind, metadata=metadata[kind])
        written.append(write_whole(folder / f"{name}.{kind}", content.getvalue(), durable=False))
    plt.close(figure)
    return written
