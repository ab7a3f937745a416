"""`python -m jupyter_ac`: the command line if its script is not on PATH."""

import sys

from jupyter_ac.hosts.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
