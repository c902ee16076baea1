"""Acquisition functions, one family a file: formulas of one point, batched by the caller's vmap."""
