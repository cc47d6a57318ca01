"""Which tests take minutes: `make reliability` runs them, with FABRICGEN_FAULTS=all."""

import os

import pytest

ALL = os.environ.get("FABRICGEN_FAULTS") == "all"
longer = pytest.mark.skipif(not ALL, reason="minutes: make reliability runs it")
