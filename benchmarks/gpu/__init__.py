"""The programs on a GPU: they can be lowered for one, agree with the CPU there, and are timed."""
