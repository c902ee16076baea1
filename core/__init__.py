"""kernelbo core: pure, typed JAX functions for kernel-based Bayesian optimisation.

The public names::

    from core import optimize, Optimizer, Space, Real, Integer, Categorical, simulate, make

:func:`optimize` and :class:`Optimizer` maximise a Python function over a box or a :class:`Space` of named parameters,
:func:`simulate` runs a policy on a JAX objective for many seeds, :func:`make` gives a policy by name. Formulas, models
and methods are in the modules below.

Imported as ``core``, which studies and checks do, the package sets double precision and one thread for the process
(:mod:`core.settings`). Imported as ``kernelbo``, it does not change the process, and the names above still compute in
double precision (:mod:`core.environment`). A program that calls the modules below, or runs many seeds, imports
``kernelbo.core.settings`` first.
"""

import sys

if "kernelbo" not in sys.modules:
    from core import settings as settings  # first: it must come before numpy, scipy and jax are loaded

from core.designs import seed_keys  # isort: skip
from core.optimizer.history import History  # isort: skip
from core.optimizer.optimize import optimize  # isort: skip
from core.optimizer.optimizer import Optimizer  # isort: skip
from core.optimizer.record import Evaluation, EvaluationError, Interrupted  # isort: skip
from core.spaces.space import Categorical, Integer, Real, Space  # isort: skip
from core.environment import in_doubles  # isort: skip
from core.policies import REGISTRY, Policy  # isort: skip
from core.policies import make as _make  # isort: skip
from core.simulate import Trajectory  # isort: skip
from core.simulate import simulate as _simulate  # isort: skip

make, simulate = in_doubles(_make), in_doubles(_simulate)

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
