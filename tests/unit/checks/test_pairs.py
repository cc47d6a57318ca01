"""From leafs of an MLAG pair that say unlike things: that it is found (FG328, FG329, FG327)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.unit.checks.sites import MANAGEMENT, cut, designed, examine, reds, run_checks, told

from fabricgen.compile.checks.links import Bundles
from fabricgen.compile.checks.redundancy import Pairs
from fabricgen.compile.checks.segments import Segments
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.model.fabric.interface import Interface
    from fabricgen.model.fabric.pair import Pair
    from fabricgen.model.fabric.switch import SwitchSlice

    Change = Callable[[SwitchSlice], SwitchSlice]

FOUR = """
servers:
  cpu: {count: 2, ports: {front: {fabric: frontend, ports: 2, speed: 25G, bond: lacp, leafs: 2}}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos, reserve: 1}
  leaf_groups: {racks: {leafs: 1-4, multihoming: {kind: mlag}}}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
"""
TENANT = "tenants: {web: {vlans: {app: {id: 100}}, attachments: [{servers: cpu, access: app}]}}"
SITE = designed(FOUR + TENANT)


def _slower(ports: tuple[Interface, ...]) -> tuple[Interface, ...]:
    first, *rest = ports
    port = replace(first.port, speed=BitsPerSecond.parse("10G"))
    return (replace(first, port=port), *rest)


def _of_pair(**change: object) -> Change:
    def changed(switch_slice: SwitchSlice) -> SwitchSlice:
        pair: Pair | None = switch_slice.pair
        assert pair is not None
        return replace(switch_slice, pair=replace(pair, **change))  # type: ignore[arg-type]

    return changed


def _slow_link(switch_slice: SwitchSlice) -> SwitchSlice:
    assert switch_slice.pair is not None
    return replace(
        switch_slice, pair=replace(switch_slice.pair, members=_slower(switch_slice.pair.members))
    )


def _slow_bundle(switch_slice: SwitchSlice) -> SwitchSlice:
    first, *rest = switch_slice.lags
    return replace(switch_slice, lags=(replace(first, members=_slower(first.members)), *rest))


def test_a_designed_site_with_pairs_passes_every_check() -> None:
    assert [each for result in run_checks(SITE, cut(SITE)) for each in result.findings] == []
    assert examine(Pairs, SITE).objects == 6 + 4  # switches, and those of pairs


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda switch_slice: replace(switch_slice, asn=1),
            "differs in its ASN: 4200000000 on fe-leaf01, 1 on",
        ),
        (
            lambda switch_slice: replace(
                switch_slice, switch=replace(switch_slice.switch, platform="sonic")
            ),
            "differs in its network OS: eos on fe-leaf01, sonic on fe-leaf02",
        ),
        (
            lambda switch_slice: replace(switch_slice, vtep=Ip(1, 32)),
            "tunnel endpoint: 10.65.0.1/32 on fe-leaf01",
        ),
        (
            lambda switch_slice: replace(switch_slice, vlans=()),
            "VLANs: 100 on fe-leaf01, none on fe-leaf02",
        ),
        (_of_pair(mtu=1500), "MTU: 9214 on fe-leaf01, 1500 on fe-leaf02"),
        (_of_pair(members=()), "links: 2 on fe-leaf01, 0 on fe-leaf02"),
        (
            _of_pair(local=Ip(1, 31)),
            "has addresses on fe-leaf01, fe-leaf02 that are not in one subnet",
        ),
        (
            _of_pair(domain="x"),
            "domain fe-leaf01 is used by fe-leaf01, but a domain belongs to one pair",
        ),
        (
            _of_pair(domain="fe-leaf03"),
            (
                "domain fe-leaf03 is used by fe-leaf02, fe-leaf03, fe-leaf04, "
                "but a domain belongs to one pair"
            ),
        ),
        (_of_pair(peer=SITE.fabrics[0].topology.switches[0]), "fe-leaf02, which are not a pair"),
    ],
)
def test_leafs_that_are_no_pair_are_found(change: Change, said: str) -> None:
    pieces = told(cut(SITE), "fe-leaf02", change)
    found = reds(examine(Pairs, SITE, pieces), Code.PAIR_DISAGREES)
    assert [said in text for text in found].count(True) == 1


def border(cage: int) -> str:
    """Return the words of a tenant with a way out of the second leaf."""
    peer = {"leaf": 2, "cage": cage, "address": "192.0.2.1/31", "peer": "192.0.2.0", "asn": 64496}
    vrf = {
        "id": 1,
        "vlans": {"app": {"id": 100, "subnet": "10.9.0.0/24"}},
        "external": {"isp": peer},
    }
    return f"{FOUR}tenants: { ({'red': {'vrfs': {'red': vrf}}}) }"


def test_the_cages_between_a_pair_are_free_for_nobody_else() -> None:
    loaded = load_texts({"site.yaml": MANAGEMENT + border(27)})
    assert loaded.intent is not None
    (said,) = (finding.message for finding in design_site(loaded.intent)[1])
    assert said == "cage 27 of leaf 2 is already for links to the other leaf of its pair"


def test_a_vrf_that_one_leaf_joins_to_none_is_found() -> None:
    def silent(switch_slice: SwitchSlice) -> SwitchSlice:
        assert switch_slice.pair is not None
        return replace(switch_slice, pair=replace(switch_slice.pair, vrfs=()))

    site = designed(border(26))
    assert not reds(examine(Pairs, site), Code.PAIR_DISAGREES)
    (said,) = reds(examine(Pairs, site, told(cut(site), "fe-leaf02", silent)), Code.PAIR_DISAGREES)
    assert said == (
        "the MLAG domain fe-leaf01 differs in its VLANs of VRFs: 3001 on fe-leaf01, none on "
        "fe-leaf02"
    )


def test_a_domain_that_two_groups_name_is_found() -> None:
    text = (
        "frontend: {leaf: {model: 7050CX3-32S, platform: eos}, oversubscription: 8, "
        "spine: {model: 7050CX3-32S, platform: eos, count: 2}, leaf_groups: {%s}}"
    )
    multihoming = "multihoming: {kind: mlag, domain: 'dc1-{pair}'}"
    groups = [f"{name}: {{leafs: {leafs}, {multihoming}}}" for name, leafs in _GROUPS]
    site = designed(text % ", ".join(groups))
    (said,) = reds(examine(Pairs, site), Code.PAIR_DISAGREES)
    assert said.startswith("the MLAG domain dc1-1 is used by fe-leaf01, fe-leaf02, fe-leaf03, ")


_GROUPS = (("web", "1-2"), ("db", "3-4"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            _slow_link,
            "the peer link of the MLAG pair fe-leaf01 has links of different speeds: 10G and 100G",
        ),
        (_slow_bundle, "the LAG front of cpu0001 has links of different speeds: 10G and 25G"),
    ],
)
def test_links_of_unlike_speed_are_found(change: Change, said: str) -> None:
    pieces = told(cut(SITE), "fe-leaf02", change)
    assert reds(examine(Bundles, SITE, pieces), Code.BUNDLE_UNLIKE) == [said]


def test_a_bundle_that_one_leaf_has_for_itself_is_found() -> None:
    def alone(switch_slice: SwitchSlice) -> SwitchSlice:
        first, *rest = switch_slice.lags
        return replace(switch_slice, lags=(replace(first, mlag=False), *rest))

    kind, nobody = reds(
        examine(Segments, SITE, told(cut(SITE), "fe-leaf02", alone)), Code.SEGMENT_ENDS_DISAGREE
    )
    assert kind.endswith("multihoming: MLAG on fe-leaf01, ESI on fe-leaf02")
    assert (
        nobody == "the LAG front of cpu0001 is on fe-leaf01, fe-leaf02, but has no Ethernet segment"
    )
