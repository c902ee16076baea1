"""The settings that every formula of core relies on, made when any module of core is imported:

* double precision (``jax_enable_x64``), because log-weights and Cholesky factors of nearly singular
  kernel matrices lose their meaning in single precision;
* one BLAS thread per process, and one thread in XLA's pool (``PJRT_NPROC``), unless the environment already says
  otherwise: on the small batched linear algebra of Bayesian optimisation, more BLAS threads were measured 100-300
  times slower, and compiled programs with batched Cholesky factors and triangular solves (GP-UCB, 30 seeds, jaxlib
  0.10.2) were seen to hang in a pool of two threads;
* how XLA compiles for a CPU (``XLA_FLAGS``): without its fusion emitters and in one piece, a policy's programs were
  measured to compile in half the time (BOKE 4.5 to 1.9 s, refitted GP-UCB 8.4 to 3.6 s) and to run as fast, with the
  same queries to 1e-7 (jaxlib 0.10.2). A flag that the environment names already stays as it is, and other releases
  than those of `TUNED` are left alone: XLA ends a process that passes a flag it does not know.

The settings take effect only before numpy, scipy and jax are loaded, and the last only before any compilation. The
Makefile also exports the first.
"""

import os

from jaxlib.version import __version__ as _jaxlib

TUNED = "0.10."
"""The releases of jaxlib whose flags are known."""

_FLAGS = {"xla_cpu_use_fusion_emitters": "false", "xla_cpu_parallel_codegen_split_count": "1"}

if _jaxlib.startswith(TUNED):
    _given = os.environ.get("XLA_FLAGS", "")
    _ours = (f"--{name}={value}" for name, value in _FLAGS.items() if name not in _given)
    os.environ["XLA_FLAGS"] = " ".join((_given, *_ours)).strip()

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PJRT_NPROC"):
    os.environ.setdefault(_variable, "1")

import jax  # noqa: E402  (the thread settings must come first)

jax.config.update("jax_enable_x64", True)
