"""Problems with a random context that nobody controls (Paper C): distributions, formulas, the registry."""
