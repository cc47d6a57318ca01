"""Runs `fabricgen` as `python -m fabricgen`."""

import sys

from fabricgen.cli.main import run

sys.exit(run())
