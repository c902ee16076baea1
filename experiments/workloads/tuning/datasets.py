"""The data of the tuning tasks: public ones (`experiments.data`), and three that scikit-learn ships.

Preprocessing is fixed. Regression targets are standardised. California Housing has scikit-learn's features (averages a
household); Wine Quality is red and white together, with the colour as a twelfth feature. Where `rows` are asked for,
they are the first of one fixed permutation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from experiments import data
from experiments.engine.names import unknown
from experiments.problems.checks import require

__all__ = ["DATASETS", "Dataset", "load"]

PERMUTATION_SEED = 0

Arrays = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Dataset:
    """The source of features (n, d) and target (n,).

    Attributes:
        label: as figures print it.
        classes: True where the target is a class (0, 1, ...).
        read: reads them.
        files: of `experiments.data`; none for data that scikit-learn ships.
    """

    label: str
    classes: bool
    read: Callable[[], Arrays]
    files: tuple[str, ...] = ()

    @property
    def available(self) -> bool:
        """True where its files are available."""
        return all(data.available(name) for name in self.files)


def _california() -> Arrays:
    table = data.table("cal_housing.csv")
    longitude, latitude, age, rooms, bedrooms, population, households, income = table.features.T
    averages = (rooms / households, bedrooms / households, population, population / households)
    return np.column_stack([income, age, *averages, latitude, longitude]), table.numeric_target


def _wine() -> Arrays:
    red, white = data.table("winequality-red.csv"), data.table("winequality-white.csv")
    colour = np.repeat([0.0, 1.0], [len(red.target), len(white.target)])
    features = np.column_stack([np.vstack([red.features, white.features]), colour])
    return features, np.concatenate([red.numeric_target, white.numeric_target])


def _classes(name: str) -> Callable[[], Arrays]:
    def read() -> Arrays:
        table = data.table(name)
        return table.features, table.classes

    return read


def _shipped(name: str) -> Callable[[], Arrays]:
    def read() -> Arrays:
        from sklearn import datasets

        features, target = getattr(datasets, f"load_{name}")(return_X_y=True)
        return np.asarray(features, float), np.asarray(target)

    return read


_WINES = ("winequality-red.csv", "winequality-white.csv")

DATASETS: dict[str, Dataset] = {
    "california": Dataset("California Housing", False, _california, ("cal_housing.csv",)),
    "wine": Dataset("Wine Quality", False, _wine, _WINES),
    "vehicle": Dataset("Vehicle Silhouettes", True, _classes("vehicle.csv"), ("vehicle.csv",)),
    "australian": Dataset("Australian Credit", True, _classes("australian.dat"), ("australian.dat",)),
    "kc1": Dataset("Software Defect (KC1)", True, _classes("kc1.csv"), ("kc1.csv",)),
    "wilt": Dataset("Wilt", True, _classes("wilt.csv"), ("wilt.csv",)),
    "diabetes": Dataset("diabetes (scikit-learn)", False, _shipped("diabetes")),
    "digits": Dataset("digits (scikit-learn)", True, _shipped("digits")),
    "breast_cancer": Dataset("breast cancer (scikit-learn)", True, _shipped("breast_cancer")),
}


@lru_cache(maxsize=16)
def load(name: str, rows: int = 0) -> Arrays:
    """Features and target of a data set, its first `rows` rows in a fixed random order; 0 stands for all.

    Raises:
        KeyError: no such data set.
        ValueError: a negative number of rows.
        DataUnavailable, DataCorrupted: see `experiments.data`.
    """
    if name not in DATASETS:
        raise KeyError(unknown("data set", name, DATASETS))
    require(rows >= 0, f"rows must not be negative, got {rows}")
    features, target = DATASETS[name].read()
    order = np.random.default_rng(PERMUTATION_SEED).permutation(len(target))[: rows or None]
    features, target = features[order], target[order]
    if not DATASETS[name].classes:
        target = (target - target.mean()) / target.std()
    return features, target
