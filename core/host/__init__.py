"""The default method in NumPy and LAPACK: nothing is compiled, so that the first proposal comes at once.

The formulas, the search and the bounds are those of :mod:`core.models`, :mod:`core.search` and
:mod:`core.policies.improvement`, on unpadded arrays and with gradients written out; tests hold the two against each
other. Experiments use the JAX implementation, which runs many seeds as one program.
"""
