"""Where points lie: parameters, spaces of them, constraints, and the way from a user's points to the unit cube."""
