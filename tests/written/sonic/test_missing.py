"""An answer of a SONiC switch that cannot be read makes its parts unread, and fails no check."""

from functools import cache

import pytest
from tests.written.missing import BROKEN, failures
from tests.written.sonic.served import Served, Written, written
from tests.written.sonic.site import BONDED, LOSSLESS, RELEASES

from fabricgen.nos.questions import Answer
from fabricgen.nos.shared.documents import VTYSH
from fabricgen.nos.sonic.show.reader import QUESTIONS

SAMPLED = "asic_routes"
KEYS = (*(each.key for each in QUESTIONS if each.key != "frr"), *VTYSH, SAMPLED)
ASKED = tuple(kind for kind in BROKEN if kind != "missing")
"""A look without this question is a look that did not ask for routes in the ASIC."""


@cache
def right(name: str) -> Written:
    return written(name, RELEASES[-1])


@pytest.fixture(scope="module", params=[LOSSLESS, BONDED])
def looked(request: pytest.FixtureRequest, redis: Served) -> tuple[Written, dict[str, Answer]]:
    switch = right(request.param)
    return switch, dict(redis.answers(switch))


@pytest.mark.parametrize("key", KEYS)
def test_no_check_fails_without_an_answer(
    looked: tuple[Written, dict[str, Answer]], key: str
) -> None:
    switch, given = looked
    assert key in given
    kinds = ASKED if key == SAMPLED else ()
    assert list(failures(switch.expected, given, key, *kinds)) == []
