"""`python -m hinny`."""

import sys

from hinny.cli import main

if __name__ == "__main__":
    sys.exit(main())
