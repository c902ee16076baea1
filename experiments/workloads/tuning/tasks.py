"""The tuning tasks of Papers A and D, and their size at each scale.

Paper A (Figure 9): R^2 by 5-fold cross-validation. It prints the names of the hyperparameters and which are integers,
but no bounds: the boxes here are ours. Paper D (Figure 2, bottom): accuracy on the third of the data that is not
trained on; hyperparameters, boxes and fixed settings are HPOBench's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from experiments.data.sources import cache_folder
from experiments.engine.names import unknown
from experiments.problems.checks import require
from experiments.workloads.tuning.datasets import DATASETS, load
from experiments.workloads.tuning.evaluations import Evaluations
from experiments.workloads.tuning.models import MODELS, build
from experiments.workloads.tuning.parameters import Parameter, decode

__all__ = ["TASKS", "Objective", "Task", "Workload", "get", "with_data"]

SPLIT_SEED = 0


@dataclass(frozen=True)
class Task:
    """A model and the data that it is tuned on.

    Attributes:
        model, dataset: names in `MODELS` and `DATASETS`.
        space: the hyperparameters.
        size: the setting that makes a fit expensive, such as the number of trees: where it is tuned, `Workload.size`
            is its upper bound, otherwise its value.
        folds: of the cross-validation; 1 for a single split, two thirds to train and one third to test.
        stand_in: the task on shipped data that is run where this one's data are not there.
        settings: fixed settings of the model.
    """

    model: str
    dataset: str
    space: tuple[Parameter, ...]
    size: str
    folds: int
    stand_in: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name as figures print it: "Random forest, Wilt"."""
        return f"{MODELS[self.model][0]}, {DATASETS[self.dataset].label}"

    @property
    def dim(self) -> int:
        """Number of hyperparameters."""
        return len(self.space)

    @property
    def metric(self) -> str:
        """The score that is maximised."""
        return "accuracy" if DATASETS[self.dataset].classes else "R²"


@dataclass(frozen=True)
class Workload:
    """The size of a task at a scale: rows of the data (0: all), and the value, or upper bound, of `Task.size`."""

    rows: int
    size: int


_FOREST = (
    Parameter("n_estimators", 5, 200, integer=True),
    Parameter("max_depth", 1, 20, integer=True),
    Parameter("min_samples_split", 2, 20, integer=True),
    Parameter("max_features", 0.1, 1.0),
    Parameter("min_impurity_decrease", 0.0, 0.1),
)
"""The space of Paper A's forests, five hyperparameters; impurity is in units of the target's variance."""

_BOOSTED = (
    Parameter("n_estimators", 5, 200, integer=True),
    Parameter("max_depth", 1, 10, integer=True),
    Parameter("learning_rate", 0.01, 0.5),
    Parameter("subsample", 0.5, 1.0),
    Parameter("colsample_bytree", 0.5, 1.0),
    Parameter("gamma", 0.0, 5.0),
    Parameter("min_child_weight", 1.0, 10.0),
)
"""The space of Paper A's XGBoost, seven hyperparameters."""

_LOGISTIC = (Parameter("eta0", 1e-5, 1.0, log=True), Parameter("alpha", 1e-5, 1.0, log=True))
"""The space of Paper D's logistic regression: learning rate and regularisation, 10^[-5, 0]."""

_BOOSTED_CLASSIFIER = (
    Parameter("eta", 2.0**-10, 1.0, log=True),
    Parameter("max_depth", 1, 50, log=True, integer=True),
    Parameter("colsample_bytree", 0.1, 1.0),
    Parameter("reg_lambda", 2.0**-10, 2.0**10, log=True),
)
_FOREST_CLASSIFIER = (
    Parameter("max_depth", 1, 50, log=True, integer=True),
    Parameter("min_samples_split", 2, 128, log=True, integer=True),
    Parameter("max_features", 0.0, 1.0),
    Parameter("min_samples_leaf", 1, 20, integer=True),
)
"""The space of Paper D's forests; `max_features` is an exponent of the number of features."""


def _forest(dataset: str, stand_in: str = "") -> Task:
    return Task("forest_regressor", dataset, _FOREST, "n_estimators", 5, stand_in)


def _boosted(dataset: str, stand_in: str = "") -> Task:
    return Task("boosted_regressor", dataset, _BOOSTED, "n_estimators", 5, stand_in)


def _logistic(dataset: str, stand_in: str = "") -> Task:
    return Task("logistic", dataset, _LOGISTIC, "max_iter", 1, stand_in)


def _boosted_classifier(dataset: str, stand_in: str = "") -> Task:
    return Task("boosted_classifier", dataset, _BOOSTED_CLASSIFIER, "n_estimators", 1, stand_in)


def _forest_classifier(dataset: str, stand_in: str = "") -> Task:
    return Task("forest_classifier", dataset, _FOREST_CLASSIFIER, "n_estimators", 1, stand_in)


TASKS: dict[str, Task] = {
    "rf_california": _forest("california", "rf_diabetes"),
    "rf_wine": _forest("wine", "rf_diabetes"),
    "xgb_california": _boosted("california", "xgb_diabetes"),
    "xgb_wine": _boosted("wine", "xgb_diabetes"),
    "rf_diabetes": _forest("diabetes"),
    "xgb_diabetes": _boosted("diabetes"),
    "lr_vehicle": _logistic("vehicle", "lr_digits"),
    "xgb_australian": _boosted_classifier("australian", "xgb_breast_cancer"),
    "xgb_kc1": _boosted_classifier("kc1", "xgb_breast_cancer"),
    "rf_wilt": _forest_classifier("wilt", "rf_digits"),
    "lr_digits": _logistic("digits"),
    "xgb_breast_cancer": _boosted_classifier("breast_cancer"),
    "rf_digits": _forest_classifier("digits"),
}


def get(name: str) -> Task:
    """The task of that name; KeyError, listing near names, where there is none."""
    if name not in TASKS:
        raise KeyError(unknown("tuning task", name, TASKS))
    return TASKS[name]


def with_data(names: tuple[str, ...]) -> tuple[str, ...]:
    """The tasks, those whose data are not on this machine replaced by their stand-ins, each once."""
    here = (name if DATASETS[get(name).dataset].available else get(name).stand_in for name in names)
    return tuple(dict.fromkeys(here))


class Objective:
    """A task's score as a function of a point of the unit cube, to be maximised.

    Attributes:
        task: what is tuned.
        space: in which box: the task's, where no other one of the same hyperparameters is given.
        seconds: CPU seconds of the last evaluation, as measured when it was computed.
    """

    def __init__(
        self,
        name: str,
        workload: Workload,
        evaluations: Evaluations | None = None,
        space: tuple[Parameter, ...] | None = None,
    ) -> None:
        self.task = get(name)
        space = self.task.space if space is None else space
        require(
            [one.name for one in space] == [one.name for one in self.task.space],
            f"{name} tunes {', '.join(one.name for one in self.task.space)}, in this order",
        )
        tuned = any(parameter.name == self.task.size for parameter in space)
        self.space = tuple(
            replace(parameter, high=workload.size) if parameter.name == self.task.size else parameter
            for parameter in space
        )
        self.settings = {**self.task.settings, **({} if tuned else {self.task.size: workload.size})}
        self.evaluations = Evaluations(cache_folder("tuning")) if evaluations is None else evaluations
        self.workload = workload
        self.seconds = 0.0

    def prepare(self) -> None:
        """Reads the data and makes a model, so that a missing file is reported before the run and not by every
        evaluation.

        Raises DataUnavailable, DataCorrupted or ModelUnavailable.
        """
        features, _ = load(self.task.dataset, self.workload.rows)
        middle = decode(self.space, np.full(self.task.dim, 0.5))
        build(self.task.model, {**self.settings, **middle}, features.shape[1])

    def __call__(self, x: np.ndarray) -> float:
        """The mean score over the folds at x, shape (d,). Raises EvaluationFailed, see `Evaluations.get`."""
        settings = {**self.settings, **decode(self.space, x)}
        scores = [
            self.evaluations.get(self._description(settings, fold), partial(self._fit, settings, fold))
            for fold in range(self.task.folds)
        ]
        self.seconds = sum(score.seconds for score in scores)
        return float(np.mean([score.value for score in scores]))

    def _description(self, settings: Mapping[str, Any], fold: int) -> dict[str, Any]:
        """The description of a fold: everything that decides its score."""
        return {
            "model": self.task.model,
            "dataset": self.task.dataset,
            "rows": self.workload.rows,
            "split": f"{self.task.folds} of seed {SPLIT_SEED}",
            "fold": fold,
            "settings": dict(settings),
            "versions": _versions(),
        }

    def _fit(self, settings: Mapping[str, Any], fold: int) -> float:
        features, target = load(self.task.dataset, self.workload.rows)
        train, test = splits(self.task.dataset, self.workload.rows, self.task.folds)[fold]
        model = build(self.task.model, settings, features.shape[1])
        model.fit(features[train], target[train])
        return float(model.score(features[test], target[test]))


@cache
def splits(dataset: str, rows: int, folds: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Indices (train, test) of every fold, shuffled once; a single split is 2/3 to 1/3, stratified by class."""
    from sklearn.model_selection import KFold, train_test_split

    target = load(dataset, rows)[1]
    indices = np.arange(len(target))
    if folds > 1:
        return list(KFold(folds, shuffle=True, random_state=SPLIT_SEED).split(indices))
    train, test = train_test_split(indices, test_size=1 / 3, random_state=SPLIT_SEED, stratify=target)
    return [(train, test)]


@cache
def _versions() -> dict[str, str]:
    """Versions of the libraries that fit the models."""
    found = {}
    for name in ("scikit-learn", "xgboost-cpu", "xgboost"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
