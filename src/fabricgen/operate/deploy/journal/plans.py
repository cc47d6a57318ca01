"""Compress the document of a plan for a journal and decompress it within limits.

A plan repeats text from switch to switch. A plan with the first configuration of 2,000 switches
shrinks to 2%.
"""

import zlib
from datetime import timedelta

LARGEST = 256 * 2**20
"""Largest stored plan in bytes, and the limit of decompression."""
KEPT = timedelta(hours=720)
"""Retention of plans. No `--max-age` allows a resume of an older plan."""


def packed(text: str) -> bytes | None:
    """Compress a plan; None when it is too large."""
    whole = text.encode()
    return zlib.compress(whole) if len(whole) <= LARGEST else None


def unpacked(kept: bytes) -> str:
    """Decompress a plan; raise ValueError if the bytes are not a compressed plan."""
    unpacking = zlib.decompressobj()
    try:
        whole = unpacking.decompress(kept, LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError("the document is incomplete or too large")
    return whole.decode()
