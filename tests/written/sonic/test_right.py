"""A written right switch of each release agrees with its model, and every table is read."""

import pytest
from tests.written.sonic.served import Served, written
from tests.written.sonic.site import BONDED, EDGE, LOSSLESS, RAIL, RELEASES, ROUTED, SPINE


@pytest.mark.parametrize("name", [LOSSLESS, BONDED, EDGE, ROUTED, SPINE, "fe-spine1"])
@pytest.mark.parametrize("release", RELEASES)
def test_a_right_switch_has_no_difference(redis: Served, release: str, name: str) -> None:
    switch = written(name, release)
    look = redis.look(switch)
    assert look.unread == {}
    assert [each.sentence for each in redis.differences(switch)] == []


@pytest.mark.parametrize("release", RELEASES)
def test_a_switch_that_computes_its_memory_has_no_difference(redis: Served, release: str) -> None:
    assert [each.sentence for each in redis.differences(written(RAIL, release, dynamic=True))] == []
