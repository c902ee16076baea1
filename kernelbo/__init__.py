"""kernelbo: kernel-based Bayesian optimisation, the methods of four papers.

The library is installed under this name, which is the public interface of :mod:`core`::

    from kernelbo import optimize, Optimizer, simulate, make

In a checkout this package stands beside ``core``; where it is installed, ``core`` is its part ``kernelbo.core``
(setup.py), so that no module of so common a name is installed. The package has
adapters for other libraries too: :mod:`kernelbo.optuna_sampler`.
"""

from core import *  # noqa: F403 (one list of names, core's own)
from core import __all__ as __all__
