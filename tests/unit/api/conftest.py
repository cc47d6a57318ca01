"""The site of the tests of the library."""

import shutil
from pathlib import Path

import pytest
from tests.cli.calling import ROOT

from fabricgen import Site

RECORDED = ROOT / "tests" / "recorded" / "written-eos"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def lab() -> Site:
    return Site.load(ROOT / "intent" / "lab")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the site that a test may change."""
    return Path(shutil.copytree(ROOT / "intent" / "lab", tmp_path / "lab"))
