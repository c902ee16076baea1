"""`python -m paper_figures`: the command line is `cli.figures`."""

import sys

from cli.figures import main

if __name__ == "__main__":
    sys.exit(main())
