"""Tables of paired comparisons follow from the arrays."""

import numpy as np

from experiments.engine.statistics import paired_comparison
from paper_figures.comparisons import (
    TEST,
    Pair,
    comparison_cells,
    exponent_cells,
    favours,
    paired_table,
    pairs_with_peers,
    ratio_cells,
    regret_table,
)
from paper_figures.table import number, p_value


def test_comparison_is_the_paired_one(study_results):
    """The table's numbers, recomputed from the arrays."""
    data = study_results("boke.fig6")
    table = regret_table(data, "boke", peers=["gp_ucb"])
    assert [row[1] for row in table.rows] == ["GP-UCB"] * 8
    ours, theirs = (data.array("simple_regret", problem="rotated_sphere", policy=p)[:, -1] for p in ("boke", "gp_ucb"))
    result = paired_comparison(ours, theirs)
    assert table.rows[-1][4] == number(float(result.difference.estimate))
    assert table.rows[-1][6] == p_value(result.p_value)
    assert table.rows[-1][7] == f"{(ours < theirs).sum()}–{(ours > theirs).sum()}–0"


def test_one_seed_gives_no_interval():
    assert comparison_cells(np.array([1.0]), np.array([3.0])) == ("−2", "n/a", "n/a")
    assert exponent_cells(np.arange(1, 4), np.ones((1, 3))) == ("n/a", "n/a")


def test_rows_of_a_paired_table():
    """Labels, means as shown, difference as compared, outcomes, extras, in the header's order."""
    ours, theirs = np.log10([1.0, 10.0, 100.0]), np.log10([10.0, 10.0, 1000.0])
    pair = Pair(("a", "b"), ours, theirs, ("c",), shown=lambda mean: 10**mean)
    table = paired_table("Title", ("A", "B"), [pair], "Note.", extra=("C",))
    assert table.header == (
        "A", "B", "Mean (ours / peer)", "Mean difference", "95 % CI", "p", "Wins–losses–ties", "C",
    )  # fmt: skip
    assert table.rows == (("a", "b", "10 / 46.4", *comparison_cells(ours, theirs), "2–0–1", "c"),)
    assert table.note == f"Note. {TEST}"
    higher = paired_table("Title", ("A", "B"), [pair], "Note.", extra=("C",), higher=True)
    assert higher.rows[0][-2] == "0–2–1"


def test_a_method_is_paired_with_its_peers_in_the_order_of_legends():
    samples = {name: np.zeros(2) for name in ("random_search", "gp_ucb", "boke")}
    rows = pairs_with_peers("x", samples, "boke")
    assert [row.labels for row in rows] == [("x", "GP-UCB"), ("x", "Random search")]
    assert [row.labels[1] for row in pairs_with_peers("x", samples, "boke", peers=["random_search", "kr_ucb"])] == [
        "Random search"
    ]
    assert pairs_with_peers("x", samples, "kr_ucb") == []


def test_a_method_is_paired_on_the_seeds_that_both_have():
    samples = {"boke": np.arange(3.0), "gp_ucb": np.arange(2.0), "random_search": np.arange(4.0)}
    rows = pairs_with_peers("x", samples, "boke")
    assert [(list(row.ours), list(row.theirs)) for row in rows] == [([0, 1], [0, 1]), ([0, 1, 2], [0, 1, 2])]


def test_signs_are_told():
    assert favours("A") == "Difference = A − peer: negative favours A."
    assert favours("A", "B", higher=True) == "Difference = A − B: positive favours A."


def test_ratios_are_taken_in_pairs():
    assert ratio_cells(np.array([2.0, 6.0, 40.0]), np.array([1.0, 2.0, 10.0]))[0] == "3"
