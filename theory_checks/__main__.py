"""`python -m theory_checks`: the command line is `cli.theory`."""

import sys

from cli.theory import main

if __name__ == "__main__":
    sys.exit(main())
