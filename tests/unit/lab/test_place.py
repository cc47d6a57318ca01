"""The folder of a lab: what it says before the lab is up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabricgen.lab.client import LabFailure
from fabricgen.lab.place import Place

if TYPE_CHECKING:
    from pathlib import Path


def test_a_lab_that_still_boots_says_so(tmp_path: Path) -> None:
    with pytest.raises(LabFailure, match="the lab oslo is still booting"):
        Place(tmp_path / "oslo").facts()
