"""One thread for every library of linear algebra: with more, two test processes take up to 20 times as long.

pyproject.toml names this module as a plugin of pytest, because the plugin of jaxtyping loads NumPy before pytest reads
a conftest.
"""

import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PJRT_NPROC"):
    os.environ.setdefault(variable, "1")
