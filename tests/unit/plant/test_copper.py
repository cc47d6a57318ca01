"""Copper between rows is said, and nothing else is."""

from pathlib import Path

import pytest
import yaml

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts

SITE = Path(__file__).parents[2] / "diagnostics" / "FG708" / "site" / "site.yaml"
BEHIND, BESIDE = {"row": 2, "position": 1}, {"row": 1, "position": 4}


def said(place: dict[str, int], medium: str) -> list[Diagnostic]:
    words = yaml.safe_load(SITE.read_text(encoding="utf-8"))
    words["racks"]["network"] |= place
    words["cabling"]["media"] = {"frontend": {"switches": [medium]}}
    found = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)})).findings
    return [each for each in found if each.code is Code.COPPER_ACROSS_ROWS]


def test_copper_to_another_row_is_a_warning_at_the_line_of_the_intent() -> None:
    found = said(BEHIND, "copper")
    assert len(found) == 4
    assert {(each.severity, each.path) for each in found} == {
        (Severity.WARNING, ("frontend", "spine"))
    }


@pytest.mark.parametrize(
    ("place", "medium"), [(BESIDE, "copper"), (BEHIND, "multimode"), (BEHIND, "twisted-pair")]
)
def test_copper_in_the_row_and_all_else_between_rows_is_as_it_should_be(
    place: dict[str, int], medium: str
) -> None:
    assert said(place, medium) == []
