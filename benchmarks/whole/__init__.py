"""The waiting time of a reader: the environment, the tests, `make reproduce`, each in a fresh clone."""
