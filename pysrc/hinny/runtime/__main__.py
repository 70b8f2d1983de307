"""`python -m hinny.runtime`."""

import sys

from hinny.runtime.cli import main

sys.exit(main())
