"""The practitioner's interface: it maximises a Python function in the function's own units.

This package alone touches files, processes, the terminal and, for a picture, matplotlib. ``record`` holds a run in
memory, ``proposals`` finds its next point, ``optimizer`` is the interface of asking and telling, ``optimize`` is the
loop.
"""
