"""`python -m experiments`: the command line is `cli.experiments`."""

import sys

from cli.experiments import main

if __name__ == "__main__":
    sys.exit(main())
