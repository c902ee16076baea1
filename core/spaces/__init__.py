"""Spaces of parameters, constraints on them, and the map from a user's points to the unit cube."""
