"""The sources of Paper B's readings on planted results."""

import math

import numpy as np
import pytest

from experiments.engine.result_file import Result
from experiments.measures import gap
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.cei import benchmark_runs, benchmarks, cost, figures
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State

TWICE = math.log10(2.0)


def result(study, problem, policy, options=None, seeds=8, first=0, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "scale": "quick", "options": options or {}}
    config["seeds"] = list(range(first, first + seeds))
    return Result(config, {name: np.asarray(array) for name, array in arrays.items()}, {})


def benchmark(study, policy, size, problem="hartmann3", arm="known", fraction=0.1, seeds=8, first=0):
    """Gap and distance end at `size` times a factor of the seed's own."""
    ends = size * 1.1 ** np.arange(first, first + seeds)[:, None]
    options = {"arm": arm, "noise_fraction": fraction}
    curve = np.concatenate([np.ones_like(ends), ends], axis=1)
    return result(study, problem, policy, options, seeds, first, gap=curve, distance=curve, range=1.0)


def everywhere(study, factors, **options):
    return [benchmark(study, m, f, problem=p, **options) for p in benchmark_runs.PROBLEMS for m, f in factors.items()]


def estimates(reading, scale="quick"):
    return [point.advantages for point in READINGS[reading].curve(scale).points]


def test_each_protocol_is_a_choice_and_what_lacks_is_said(plant):
    plant(everywhere("cei.fig3", {"corrected_ei": 0.1, "ei": 0.2}))
    points = READINGS["cei.fig3_beats_ei"].curve("quick").points
    assert [one.setting.choices["protocol"] for one in points] == ["variance known"] * 4 + ["public code"] * 4
    np.testing.assert_allclose([one.advantages for one in points[:4]], TWICE)
    assert {one.setting.missing for one in points[4:]} == {
        "python -m experiments run --only cei.fig3_public --scale paper"
    }
    leaked = everywhere("cei.fig3", {"corrected_ei": 0.2, "ei": 0.1}, arm="leaked")
    public = everywhere("cei.fig3_public", {"corrected_ei": 0.1, "ei": 0.1}, arm="public")
    plant([*everywhere("cei.fig3", {"corrected_ei": 0.1, "ei": 0.2}), *leaked, *public])
    np.testing.assert_allclose(
        [np.mean(row) for row in estimates("cei.fig3_beats_ei")],
        [TWICE] * 4 + [-TWICE] * 4 + [0.0] * 4,
        atol=1e-12,
    )


def test_one_problem_that_lacks_leaves_the_reading_without_runs(plant):
    plant(everywhere("cei.fig3", {"corrected_ei": 0.1, "ei": 0.2})[:-1])
    with pytest.raises(Undecided, match=r"cei\.fig3"):
        READINGS["cei.fig3_beats_ei"].curve("quick")


def test_further_seeds_of_figure_7_are_stacked(plant):
    factors = dict.fromkeys(("corrected_ei", *benchmark_runs.PEERS), 0.1)
    more = everywhere("cei.fig7_seeds", factors, first=8, seeds=4)
    plant([*everywhere("cei.fig7", factors), *more])
    default = READINGS["cei.fig7_competitive"].curve("quick").default
    assert {one.seeds for group in default.setting.groups.values() for one in group} == {12}
    assert len(default.states) == 6
    assert default.state is State.HOLDS


def test_high_noise_is_from_a_tenth_on_and_stacks_other_seeds(plant):
    sizes = {0.01: (9.0, 1.0), 0.1: (1.0, 2.0), 0.2: (1.0, 4.0)}
    runs = [
        benchmark(study, method, size, "griewank6", fraction=fraction, first=first)
        for study, first in (("cei.fig8", 0), ("cei.fig8_seeds", 100))
        for fraction, both in sizes.items()
        for method, size in zip(("corrected_ei", "ei"), both, strict=True)
    ]
    plant(runs)
    curve = READINGS["cei.fig8_robust"].curve("quick")
    shown = {tuple(p.setting.choices.values()): p.advantages for p in curve.points}
    assert shown["variance known", "from 10 %", "mean distance"] == [pytest.approx(math.log10(3.0))]
    assert shown["variance known", "from 10 %", "mean of log10 of the distance"] == [pytest.approx(math.log10(8.0) / 2)]
    assert shown["variance known", "from 20 %", "mean distance"] == [pytest.approx(math.log10(4.0))]
    assert shown["public code", "from 20 %", "mean distance"] == []
    assert len(shown) == 12
    assert [one.seeds for one in curve.default.setting.groups["corrected_ei against ei, griewank6"]] == [16]
    missing = next(p.setting.missing for p in curve.points if not p.advantages)
    assert "run --only cei.fig8_public" in missing
    code = [
        benchmark("cei.fig8_public", method, size, "griewank6", "public", fraction)
        for fraction in (0.1, 0.2)
        for method, size in (("corrected_ei", 1.0), ("ei", 5.0))
    ]
    plant([*runs, *code])
    points = READINGS["cei.fig8_robust"].curve("quick").points
    np.testing.assert_allclose([p.advantages for p in points[6:]], math.log10(5.0))


def test_figure_7_by_the_public_code_is_held_against_two_peers(plant):
    plant(everywhere("cei.fig7_public", {"corrected_ei": 0.2, "ei": 0.1, "corrected_pi": 0.4}, arm="public"))
    default = READINGS["cei.fig7_public_code"].curve("quick").default
    assert default.advantages == pytest.approx([-TWICE, TWICE])


def test_the_decline_is_the_slope_in_the_noise(plant):
    methods = ("corrected_ei", *benchmark_runs.PEERS)
    powers = dict.fromkeys(methods, 0.5) | {"pi": 0.0}
    plant(
        [
            benchmark("cei.fig8", method, fraction ** powers[method], "griewank6", fraction=fraction)
            for method in methods
            for fraction in (0.01, 0.05, 0.2)
        ]
    )
    growth, slope = READINGS["cei.fig8_decline"].curve("quick").points
    by_method = dict(zip(methods, slope.advantages, strict=True))
    assert by_method["ei"] == pytest.approx(0.5)
    assert by_method["pi"] == pytest.approx(0.0, abs=1e-12)
    assert dict(zip(methods, growth.advantages, strict=True))["ei"] == pytest.approx(0.5 * math.log10(20.0))
    assert growth.state is slope.state is State.LEVEL
    assert slope.states["pi"] is State.LEVEL


def test_figure_1_asks_for_one_example_and_ours_for_the_mean(plant):
    distance = np.concatenate([np.full(98, 1.0), np.full(2, 4.0)])
    plant(
        [
            result(
                "cei.fig1",
                "three_bumps",
                "corrected_ei",
                distance_ei=distance,
                distance_corrected_ei=np.full(100, 1.5),
            )
        ]
    )
    [[share]] = estimates("cei.fig1_closer_to_optimum")
    assert share == pytest.approx(0.02)
    assert estimates("cei.fig1_scenarios")[0] == pytest.approx([0.98 * -0.5 + 0.02 * 2.5])


def test_kappas_that_tell_nothing_apart_are_left_out():
    ours, peer = np.array([[1, 3, 9, 9]] * 2), np.array([[1, 4, 9, 8]] * 2)
    assert figures.informative(ours, peer, 9).tolist() == [False, True, False, True]


def test_consistently_allows_no_kappa_at_which_the_profit_is_lower(plant):
    noise = 0.1 * np.random.default_rng(1).standard_normal((20, 3))
    shared = {"steps": np.array([[1, 2, 3]] * 20), "kappa": np.array([0.1, 1.0, 10.0]), "acquisition": np.ones((20, 5))}

    def planted(lowest):
        ours = {**shared, "steps": shared["steps"] + 1, "profit": np.array([20.0, 20.0, lowest]) + noise}
        peer = {**shared, "profit": np.zeros((20, 3))}
        both = {"corrected_ei": ours, "ei": peer}
        plant([result("cei.fig2", "sphere3", m, seeds=20, **arrays) for m, arrays in both.items()])
        return READINGS["cei.fig2_profit"].curve("quick").default

    assert planted(0.0).state is State.HOLDS
    assert planted(-10.0).states["kappa 10"] is State.OPPOSITE
    assert planted(-10.0).state is not State.HOLDS


def test_appendix_b_reads_both_values_in_both_domains(plant):
    rows = {"value_at_stop": [1.0] * 30 + [0.0] * 10, "incumbent_value_at_stop": [0.0] * 40}
    zero = {name: [0.0] * 40 for name in rows}
    plant(
        [
            result("cei.fig6", "nearest_sample", method, {"width": width}, 40, **arrays)
            for width in (30.0, 10.0)
            for method, arrays in (("corrected_ei", rows), ("ei", zero))
        ]
    )
    points = READINGS["cei.figB_above_the_line"].curve("quick").points
    assert [tuple(one.setting.choices.values()) for one in points] == [
        (domain, value) for domain in ("[0, 10]", "[0, 30]") for value in ("proposal refused", "incumbent")
    ]
    assert [one.advantages for one in points] == [[0.75], [0.0]] * 2
    assert [one.state for one in points] == [State.HOLDS, State.LEVEL] * 2


def test_figure_4_reads_each_version_of_fc3_and_the_two_other_networks(plant):
    """Corrected EI ends 0.1 lower on the public code's network, 0.05 higher at x+ on the stand-ins, 0.2 lower on the
    others."""

    def runs(study, network, observed, incumbent):
        spread = 0.01 * np.random.default_rng(3).standard_normal((8, 1))
        for method, sign in (("corrected_ei", 1.0), ("ei", 0.0)):
            arrays = {"best_observed": sign * observed + spread, "incumbent_value": sign * incumbent - spread}
            yield result(study, network, method, **arrays)

    stand_ins = [one for name in ("fc3_mnist", "fc3_digits") for one in runs("cei.fig4", name, 0.0, -0.05)]
    plant(stand_ins)
    points = READINGS["cei.fig4_beats_ei"].curve("quick").points
    assert [bool(one.setting.groups) for one in points] == [False] * 4 + [True] * 8
    assert "cei.fig4_public" in points[0].setting.missing
    plant([*stand_ins, *runs("cei.fig4_public", "fc3_public", 0.1, 0.1)])
    found = [np.mean(row) for row in estimates("cei.fig4_beats_ei")]
    np.testing.assert_allclose(found, [0.1] * 4 + [0.0, 0.0, -0.05, -0.05] * 2, atol=1e-12)
    large = [
        run for name in ("vgg16_mnist", "resnet50_mnist") for run in runs("cei.fig4_convolutional", name, 0.2, 0.3)
    ]
    plant([*stand_ins, *large])
    rows = estimates("cei.fig4_beats_ei")
    np.testing.assert_allclose(
        rows[:4], [[0.2, 0.2]] * 2 + [[0.3, 0.3]] * 2, atol=1e-12
    )  # the public code's lacks runs
    np.testing.assert_allclose(rows[4:6], [[0.0, 0.2, 0.2]] * 2, atol=1e-12)
    np.testing.assert_allclose(rows[6:8], [[-0.05, 0.3, 0.3]] * 2, atol=1e-12)


def test_seconds_count_the_fit_where_the_paper_does(plant):
    names = (*cost.ANALYTIC, *cost.MONTE_CARLO, "noisy_ei_separate", "qnei_separate")
    seconds = {f"seconds_{name}": np.full((8, 2), 1.0) for name in names}
    seconds["seconds_noisy_ei"] = np.full((8, 2), 3.0)
    plant([result("cei.cost", dim, "all", seconds_fit=np.full((8, 2), 1.0), **seconds) for dim in ("d3", "d6")])
    points = READINGS["cei.cost_analytic"].curve("quick").points
    found = {tuple(one.setting.choices.values())[:2]: one.advantages[0] for one in points}
    assert found == pytest.approx(
        {
            ("fit and proposal", "shared"): TWICE,
            ("fit and proposal", "separate"): 0.0,
            ("proposal", "shared"): math.log10(3.0),
            ("proposal", "separate"): 0.0,
        }
    )


def test_measures_read_the_end_of_a_run():
    one = result("s", "p", "m", gap=[[4.0, 1.0], [4.0, 0.0]], range=2.0, best_value=[[0.0, 3.0]], optimum=5.0)
    assert gap.final_gap(one).tolist() == [0.5, 1e-9]
    assert gap.best_query_regret(one).tolist() == [1.0]
    steps = result("s", "p", "m", incumbent_steps=[[0.0, 0.0, 0.3]])
    assert gap.step_from_incumbent(steps).tolist() == [gap.LEAST_STEP]


def test_every_sentence_of_the_papers_stands_under_a_reading_of_its_own():
    ours = [one for one in READINGS.values() if one.paper == "B" and one.variant_of]
    assert {one.variant_of for one in ours} <= set(READINGS)
    assert benchmarks.fig3_public_code.repairs == "cei.fig3_beats_ei"
