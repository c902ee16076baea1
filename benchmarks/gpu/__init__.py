"""Everything on a GPU: whether it can be lowered for one, agrees with the CPU there, and how long it takes."""
