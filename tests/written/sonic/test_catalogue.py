"""Right SONiC switches of two releases pass the catalogue."""

import pytest
from tests.written.checking import BAD, checked, passed, sentences
from tests.written.sonic.served import Served, written
from tests.written.sonic.site import BONDED, EDGE, LOSSLESS, RAIL, ROUTED, SPINE


@pytest.mark.parametrize("release", ["202405", "master"])
def test_right_switches_pass(redis: Served, release: str) -> None:
    every: set[str] = set()
    switches = [written(name, release) for name in (LOSSLESS, BONDED, EDGE, ROUTED, SPINE)]
    for switch in (*switches, written(RAIL, release, dynamic=True)):
        results = checked(switch.expected, redis.look(switch))
        assert sentences(results, *BAD) == []
        every |= passed(results)
    assert every > {"DscpMaps", "Headroom", "PfcPriorities", "LosslessDrops", "Cables", "Vnis"}
