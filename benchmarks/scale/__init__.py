"""The cost of one proposal as the data grow, to a million observations."""
