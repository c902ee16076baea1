"""The two settings that every formula of core relies on, made when any of it is imported:

* double precision (``jax_enable_x64``), because log-weights and Cholesky factors of nearly singular
  kernel matrices lose their meaning in single precision;
* one BLAS thread per process, and one thread in XLA's pool (``PJRT_NPROC``), unless the environment already says
  otherwise: on the small batched linear algebra of Bayesian optimisation, more BLAS threads were measured 100-300
  times slower, and compiled programs with batched Cholesky factors and triangular solves (GP-UCB, 30 seeds, jaxlib
  0.10.2) were seen to hang in a pool of two threads. The settings take effect only if numpy, scipy and jax have not
  been loaded before; the Makefile exports the first too.
"""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PJRT_NPROC"):
    os.environ.setdefault(_variable, "1")

import jax  # noqa: E402  (the thread settings must come first)

jax.config.update("jax_enable_x64", True)
