"""An answer of a Linux switch that cannot be read makes its parts unread, and fails no check."""

import pytest
from tests.unit.proof.state.lab import BORDER, LEAF, RAIL, SPINE, UNNUMBERED, models, text
from tests.written.missing import failures

from fabricgen.nos.linux.show.reader import QUESTIONS
from fabricgen.nos.shared.documents import VTYSH, answers

OMITTED = ("frr", "version")
"""Its answers have the keys of VTYSH; and a question that is newer than the looks."""
KEYS = (*(each.key for each in QUESTIONS if each.key not in OMITTED), *VTYSH)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("switch", [LEAF, BORDER, SPINE, UNNUMBERED, RAIL])
def test_no_check_fails_without_an_answer(switch: str, key: str) -> None:
    given = answers(text(switch))
    assert key in given
    assert list(failures(models()[switch], given, key)) == []
