"""What the physical plan of two example sites says: the bill, each cable, and what is at panels."""

from pathlib import Path

import pytest
from tests.golden.test_golden import compiled, expect

from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.plan import plan_files

KEPT = {"bom.csv", "cabling.csv", "fibers.csv", "trunks.csv", "panels.csv"}


@pytest.mark.parametrize("name", ["four-fabrics", "oob"])
def test_the_plan_is_what_it_was(name: str) -> None:
    site, _ = compiled(name)
    texts = {file.path: file.text for file in plan_files(Plan.of(site))}
    some = {path: text for path, text in texts.items() if path in KEPT}
    expect(Path(__file__).parent / name / "plan", some, KEPT)
