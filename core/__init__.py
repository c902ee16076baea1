"""kernelbo core: pure, typed JAX functions for kernel-based Bayesian optimisation.

Its face::

    from core import optimize, Optimizer, Space, Real, Integer, Categorical, simulate, make

:func:`optimize` and :class:`Optimizer` maximise a Python function over a box or a :class:`Space` of named parameters,
:func:`simulate` runs a policy on a JAX objective for many seeds, :func:`make` gives a policy by name. Formulas, models
and methods are in the modules below. Importing this package chooses double precision and one thread
(:mod:`core.settings`).
"""

from core import settings as settings  # first: it must come before numpy, scipy and jax are loaded

from core.designs import seed_keys  # isort: skip
from core.door.history import Evaluation, EvaluationError, History, Interrupted  # isort: skip
from core.door.optimize import optimize  # isort: skip
from core.door.optimizer import Optimizer  # isort: skip
from core.door.spaces import Categorical, Integer, Real, Space  # isort: skip
from core.policies import REGISTRY, Policy, make  # isort: skip
from core.simulate import Trajectory, simulate  # isort: skip

__all__ = [
    "REGISTRY",
    "Categorical",
    "Evaluation",
    "EvaluationError",
    "History",
    "Integer",
    "Interrupted",
    "Optimizer",
    "Policy",
    "Real",
    "Space",
    "Trajectory",
    "make",
    "optimize",
    "seed_keys",
    "simulate",
]
