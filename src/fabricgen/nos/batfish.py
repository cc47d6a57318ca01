"""What a platform gives of a switch to a snapshot for Batfish."""

from collections.abc import Mapping
from typing import NamedTuple


class Export(NamedTuple):
    """The files of one switch by their paths in a snapshot.

    left: What Batfish's reader of this platform does not take, as a sentence; empty for nothing.
    """

    files: Mapping[str, str]
    left: str = ""
