"""Expands ranges of numbers and refuses ranges that are too large.

Ranges come from switches and from files of unknown authors: `1-99999999999` would fill the memory
of this machine.
"""

MOST = 65_536
"""Maximum numbers of one range: VLANs end at 4,094, TCP ports at 65,535."""


def between(first: int, last: int) -> range:
    """Return the numbers from first to last. Raises ValueError if they are too many."""
    if last - first >= MOST:
        raise ValueError(f"{first}-{last} is not a valid range")
    return range(first, last + 1)
