"""`python -m fabricgen` is `fabricgen`."""

import sys

from fabricgen.cli.main import run

sys.exit(run())
