"""Finds the lines that FRR refuses in the output of its start."""

import re

_REFUSED = re.compile(r"^(?:line \d+: .*|% .*)$", re.MULTILINE)
"""Messages of `vtysh -b` (FRR vtysh/vtysh.c, vtysh_config_from_file), and of the daemons."""


def refused_lines(log: str) -> list[str]:
    """Return the messages about refused lines."""
    return [found[0].strip() for found in _REFUSED.finditer(log)]
