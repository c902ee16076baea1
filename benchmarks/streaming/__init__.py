"""How fast kernel sums stream, and in how much memory."""
