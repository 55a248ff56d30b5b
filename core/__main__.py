"""The command line: `python -m core`, which a wheel installs as the command `polysee`."""

import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main())
