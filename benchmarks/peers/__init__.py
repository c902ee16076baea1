"""Regret and seconds of whole runs, side by side with other libraries: `python -m benchmarks.peers`."""
