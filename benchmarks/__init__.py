"""Benchmarks: the speed of the methods' proposals, side by side with BoTorch, and the speed of streamed kernel sums.

A user runs them by hand (`make bench`); tests never do. The results are in `results/local/bench/`, the committed
reference run is in `results/reference/bench/`, and `docs/benchmarks.md` is generated from the reference run.
"""
