"""The search for a maximum inside jit, and what serves it: stages, batches, quasi-random points, quantisation."""
