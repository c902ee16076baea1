"""Worst cases of an expectation over a ball of distributions: in total variation and in maximum mean discrepancy."""
