"""The models that are tuned. Each is a function of hyperparameters; everything random in it is fixed.

Settings that Paper D leaves to its benchmark are HPOBench's (Eggensperger et al. 2021): logistic regression by
stochastic gradient descent with an adaptive learning rate and no early stop, on standardised features;
`max_features` of the random forest is an exponent of the number of features.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

__all__ = ["MODELS", "ModelUnavailable", "build"]

SEED = 0

Settings = Mapping[str, Any]


class ModelUnavailable(ImportError):
    """A library that a task needs is not installed."""


def _xgboost() -> Any:
    try:
        return importlib.import_module("xgboost")
    except ImportError as error:
        command = "pip install xgboost-cpu (Linux) or pip install xgboost"
        raise ModelUnavailable(f"the XGBoost tasks need xgboost: {command} [{error}]") from error


def _forest_regressor(settings: Settings, features: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(**settings, n_jobs=1, random_state=SEED)


def _boosted_regressor(settings: Settings, features: int) -> Any:
    return _xgboost().XGBRegressor(**settings, n_jobs=1, random_state=SEED)


def _logistic(settings: Settings, features: int) -> Any:
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    classifier = SGDClassifier(**settings, loss="log_loss", learning_rate="adaptive", tol=None, random_state=SEED)
    return make_pipeline(StandardScaler(), classifier)


def _boosted_classifier(settings: Settings, features: int) -> Any:
    return _xgboost().XGBClassifier(**settings, booster="gbtree", subsample=1, n_jobs=1, random_state=SEED)


def _forest_classifier(settings: Settings, features: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    settings = dict(settings)
    settings["max_features"] = int(np.rint(features ** settings["max_features"]))
    return RandomForestClassifier(**settings, bootstrap=True, n_jobs=1, random_state=SEED)


MODELS: dict[str, tuple[str, Callable[[Settings, int], Any]]] = {
    "forest_regressor": ("Random forest", _forest_regressor),
    "boosted_regressor": ("XGBoost", _boosted_regressor),
    "logistic": ("Logistic regression", _logistic),
    "boosted_classifier": ("XGBoost", _boosted_classifier),
    "forest_classifier": ("Random forest", _forest_classifier),
}
"""Label and constructor by name. `score` of the regressors is R^2, of the classifiers the accuracy."""


def build(name: str, settings: Settings, features: int) -> Any:
    """An unfitted model with the methods `fit` and `score` of scikit-learn, for so many features."""
    return MODELS[name][1](settings, features)
