"""Every method has one look, and files depend on the results alone."""

import ast
import itertools
import os
import subprocess
import sys
from pathlib import Path

import matplotlib.colors
import matplotlib.pyplot as plt
import pytest

from core.policies import REGISTRY
from experiments.groups import GROUPS
from paper_figures import style
from paper_figures.footer import footer, name_band, remark

ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
from pathlib import Path
from paper_figures import style
from paper_figures.footer import footer
figure, grid = style.new_figure(1, 2, height=2.0, legend=0.26)
for axes in grid[0]:
    axes.plot([1, 2, 3], [0.1, 1.0, 0.3], **style.method_style("boke").plot())
    axes.set_xlabel("$x$ or σ̂")
style.method_legend(figure, ["boke", "gp_ucb"])
footer(figure, "scale quick · 10 seeds")
style.save(figure, Path(sys.argv[1]), "figure", ("png", "pdf", "svg"))
"""


@pytest.mark.parametrize("paper", "ABCD")
def test_no_two_methods_of_a_paper_look_alike(paper):
    """Designs of Figure 3 may repeat the look of a policy: they never share a figure with it."""
    chosen = {name: look for name, look in style.METHODS.items() if paper in look.papers}
    designs = {f"density_exploration{end}" for end in ("", "_small", "_spacing")}
    designs |= {"gp_exploration", "uniform", "lhs", "sobol"}
    finite = {"finite_boke", "ucb1"}
    groups = [designs, finite, set(chosen) - designs - finite] if paper == "A" else [set(chosen)]
    for group in groups:
        looks = [(chosen[n].colour, chosen[n].marker, str(chosen[n].line)) for n in group if n in chosen]
        assert len(set(looks)) == len(looks)
        markers = [chosen[name].marker for name in group if name in chosen]
        assert len(set(markers)) == len(markers), "markers alone must tell the methods apart"


def test_remarks_that_differ_in_their_end_become_one():
    figure, grid = style.new_figure(1, 1, height=2.0)
    for what in ("mean", "median"):
        name_band(grid[0][0], f"95 % interval of the {what}")
    remark(figure, "two rows")
    footer(figure, "scale quick")
    assert [text.get_text() for text in figure.texts] == [
        "Bands: 95 % interval of the mean, of the median · two rows",
        "scale quick",
    ]


def test_palette():
    """Okabe and Ito's colours and one grey; every line is at least 1.9 : 1 against white."""
    allowed = {*style.OKABE_ITO, style.GREY} - {style.YELLOW}
    assert {look.colour for look in style.METHODS.values()} <= allowed
    for look in style.METHODS.values():
        channels = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(look.colour)
        ]
        luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))
        assert 1.05 / (luminance + 0.05) > 1.9


def test_every_registered_policy_has_a_look():
    """A policy without an entry still draws, but the papers' own must have one."""
    assert set(REGISTRY) <= set(style.METHODS)
    assert len({look.label for look in style.METHODS.values()}) == len(style.METHODS)


DRAWING = sorted(
    path
    for paper in GROUPS
    for path in (ROOT / "paper_figures" / paper.key).glob("*.py")
    if "paper_figures.style import" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("path", DRAWING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_labels_of_methods_come_from_the_table(path):
    """No string of a figure is a method's label; words of a caption may name methods."""
    labels = {look.label for look in style.METHODS.values()}
    texts = [
        node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)
    ]
    assert not labels.intersection(text for text in texts if isinstance(text, str))


def test_unknown_method_draws_in_black_under_its_own_name():
    assert style.method_style("mine").label == "mine"
    assert style.method_order(["mine", "gp_ucb", "boke"]) == ["boke", "gp_ucb", "mine"]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("sphere6", "Sphere (6D)"),
        ("rosenbrock4", "Rosenbrock (4D)"),
        ("hartmann3", "Hartmann3 (3D)"),
        ("eq9", "Equation (9)"),
        ("hartmann3, noisy", "Hartmann3 (3D), noisy"),
    ],
)
def test_problem_label(name, label):
    assert style.problem_label(name) == label


@pytest.mark.slow
def test_same_bytes_in_other_processes(tmp_path):
    """Neither hash randomisation, nor the user's matplotlibrc, nor the clock shows in the files."""
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\nfont.family: serif\n")
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "MATPLOTLIBRC": str(tmp_path) if seed == "2" else ""}
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path / seed)], check=True, cwd=ROOT, env=environment, timeout=120
        )
    for kind in ("png", "pdf", "svg"):
        first, second = ((tmp_path / seed / f"figure.{kind}").read_bytes() for seed in "12")
        assert first == second, kind
    assert {path.name for path in (tmp_path / "1").iterdir()} == {"figure.png", "figure.pdf", "figure.svg"}


def test_files_carry_no_dates_or_tool_versions(tmp_path):
    figure, _ = style.new_figure(1, 1, height=1.0)
    png, pdf = style.save(figure, tmp_path, "plain")
    assert b"Software" not in png.read_bytes()
    assert not any(word in pdf.read_bytes() for word in (b"CreationDate", b"ModDate", b"Matplotlib"))
    assert not plt.fignum_exists(figure.number)


def test_unwritable_folder(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    figure, _ = style.new_figure(1, 1, height=1.0)
    with pytest.raises(OSError, match="file"):
        style.save(figure, blocked / "figures", "x")
    plt.close(figure)


def test_legend_height_grows_by_rows():
    heights = [style.legend_height(entries, 4) for entries in (1, 4, 5, 9)]
    assert heights[0] == heights[1] < heights[2] < heights[3]
    assert all(b - a > 0.1 for a, b in itertools.pairwise(heights[1:]))
