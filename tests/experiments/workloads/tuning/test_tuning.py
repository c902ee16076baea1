"""Tuning tasks: hyperparameters, data, splits, scores against scikit-learn's own, and evaluations kept on disk."""

import builtins
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import KFold, cross_val_score
from sklearn.preprocessing import StandardScaler

from core import policies
from experiments import data
from experiments.boke import fig9
from experiments.engine.study import Cell
from experiments.uhe import fig2_tuning
from experiments.workloads.tuning import datasets, models, runs, tasks
from experiments.workloads.tuning.evaluations import EvaluationFailed, Evaluations
from experiments.workloads.tuning.parameters import Parameter, decode

SMALL = tasks.Workload(90, 6)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder of evaluations."""
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tuning"


def test_coordinates_become_hyperparameters():
    assert Parameter("a", -2.0, 6.0).value(0.25) == 0.0
    assert Parameter("a", 1e-5, 1.0, log=True).value(0.4) == pytest.approx(1e-3)
    assert [Parameter("a", 1, 4, integer=True).value(u) for u in (0.0, 0.16, 0.17, 0.5, 0.84, 1.0)] == [
        1,
        1,
        2,
        2,
        4,
        4,
    ]
    depths = [Parameter("a", 1, 50, log=True, integer=True).value(u) for u in np.linspace(0, 1, 400)]
    assert sorted(set(depths)) == list(range(1, 51))
    assert type(depths[7]) is int
    assert Parameter("a", 2.0**-10, 2.0**10, log=True).value(1.0) == 1024.0
    space = (Parameter("a", 0, 10, integer=True), Parameter("b", 0.0, 2.0))
    assert decode(space, np.array([0.3, 0.5])) == {"a": 3, "b": 1.0}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Parameter("a", 2, 2), "a: low 2 must be below high 2"),
        (lambda: Parameter("a", 0, 2, log=True), "needs low > 0"),
        (lambda: Parameter("a", 0, 2).value(1.5), "outside"),
        (lambda: Parameter("a", 0, 2).value(float("nan")), "outside"),
        (lambda: decode((Parameter("a", 0, 2),), np.zeros(2)), "shape"),
        (lambda: datasets.load("diabetes", -1), "negative"),
    ],
)
def test_bad_hyperparameters_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_unknown_names_are_refused_with_near_ones():
    with pytest.raises(KeyError, match="rf_wilt"):
        tasks.get("rf_wild")
    with pytest.raises(KeyError, match="diabetes"):
        datasets.load("diabete")


def test_boxes_are_the_papers():
    """Paper D's, and the names and kinds of Paper A's."""
    box = {task: {p.name: (p.low, p.high, p.log, p.integer) for p in tasks.get(task).space} for task in tasks.TASKS}
    assert box["lr_vehicle"] == {"eta0": (1e-5, 1.0, True, False), "alpha": (1e-5, 1.0, True, False)}
    assert (
        box["xgb_kc1"]
        == box["xgb_australian"]
        == {
            "eta": (2**-10, 1.0, True, False),
            "max_depth": (1, 50, True, True),
            "colsample_bytree": (0.1, 1.0, False, False),
            "reg_lambda": (2**-10, 2**10, True, False),
        }
    )
    assert box["rf_wilt"] == {
        "max_depth": (1, 50, True, True),
        "min_samples_split": (2, 128, True, True),
        "max_features": (0.0, 1.0, False, False),
        "min_samples_leaf": (1, 20, False, True),
    }
    assert {name for name, row in box["rf_wine"].items() if row[3]} == {
        "n_estimators",
        "max_depth",
        "min_samples_split",
    }
    assert {name for name, row in box["rf_wine"].items() if not row[3]} == {"max_features", "min_impurity_decrease"}
    assert {name for name, row in box["xgb_wine"].items() if row[3]} == {"n_estimators", "max_depth"}
    assert len(box["xgb_wine"]) == 7


@pytest.mark.parametrize("name", [n for n, d in datasets.DATASETS.items() if d.available])
def test_data_are_the_same_for_everybody(name):
    features, target = datasets.load(name, 80)
    everything, _ = datasets.load(name)
    assert features.shape == (80, everything.shape[1])
    np.testing.assert_array_equal(features, datasets.load(name, 80)[0])
    assert not np.array_equal(features, datasets.DATASETS[name].read()[0][:80])  # a random order
    assert np.isfinite(features).all()
    if datasets.DATASETS[name].classes:
        assert set(np.unique(target)) <= set(range(10))
    else:
        assert [target.mean(), target.std()] == pytest.approx([0.0, 1.0])


@pytest.mark.skipif(not datasets.DATASETS["california"].available, reason="needs cal_housing.csv in KERNELBO_DATA")
def test_california_has_the_features_of_scikit_learn():
    """The first row of `fetch_california_housing`, as its documentation prints it."""
    first = datasets.DATASETS["california"].read()[0][0]
    np.testing.assert_allclose(first, [8.3252, 41.0, 6.98412698, 1.02380952, 322.0, 2.55555556, 37.88, -122.23])


@pytest.mark.parametrize(("task", "folds"), [("rf_diabetes", 5), ("lr_digits", 1)])
def test_splits(task, folds):
    found = tasks.splits(tasks.get(task).dataset, 120, folds)
    assert len(found) == folds
    for train, test in found:
        assert sorted([*train, *test]) == list(range(120))
    sizes = {len(test) for _, test in found}
    assert sizes == ({24} if folds == 5 else {40})
    if folds == 5:
        assert sorted(np.concatenate([test for _, test in found])) == list(range(120))
    else:  # every class in the same proportion
        target = datasets.load("digits", 120)[1]
        whole, part = np.bincount(target), np.bincount(target[found[0][1]], minlength=10)
        assert np.all(np.abs(part - whole / 3) < 1.01)


def test_cross_validated_score_is_scikit_learns(cache):
    objective = tasks.Objective("rf_diabetes", SMALL)
    x = np.array([1.0, 0.5, 0.25, 0.5, 0.1])
    order = np.random.default_rng(0).permutation(442)[:90]
    features, target = (array[order] for array in load_diabetes(return_X_y=True))
    target = (target - target.mean()) / target.std()
    forest = RandomForestRegressor(
        6, max_depth=10, min_samples_split=6, max_features=0.55, min_impurity_decrease=0.01, random_state=0
    )
    folds = KFold(5, shuffle=True, random_state=0)
    assert objective(x) == pytest.approx(cross_val_score(forest, features, target, cv=folds).mean(), abs=1e-12)
    assert len(list(cache.rglob("*.json"))) == 5
    assert objective.seconds > 0


def test_accuracy_is_that_of_the_third_not_trained_on(cache):
    objective = tasks.Objective("lr_digits", tasks.Workload(300, 6))
    features, target = datasets.load("digits", 300)
    ((train, test),) = tasks.splits("digits", 300, 1)
    scaler = StandardScaler().fit(features[train])
    model = SGDClassifier(
        loss="log_loss", eta0=10**-2.5, alpha=1e-4, learning_rate="adaptive", max_iter=6, tol=None, random_state=0
    )
    model.fit(scaler.transform(features[train]), target[train])
    expected = np.mean(model.predict(scaler.transform(features[test])) == target[test])
    assert objective(np.array([0.5, 0.2])) == pytest.approx(expected)


def test_exponent_of_the_features_and_the_size_of_the_models():
    forest = models.build("forest_classifier", {"max_features": 0.5, "n_estimators": 3}, 64)
    assert forest.max_features == 8
    assert models.build("forest_classifier", {"max_features": 0.0}, 64).max_features == 1
    assert tasks.Objective("rf_digits", SMALL).settings == {"n_estimators": 6}
    tuned = tasks.Objective("xgb_diabetes", tasks.Workload(0, 30))
    assert tuned.settings == {}
    assert (tuned.space[0].name, tuned.space[0].high) == ("n_estimators", 30)


def test_xgboost_tasks(cache):
    assert 0.5 < tasks.Objective("xgb_breast_cancer", SMALL)(np.array([0.8, 0.3, 0.5, 0.5])) <= 1.0
    assert np.isfinite(tasks.Objective("xgb_diabetes", tasks.Workload(90, 8))(np.full(7, 0.5)))


def test_missing_xgboost_is_said(monkeypatch):
    real = builtins.__import__

    def fail(name, *arguments, **options):
        if name == "xgboost":
            raise ImportError("No module named 'xgboost'")
        return real(name, *arguments, **options)

    monkeypatch.setattr(models.importlib, "import_module", fail)
    with pytest.raises(models.ModelUnavailable, match="pip install xgboost"):
        models.build("boosted_regressor", {}, 3)


def test_an_evaluation_is_computed_once(tmp_path):
    evaluations, calls = Evaluations(tmp_path), []

    def compute():
        calls.append(1)
        return 0.25

    first = evaluations.get({"fold": 0, "a": 1.5}, compute)
    again = Evaluations(tmp_path).get({"a": 1.5, "fold": 0}, compute)
    assert (first.value, first.known, again.value, again.known) == (0.25, False, 0.25, True)
    assert again.seconds == first.seconds
    evaluations.get({"fold": 1, "a": 1.5}, compute)
    assert len(calls) == 2


@pytest.mark.parametrize(
    "content", [b"", b'{"score": 0.', b"[]", b'{"score": NaN, "seconds": 1}', b"\xff\x00", b'{"score": 1}']
)
def test_a_damaged_evaluation_is_computed_again(tmp_path, content):
    evaluations = Evaluations(tmp_path)
    evaluations.get({"fold": 0}, lambda: 0.5)
    evaluations.path({"fold": 0}).write_bytes(content)
    assert evaluations.get({"fold": 0}, lambda: 0.5) == (0.5, pytest.approx(0.0, abs=1.0), False)
    assert evaluations.get({"fold": 0}, lambda: pytest.fail("it is stored")).value == 0.5


@pytest.mark.parametrize("outcome", [float("nan"), float("inf"), ValueError("overflow")])
def test_failures_are_told_and_not_kept(tmp_path, outcome):
    def compute():
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    evaluations = Evaluations(tmp_path)
    with pytest.raises(EvaluationFailed, match=r"(overflow|nan|inf).*\"depth\": 7"):
        evaluations.get({"depth": 7}, compute)
    assert evaluations.get({"depth": 7}, lambda: 1.0).value == 1.0


def test_many_writers_of_one_evaluation(tmp_path):
    evaluations = Evaluations(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: evaluations.get({"fold": i % 3}, lambda: i % 3 + 0.5).value, range(60)))
    assert found == [i % 3 + 0.5 for i in range(60)]
    assert len(list(tmp_path.rglob("*"))) == 3 + len(list(tmp_path.iterdir()))  # no scraps


def test_a_process_killed_in_mid_evaluation_loses_that_one_only(tmp_path):
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from experiments.workloads.tuning.evaluations import Evaluations\n"
        "evaluations = Evaluations(Path(sys.argv[1]))\n"
        "evaluations.get({'fold': 0}, lambda: 0.5)\n"
        "evaluations.get({'fold': 1}, lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], env=environment, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    evaluations = Evaluations(tmp_path)
    assert evaluations.get({"fold": 0}, lambda: pytest.fail("it is stored")).value == 0.5
    assert evaluations.get({"fold": 1}, lambda: 0.75) == (0.75, pytest.approx(0.0, abs=1.0), False)


def test_best_so_far():
    nan = np.nan
    found = runs.best_so_far(np.array([[0.2, 0.1, 0.4, 0.3], [nan, 0.5, nan, 0.6]]))
    np.testing.assert_array_equal(found, [[0.2, 0.2, 0.4, 0.4], [0.5, 0.5, 0.5, 0.6]])


def cell(task="lr_digits", method="random_search", budget=8):
    return Cell(task, method, (3, 5), {"budget": budget, "rows": 90, "size": 3}, scale="quick")


def test_a_run_is_repeatable_and_the_second_costs_no_fit(cache, monkeypatch):
    first = runs.run(cell(), policies.make("random_search", 2))
    assert first["value"].shape == first["best"].shape == first["proposal_seconds"].shape == (2, 8)
    assert int(first["initial_size"]) == 5
    np.testing.assert_array_equal(first["best"], np.maximum.accumulate(first["value"], axis=1))
    np.testing.assert_array_equal(
        first["value"][1, 6], tasks.Objective("lr_digits", tasks.Workload(90, 3))(first["x"][1, 6].astype(float))
    )
    monkeypatch.setattr(tasks.Objective, "_fit", lambda *arguments: pytest.fail("everything is stored"))
    second = runs.run(cell(), policies.make("random_search", 2))
    for name in ("value", "x", "evaluation_seconds"):
        np.testing.assert_array_equal(second[name], first[name])
    assert np.all(second["evaluation_seconds"] > 0)
    assert np.all(second["proposal_seconds"] >= 0)


def test_failed_fits_are_recorded_and_the_run_goes_on(cache, monkeypatch):
    real, calls = tasks.build, []

    def sometimes(name, settings, features):
        calls.append(settings["eta0"])
        if len(calls) in (2, 5):  # the first call only looks whether the model can be made
            raise FloatingPointError("overflow occurred")
        return real(name, settings, features)

    monkeypatch.setattr(tasks, "build", sometimes)
    found = runs.run(cell(), policies.make("random_search", 2))
    assert np.argwhere(np.isnan(found["value"])).tolist() == [[0, 0], [0, 3]]
    assert np.isfinite(found["best"]).all()
    assert [("overflow" in message, "eta0" in message) for message in found["failures"]] == [(True, True)] * 2


def test_what_is_missing_ends_the_run_before_it_begins(cache, monkeypatch, tmp_path):
    """A missing library is no failed evaluation: a run of failures would be stored as a result."""
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    with pytest.raises(data.DataUnavailable, match="vehicle"):
        runs.run(cell("lr_vehicle"), policies.make("random_search", 2))
    (tmp_path / "vehicle.csv").write_text("1,2,van\n")
    with pytest.raises(data.DataCorrupted, match="vehicle"):
        runs.run(cell("lr_vehicle"), policies.make("random_search", 2))

    def broken(*arguments):
        raise models.ModelUnavailable("no such library")

    monkeypatch.setattr(tasks, "build", broken)
    with pytest.raises(models.ModelUnavailable, match="no such library"):
        runs.run(cell(), policies.make("random_search", 2))


def test_a_run_in_which_everything_fails_is_no_result(cache, monkeypatch):
    monkeypatch.setattr(tasks.Objective, "_fit", lambda self, settings, fold: float("nan"))
    with pytest.raises(RuntimeError, match=r"every evaluation.*lr_digits.*nan"):
        runs.run(cell(), policies.make("random_search", 2))


@pytest.mark.parametrize("module", [fig9, fig2_tuning], ids=["fig9", "fig2_tuning"])
def test_without_data_the_stand_ins_are_run(module, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    shown = {one.problem for one in module.STUDY.cells("quick")}
    assert shown == {tasks.get(task).stand_in for task in module.TASKS}
    assert all(datasets.DATASETS[tasks.get(task).dataset].files == () for task in shown)
    said = data.skipped(module.STUDY, "quick")
    assert len(said) == len(module.STUDY.data)
    assert all(message.startswith("skipped: data: ") for message in said)
    for name in module.STUDY.data:
        (tmp_path / name).touch()
    assert {one.problem for one in module.STUDY.cells("quick")} == set(module.TASKS)
    assert data.skipped(module.STUDY, "quick") == []


@pytest.mark.parametrize("module", [fig9, fig2_tuning], ids=["fig9", "fig2_tuning"])
@pytest.mark.parametrize("scale", ["smoke", "quick", "paper"])
def test_seeds_and_the_data_of_smoke(module, scale):
    found = module.STUDY.cells(scale)
    seeds = {"smoke": 2, "quick": 3, "paper": 80}
    for run in {(one.problem, one.policy) for one in found}:
        blocks = [one.seeds for one in found if (one.problem, one.policy) == run]
        assert sum(blocks, ()) == tuple(range(seeds[scale]))
        assert max(map(len, blocks)) <= module.BLOCK
    if scale == "smoke":
        assert all(datasets.DATASETS[tasks.get(one.problem).dataset].files == () for one in found)


def test_the_bandits_are_told_the_horizon(monkeypatch):
    made = {}
    monkeypatch.setattr(runs, "run", lambda cell, policy: made.update({cell.policy: policy}))
    for method in ("uhe_bo", "portfolio_exp3", "gp_ucb_map"):
        fig2_tuning.run(cell("rf_digits", method, 30))
    assert made["uhe_bo"].horizon == made["portfolio_exp3"].horizon == 30 - 9
    assert made["gp_ucb_map"].dim == 4


def test_files_named_by_the_tasks_are_in_the_catalogue():
    files = {name for one in datasets.DATASETS.values() for name in one.files}
    assert files <= set(data.CATALOGUE)
