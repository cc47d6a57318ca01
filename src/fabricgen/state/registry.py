"""Every platform whose running switches can be read; the others are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.state.linux.reader import LINUX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.state.spelling import Reader

READERS: Mapping[str, Reader] = {"linux": LINUX}
