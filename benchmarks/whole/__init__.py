"""How long a reader waits for the whole: the environment, the tests, `make reproduce`, each in a fresh clone."""
