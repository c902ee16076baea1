"""The search for a maximum inside jit, with its tools: stages, batches, quasi-random points, quantisation."""
