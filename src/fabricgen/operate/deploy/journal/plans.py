"""Packs the document of a plan for a journal and unpacks it within limits.

A plan repeats itself from switch to switch. One that configures 2,000 switches for the first time
shrinks to a fiftieth.
"""

import zlib
from datetime import timedelta

LARGEST = 256 * 2**20
"""Bytes of a plan that is kept, unpacked; so much is unpacked at most, whatever the row says."""
KEPT = timedelta(hours=720)
"""A plan that was pushed longer ago is dropped: no `--max-age` lets it go on."""


def packed(text: str) -> bytes | None:
    """Return a plan as it is kept; None when it is too large."""
    whole = text.encode()
    return zlib.compress(whole) if len(whole) <= LARGEST else None


def unpacked(kept: bytes) -> str:
    """Return it as it was; ValueError when that is not what was kept."""
    unpacking = zlib.decompressobj()
    try:
        whole = unpacking.decompress(kept, LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError("it does not end where a plan does")
    return whole.decode()
