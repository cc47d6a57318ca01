"""The table of the health checks has no empty cell, and a reason for each missing method."""

import pytest
from tests.docs.reference.gate import NAMES, gate_page, probes

from fabricgen.nos.traffic import Kind


def test_no_cell_is_empty() -> None:
    rows = [line for line in gate_page().splitlines() if line.startswith("| ")]
    assert len(rows) > 50
    assert "its reader does not ask" not in gate_page()  # the file of a check has the reason
    for row in rows:
        cells = [each.strip() for each in row.strip("|").split("|")]
        assert all(cells), row
        assert not {"-", "\N{EN DASH}", "no"} & set(cells), row


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", Kind)
def test_each_platform_tests_an_end_or_says_why_not(name: str, kind: Kind) -> None:
    probe = probes(name)[kind]
    assert bool(probe.how) != bool(probe.lacks)
