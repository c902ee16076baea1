"""The practitioner's door: a Python function, in its own units, maximised.

On top of core, and the only room of it that touches files, processes, the terminal and (when asked to draw)
matplotlib. The record of a run and the proposing itself, :class:`core.optimizer.optimizer.Optimizer`, need none of
them.
"""
