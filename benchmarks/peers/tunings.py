"""Two models to tune on data that come with scikit-learn: mixed spaces, errors by cross-validation, to be minimised."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from core import Categorical, Integer, Real, Space

__all__ = ["TUNINGS", "Tuning"]


@dataclass(frozen=True)
class Tuning:
    """A model's error as a function of named parameters.

    Attributes:
        name: for tables.
        error: maps parameters by name to the error, exact: folds and seeds are fixed.
        space: the parameters.
    """

    name: str
    error: Callable[[dict[str, Any]], float]
    space: Space

    def __call__(self, point: dict[str, Any]) -> float:
        """The error at a point."""
        return float(self.error(point))


SVM = Space(
    {
        "C": Real(1e-3, 1e3, log=True),
        "gamma": Real(1e-5, 1e1, log=True),
        "kernel": Categorical(("rbf", "poly", "sigmoid", "linear")),
        "degree": Integer(2, 5),
        "scaled": Categorical((False, True)),
        "components": Integer(4, 64, log=True),
    }
)
"""A support vector machine on 500 of the digits, with noise of standard deviation 8 on pixels of 0 to 16."""

BOOSTING = Space(
    {
        "learning_rate": Real(1e-3, 1.0, log=True),
        "n_estimators": Integer(5, 80, log=True),
        "max_depth": Integer(1, 8),
        "min_samples_leaf": Integer(1, 60, log=True),
        "subsample": Real(0.3, 1.0),
        "loss": Categorical(("squared_error", "absolute_error", "huber")),
        "max_features": Categorical((0.1, 0.3, 0.6, 1.0), ordered=True),
    }
)
"""Gradient boosting on the diabetes data, 442 patients."""


@cache
def _digits() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(x))[:500]
    return x[chosen] + rng.normal(0.0, 8.0, size=(500, x.shape[1])), y[chosen]


def _svm(point: dict[str, Any]) -> float:
    """Share of digits misread, in three folds; a machine is taken as it is after 10,000 steps."""
    from sklearn.decomposition import PCA
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler
    from sklearn.svm import SVC

    machine = SVC(C=point["C"], gamma=point["gamma"], kernel=point["kernel"], degree=point["degree"], max_iter=10000)
    scale = StandardScaler() if point["scaled"] else FunctionTransformer()
    model = make_pipeline(PCA(point["components"], svd_solver="full"), scale, machine)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return 1.0 - cross_val_score(model, *_digits(), cv=StratifiedKFold(3)).mean()


def _boosting(point: dict[str, Any]) -> float:
    """One less the explained share of variance, R^2, in three folds."""
    from sklearn.datasets import load_diabetes
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.model_selection import KFold, cross_val_score

    model = GradientBoostingRegressor(**point, random_state=0)
    return 1.0 - cross_val_score(model, *load_diabetes(return_X_y=True), cv=KFold(3)).mean()


TUNINGS = {tuning.name: tuning for tuning in (Tuning("svm", _svm, SVM), Tuning("boosting", _boosting, BOOSTING))}
"""Both tunings by name."""
