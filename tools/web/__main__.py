"""`python -m tools.web`."""

import sys

from tools.web import main

if __name__ == "__main__":
    sys.exit(main())
