"""Other interpreters, other places, other users, other limits: what the lock installs on, and where the tests pass."""
