"""Expands ranges of numbers and refuses ranges that are too large.

Ranges come from switches and from files of unknown authors: `1-99999999999` would fill the memory
of this machine.
"""

MOST = 65_536
"""Numbers of one range: VLANs end at 4,094, ports of TCP at 65,535."""


def between(first: int, last: int) -> range:
    """Return the numbers from first to last. ValueError when they are too many."""
    if last - first >= MOST:
        raise ValueError(f"{first}-{last} is no range")
    return range(first, last + 1)
