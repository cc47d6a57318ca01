"""Declare the rules of `watch`."""

from fabricgen.operate.state.watch.rules.drops import DROPS
from fabricgen.operate.state.watch.rules.marks import MARKS
from fabricgen.operate.state.watch.rules.pauses import PAUSES
from fabricgen.operate.state.watch.rules.peaks import PEAKS
from fabricgen.operate.state.watch.rules.readings import READINGS

RULES = (*DROPS, *PAUSES, *MARKS, *PEAKS, *READINGS)
"""Every rule, the most urgent first."""
