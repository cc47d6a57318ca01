"""From two leafs that say unlike things of one server's bundle: that it is found (FG327)."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.unit.checks.sites import EVERY, cut, designed, examine, reds, told

from fabricgen.compile.checks.segments import Segments
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.switch import Lag

CODE = Code.SEGMENT_ENDS_DISAGREE
SITE = designed(
    """
servers:
  cpu: {count: 2, ports: {front: {fabric: frontend, ports: 2, speed: 25G, bond: lacp, leafs: 2}}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
tenants:
  web: {vlans: {app: {id: 100}}, attachments: [{servers: cpu, access: app}]}
"""
)


def found(change: Callable[[Lag], Lag | None], leaf: str = "fe-leaf02") -> list[str]:
    """Return what is said when the first bundle of one leaf is another, or is not there."""

    def changed(lags: tuple[Lag, ...]) -> tuple[Lag, ...]:
        new = change(lags[0])
        return (new, *lags[1:]) if new is not None else lags[1:]

    pieces = told(
        cut(SITE), leaf, lambda switch_slice: replace(switch_slice, lags=changed(switch_slice.lags))
    )
    return reds(examine(Segments, SITE, pieces), CODE)


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Segments, designed(EVERY[shape])), CODE) == []


def test_a_pair_agrees_and_is_examined() -> None:
    assert found(lambda lag: lag) == []
    assert examine(Segments, SITE).objects == 4 + 2 * 2  # switches, and two bundles on two leafs


def test_a_missing_side_is_found() -> None:
    assert found(lambda _: None) == [
        "the LAG front of cpu0001 is a segment, but only on fe-leaf01",
    ]


def test_a_side_without_a_segment_is_found() -> None:
    first, system, nobody = found(lambda lag: replace(lag, segment=None))
    assert first.endswith("00:02:fc:0a:41:00:01:00:00:01 on fe-leaf01, None on fe-leaf02")
    assert "LACP system: 02:fc:0a:41:00:01 on fe-leaf01, its own on fe-leaf02" in system
    assert (
        nobody == "the LAG front of cpu0001 is on fe-leaf01, fe-leaf02, but has no Ethernet segment"
    )


def test_another_system_is_found() -> None:
    def other(lag: Lag) -> Lag:
        assert lag.segment is not None
        return replace(lag, segment=replace(lag.segment, system="02:fc:0a:41:00:09"))

    assert [text.partition(":")[0] for text in found(other)] == [
        "the LAG front of cpu0001 differs in its segment",
        "the LAG front of cpu0001 differs in its LACP system",
    ]


def test_equal_preferences_are_found() -> None:
    def level(lag: Lag) -> Lag:
        assert lag.segment is not None
        return replace(lag, segment=replace(lag.segment, preference=200))

    text = "the LAG front of cpu0001 has the preference 200 on fe-leaf01, fe-leaf02"
    assert found(level) == [f"{text}: the election of the forwarder has no winner"]


def test_other_vlans_and_mtus_are_found() -> None:
    (vlans,) = found(lambda lag: replace(lag, carries=None))
    assert vlans.endswith("VLANs: 100 untagged, none tagged on fe-leaf01, none on fe-leaf02")
    (mtu,) = found(lambda lag: replace(lag, mtu=1500))
    assert mtu.endswith("MTU: 9164 on fe-leaf01, 1500 on fe-leaf02")
