"""Figures of Paper C show the numbers of the results."""

import dataclasses

import matplotlib.pyplot as plt
import numpy as np

from paper_figures.ctx import regret
from paper_figures.figure import figures
from paper_figures.panels import STOP
from paper_figures.table import number
from tests.paper_figures.drawing import drawn


def test_context_panels_accumulate_after_the_initial_design(study_results):
    """Regret of the expectation everywhere but on the complicated Hartmann, which shows rewards observed."""
    figure, data = drawn(study_results, "ctx.fig1a")
    for axes, problem in zip(figure.axes, data.problems(), strict=True):
        rewarded = problem == "context_hartmann_complicated"
        stored = data.array("y" if rewarded else "regret", problem=problem, policy="drbo_kde")
        shown = [line for line in axes.lines if line.get_label() == "DRBO-KDE"][0].get_ydata()
        np.testing.assert_allclose(shown, np.cumsum(stored[:, 10:], axis=1).mean(axis=0))
        assert axes.get_ylabel() == (
            "Cumulative reward\n(higher is better)" if rewarded else "Cumulative regret\n(lower is better)"
        )
    plt.close(figure)


def test_the_public_codes_way_of_counting_is_offered(study_results):
    """The design too, and the portfolio's optima 20 and 22; the made-up problems' optima are 2."""
    data = study_results("ctx.fig1b")
    table = figures()["ctx.fig1b"].tables(data)[-1]
    for problem, label, optimum in (
        ("portfolio_uniform", "Portfolio, uniform (3+2)", 20.0),
        ("portfolio_normal", "Portfolio, normal (3+2)", 22.0),
        ("newsvendor", "Newsvendor (1+1)", np.nan),
    ):
        regret = data.array("regret", problem=problem, policy="stable_opt")
        row = next(row for row in table.rows if row[:2] == (label, "StableOpt"))
        sums = regret[:, 10:].sum(axis=1), regret.sum(axis=1), (regret + optimum - 2.0).sum(axis=1)
        assert row[2:] == ("25", *(number(one.mean()) for one in sums))


def test_sbo_kde_is_compared_in_pairs(study_results):
    """Rows of the end table, recomputed: for rewards the sign is turned, so that negative favours SBO-KDE."""
    data = study_results("ctx.fig1a")
    table = figures()["ctx.fig1a"].tables(data)[0]
    for problem, array, label, sign in (
        ("context_branin", "regret", "Modified Branin (2+2)", 1.0),
        ("context_hartmann_complicated", "y", "Complicated Hartmann (5+1), reward", -1.0),
    ):
        row = next(row for row in table.rows if row[:2] == (label, "StableOpt"))
        ours, theirs = (
            data.array(array, problem=problem, policy=name)[:, 10:].sum(axis=1) for name in ("sbo_kde", "stable_opt")
        )
        assert row[2] == f"{number(ours.mean())} / {number(theirs.mean())}"
        assert row[3] == number(sign * float(np.mean(ours - theirs)))
        assert row[6].startswith(f"{int(np.sum(sign * ours < sign * theirs))}–")


def test_methods_of_fewer_rounds_end_there_and_are_compared_there(study_results):
    data = study_results("ctx.fig1b")
    results = [
        dataclasses.replace(one, arrays=one.arrays | {name: one.arrays[name][:, :25] for name in ("regret", "y")})
        if one.config["policy"] == "stable_opt"
        else one
        for one in data.results
    ]
    shorter = dataclasses.replace(data, results=results)
    figure = regret.draw(shorter)
    lengths = {line.get_label(): len(line.get_xdata()) for line in figure.axes[0].lines}
    assert (lengths["StableOpt"], lengths["SBO-KDE"]) == (15, 25)
    stops = [line for line in figure.axes[0].lines if line.get_marker() == STOP["marker"]]
    assert [float(line.get_xdata()[0]) for line in stops] == [15.0]
    told = [text.get_text() for text in figure.legends[0].get_texts()]
    assert told[-1] == "Runs that stop at 15 of 25 rounds, to save time"
    assert told[:-1] == [text.get_text() for text in regret.draw(data).legends[0].get_texts()]
    table = regret.end_table(shorter, "sbo_kde")
    row = next(row for row in table.rows if row[1] == "StableOpt")
    ours, theirs = (
        data.array("regret", problem="newsvendor", policy=name)[:, 10:25].sum(axis=1)
        for name in ("sbo_kde", "stable_opt")
    )
    assert row[2] == f"{number(ours.mean())} / {number(theirs.mean())}"
    plt.close(figure)
