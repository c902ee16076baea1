"""Claims of Paper A: kernel regression and density-based exploration (BOKE)."""
