"""Benchmarks: how fast the methods propose, side by side with BoTorch, and how fast kernel sums stream.

They are run by hand (`make bench`), never by the tests. Results: `results/local/bench/`, the committed reference run in
`results/reference/bench/`, and `docs/benchmarks.md`, which is generated from that.
"""
