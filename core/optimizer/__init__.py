"""What a practitioner uses: a Python function, in its own units, maximised.

This room alone touches files, processes, the terminal and, when a picture is asked for, matplotlib. ``record`` is a run
in memory, ``proposals`` its next point, ``optimizer`` asking and telling, ``optimize`` the loop.
"""
