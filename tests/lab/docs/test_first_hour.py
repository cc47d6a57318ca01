"""The page of the first hour does what it shows, on real FRR switches."""

from pathlib import Path

import pytest
from tests.docs.blocks import run_page
from tests.lab.machinery import ROOT, Ground

PAGE = ROOT / "docs" / "start" / "first-hour.md"


@pytest.mark.usefixtures("machine")
def test_the_first_hour_ends_with_a_verified_push(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, value in ground.environment.items():
        monkeypatch.setenv(name, value)
    try:
        run_page(PAGE.read_text(), tmp_path, with_lab=True)
        assert not ground.labs.is_dir() or not [*ground.labs.iterdir()]
    finally:
        ground.call("lab", "down")
