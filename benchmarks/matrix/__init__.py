"""Other interpreters, places, users and limits: where the lock installs and where the tests pass."""
