"""Sources of Paper A's readings on planted runs: crossed settings, missing runs, panels and seeds."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from experiments.boke.regret_constants import ADDED, SETTINGS, in_words
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import Result
from experiments.engine.study import Cell
from experiments.measures.times import seconds_a_proposal
from experiments.measures.tuning import deviation
from theory_checks import study_results
from theory_checks.readings.boke import figure3, figure6, regret_runs, sprinkler_runs, tuning_runs
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State

SEEDS = tuple(range(8))
FUNCTIONS = sorted({name for names in regret_runs.VERSIONS.values() for name in names.values()})


def result(problem, policy, arrays, seeds=SEEDS, /, **options):
    config = {"problem": problem, "policy": policy, "seeds": list(seeds), "options": options}
    return Result(config, {name: np.asarray(values) for name, values in arrays.items()}, {})


@pytest.fixture
def plant(monkeypatch):
    """A function that makes these results, by study and scale, all that is stored."""

    def store(found):
        monkeypatch.setattr(study_results, "results", lambda study, scale: found.get((study, scale), []))

    return store


def regret(problem, policy, last, **more):
    """A run of three evaluations, one of them the design, on a problem of range two."""
    curve = np.tile([2.0, 1.0, last], (len(SEEDS), 1)) * np.linspace(1.0, 1.1, len(SEEDS))[:, None]
    return result(problem, policy, {"simple_regret": curve, "initial_size": 1, "range": 2.0, **more})


def swept(problem, method, last, noisy=False):
    settings = (*ADDED[method], *SETTINGS[method])
    names = [in_words(one) for one in settings if noisy or regret_runs.LEVEL not in one.values()]
    rows = np.tile(last, (len(names), len(SEEDS)))
    arrays = {"setting": names, "final_regret": rows, "mean_log10_regret": np.log10(rows)}
    return result(problem, method, arrays, problem=problem, noisy=noisy)


def figure_runs(lasts):
    return [regret(problem, method, last) for problem in FUNCTIONS for method, last in lasts.items()]


LASTS = {"boke": 0.02, "boke_plus": 0.02, "gp_ucb": 0.02, "kr_ucb": 0.2, "random_search": 0.4}


def test_settings_of_both_sides_are_crossed_and_missing_runs_are_named(plant):
    """Panels E and F have two versions of their functions; GP-UCB was swept on F alone."""
    sweep = [swept(problem, method, 0.01) for problem in FUNCTIONS for method in regret_runs.OURS]
    sweep += [swept(problem, "gp_ucb", 0.01) for problem in ("sphere6", "rotated_sphere")]
    plant({("boke.fig6", "quick"): figure_runs(LASTS), (regret_runs.SWEEP, "quick"): sweep})
    source = regret_runs.runs("boke.fig6", "gp_ucb", "EF", noisy=False, meanings=("EF", "F"))
    found = list(source("quick"))
    ours, theirs = (len(regret_runs.names_of(name, noisy=False)) for name in ("boke", "gp_ucb"))
    assert len(found) == 2 * 2 * ours * theirs
    assert set(found[0].choices.values()) == {"usual", "EF", regret_runs.DEFAULT}
    lacking = Counter(one.choices["panels"] for one in found if one.missing)
    assert lacking == {"EF": 2 * ours * (theirs - 1)}
    assert all("--only boke.regret_constants --scale quick" in one.missing for one in found if one.missing)
    assert found[0].rename == {"E": "rosenbrock4", "F": "sphere6"}
    alone = next(one for one in found if one.choices["panels"] == "F")
    assert alone.rename == {"E": "sphere6", "F": "sphere6"}


def test_values_of_a_sweep_and_of_a_figure_are_fractions_of_the_range():
    """0.02 over a range of two is 0.01, which a sweep stores as such."""
    assert regret_runs.final(regret("sphere6", "boke", 0.02))[0] == pytest.approx(0.01)
    assert regret_runs.whole(regret("sphere6", "boke", 0.02))[0] == pytest.approx(np.sqrt(0.5 * 0.01))
    swept_run = Result({}, {"final_regret": np.array([0.0]), "mean_log10_regret": np.array([-2.0])}, {})
    assert regret_runs.final(swept_run)[0] == regret_runs.FLOOR
    assert regret_runs.whole(swept_run)[0] == pytest.approx(0.01)


@pytest.mark.parametrize(("last", "state"), [(0.02, State.HOLDS), (0.39, State.LEVEL)])
def test_one_panel_on_which_both_are_ahead_is_enough(plant, last, state):
    """KR-UCB has ten times the regret of both, or about as much, on the Forrester function alone."""
    runs = figure_runs({**LASTS, "boke": 0.2, "boke_plus": 0.2})
    runs = [one for one in runs if (one.config["problem"], one.config["policy"]) != ("forrester", "kr_ucb")]
    runs = [one for one in runs if one.config["problem"] != "forrester" or "boke" not in one.config["policy"]]
    runs += [regret("forrester", name, last) for name in regret_runs.OURS] + [regret("forrester", "kr_ucb", 0.4)]
    plant({("boke.fig6", "quick"): runs})
    assert READINGS[figure6.fig6_kr_ucb_slower.id].curve("quick").default.state is state


def sprinkler(method, seconds, lasts=(0.5, 0.4, 0.3, 0.2)):
    curve = np.tile([1.0, *lasts], (len(SEEDS), 1))
    arrays = {"simple_regret": curve, "initial_size": 1, "range": 1.0, "seconds": np.full((len(SEEDS), 4), seconds)}
    return result("sprinkler", method, arrays)


def test_runs_are_cut_at_the_time_that_the_quicker_method_spends():
    """Four proposals of one second, of two: two of the slower."""
    quick, slow = sprinkler_runs.after_equal_time(sprinkler("boke", 1.0), sprinkler("gp_ucb", 2.0))
    assert quick.arrays["simple_regret"][0].tolist() == [1.0, 0.5, 0.4, 0.3, 0.2]
    assert slow.arrays["simple_regret"][0].tolist() == [1.0, 0.5, 0.4]


def test_constants_of_the_sprinkler_are_crossed(plant, monkeypatch):
    """Two bandwidths of both, one probability of BOKE+, one lengthscale; the probability and the lengthscale in use are
    left out, and the calibrated bandwidth is a setting. One bandwidth of BOKE+ is not run."""

    def one(method, constant, value):
        arrays = {"simple_regret": np.ones((len(SEEDS), 3)), "initial_size": 1, "range": 1.0}
        return result("sprinkler", method, arrays, constant=constant, value=value)

    sweep = [one(name, "bandwidth", value) for name in ("boke", "boke_plus") for value in (1.0, 2.0)]
    sweep += [one("boke_plus", "exploration_probability", value) for value in (0.1, 0.5)]
    sweep += [one("gp_ucb", "lengthscale", value) for value in (0.2, 0.4)]
    cells = [Cell("sprinkler", one.config["policy"], SEEDS, one.config["options"]) for one in sweep]
    study = replace(STUDIES[sprinkler_runs.SWEEP], cells=lambda scale: cells)
    monkeypatch.setattr(sprinkler_runs, "STUDIES", {sprinkler_runs.SWEEP: study})
    figure = [sprinkler(method, 1.0) for method in sprinkler_runs.METHODS]
    run = [one for one in sweep if (one.config["policy"], one.config["options"]["value"]) != ("boke_plus", 2.0)]
    plant({(sprinkler_runs.STUDY, "paper"): figure, (sprinkler_runs.SWEEP, "paper"): run})
    found = list(sprinkler_runs.runs("gp_ucb")("paper"))
    name = "BOKE's constants on the sprinkler"
    calibrated = "rule = scott, bandwidth = 1.0, noise_scale = 0.01"
    twice, seldom = calibrated.replace("1.0", "2.0"), f"{calibrated}, exploration_probability = 0.1"
    assert Counter((one.choices[name], bool(one.missing)) for one in found) == {
        (regret_runs.DEFAULT, False): 2,
        (calibrated, False): 2,
        (twice, True): 2,
        (seldom, False): 2,
    }


def tuned(task, method, best, seeds=SEEDS, extra=None, **options):
    rows = np.tile(best, (len(seeds), 1))
    return result(task, method, {"best": rows, "initial_size": 1, **(extra or {})}, seeds, **options)


def test_half_of_a_tuning_run_is_half_of_what_follows_the_design():
    """Five evaluations after a design of one: three."""
    assert tuning_runs.half(tuned("a", "boke", [0, 1, 2, 3, 4, 5])).arrays["best"][0].tolist() == [0, 1, 2, 3]


def test_boxes_and_constants_of_tuning_are_settings_and_further_seeds_are_stacked(plant):
    """Both boxes and one of two constants are stored; the narrow box has further seeds of KR-UCB and GP-UCB."""
    methods, best = ("boke", "boke_plus", "kr_ucb", "gp_ucb"), [0.1, 0.2, 0.3]
    figure = [tuned(task, name, best) for task in tuning_runs.BOOSTED for name in methods]
    boxes = [tuned(t, m, best, box=box) for t in tuning_runs.BOOSTED for m in methods for box in ("wide", "narrow")]
    setting = {"setting": "lengthscale = 0.8, beta = 1.0"}
    sweep = [tuned(task, "gp_ucb", best, extra=setting) for task in tuning_runs.BOOSTED]
    more = [
        tuned(task, name, best, seeds=range(1000, 1004), circumstance="narrow")
        for task in tuning_runs.BOOSTED
        for name in ("kr_ucb", "gp_ucb")
    ]
    studies = {tuning_runs.STUDY: figure, tuning_runs.BOXES: boxes, tuning_runs.SWEEP: sweep, tuning_runs.MORE: more}
    plant({(study, "paper"): results for study, results in studies.items()})
    found = list(tuning_runs.runs(tuning_runs.BOOSTED, methods)("paper"))
    assert len(found) == 2 * 5
    assert [one.choices["GP-UCB's constants in tuning"] for one in found if one.missing] == [
        "lengthscale = 0.1, beta = 4.0"
    ] * 2
    narrow = next(one for one in found if one.choices["box"] == "narrow").results
    assert {name: len(narrow["xgb_wine", name].arrays["best"]) for name in methods} == {
        "boke": 8,
        "boke_plus": 8,
        "kr_ucb": 12,
        "gp_ucb": 12,
    }


def test_deviation_is_from_the_median_over_seeds():
    """Final scores 1, 2, 6."""
    one = result("a", "boke", {"best": [[0, 1.0], [0, 2.0], [0, 6.0]], "initial_size": 1})
    assert deviation(one, "final").tolist() == [1.0, 0.0, 4.0]


def test_a_time_is_the_mean_of_a_run():
    """Means to t = 2, from 2 to 4, from 4 to 8 weigh 2, 2 and 4; of tuning the design is left out."""
    assert seconds_a_proposal(result("proposal", "boke", {"t": [2, 4, 8], "seconds": [[1.0, 2.0, 4.0]]}))[0] == 22 / 8
    assert seconds_a_proposal(result("sprinkler", "boke", {"seconds": [[1.0, 3.0]]}))[0] == 2.0
    tuning = result("a", "boke", {"proposal_seconds": [[9.0, 1.0, 3.0]], "initial_size": 1})
    assert seconds_a_proposal(tuning)[0] == 2.0


def test_rates_are_compared_in_units_of_the_dimension(plant):
    """t^(-1/d) of GP exploration against t^(-1/(2d)) of density exploration: half a unit in every dimension."""
    t, spread = np.array([1, 10, 20, 40, 80]), np.linspace(0.9, 1.1, len(SEEDS))[:, None]

    def fill(dim, name):
        power = -1 / int(dim[1:]) / (1 if name == figure3.PEER else 2)
        return result(dim, name, {"t": t, "fill_distance": spread * t**power})

    plant({("boke.fig3", "quick"): [fill(d, n) for d in figure3.DIMENSIONS for n in (figure3.KDE, figure3.PEER)]})
    for setting in READINGS[figure3.de_rate_here.id].tried("quick"):
        for [one] in setting.groups.values():
            assert one.middle.estimate == pytest.approx(-0.5)
    assert READINGS[figure3.de_rate_here.id].curve("quick").default.state is State.OPPOSITE
