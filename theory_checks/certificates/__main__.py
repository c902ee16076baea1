"""`python -m theory_checks.certificates`: the command line is `cli.certify`."""

import sys

from cli.certify import main

if __name__ == "__main__":
    sys.exit(main())
