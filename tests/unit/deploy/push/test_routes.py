"""Routes that a new design does not have are no loss; those that it still has are one, as ever."""

from functools import cache

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Traffic
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts

SITE = """\
site: {name: t1, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  leaf_groups: {hosts: {leafs: LEAFS, servers: {per_leaf: 2, speed: 100G}}}
  switches: {PINS}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}}}}
    attachments: [{group: hosts, servers: 1-2, access: web}]
"""
ABSENT = "fe-leaf02: {links: {fe-spine2: absent}}"
SWAPPED = "fe-leaf01: {loopback: 10.64.0.2}, fe-leaf02: {loopback: 10.64.0.1}"
RENUMBERED = "fe-leaf02: {loopback: 10.64.9.9, vtep: 10.65.9.9}"
SPINE1, SPINE2 = "10.64.255.254", "10.64.255.252"


@cache
def model(pins: str, leafs: str = "1-3") -> Model:
    text = SITE.replace("PINS", pins).replace("LEAFS", leafs)
    site = compile_site(load_texts({"site.yaml": text})).site
    assert site is not None
    names = frozenset(it.name for fabric in site.fabrics for it in fabric.topology.switches)
    return Model(site, Texts(site), names)


def lost(of: Model, name: str, before: Health, after: Health) -> tuple[str, ...]:
    """Return what shuts the gate at a switch."""
    against = BatchComparison(model=of, before={name: before}, changed={name: frozenset()})
    return judged({name: before}, {name: Outcome(after)}, against).get(name, ())


def missed(pins: str, name: str, prefix: str, had: int, has: int) -> tuple[str, ...]:
    """Return what shuts the gate when the ways to an address are fewer."""
    before = Health(traffic=Traffic(fib={f"{prefix}/32": had}))
    after = Health(traffic=Traffic(fib={f"{prefix}/32": has} if has else {}))
    return lost(model(pins), name, before, after)


@pytest.mark.parametrize(
    ("pins", "name", "prefix", "had", "has"),
    [
        (ABSENT, "fe-leaf02", SPINE2, 1, 0),
        (ABSENT, "fe-spine2", "10.64.0.2", 1, 0),
        (ABSENT, "fe-spine2", "10.65.0.2", 1, 0),
        (ABSENT, "fe-leaf02", "10.64.0.1", 2, 1),
        (ABSENT, "fe-leaf01", "10.65.0.2", 2, 1),
        (SWAPPED, "fe-leaf01", "10.64.0.2", 2, 0),
        (RENUMBERED, "fe-leaf01", "10.64.0.2", 2, 0),
        (RENUMBERED, "fe-leaf01", "10.65.0.2", 2, 0),
    ],
)
def test_a_way_that_the_new_design_does_not_have_is_no_loss(
    pins: str, name: str, prefix: str, had: int, has: int
) -> None:
    assert missed(pins, name, prefix, had, has) == ()


@pytest.mark.parametrize(
    ("pins", "name", "prefix", "had", "has"),
    [
        ("", "fe-leaf02", SPINE2, 1, 0),
        (ABSENT, "fe-leaf02", SPINE1, 1, 0),
        (ABSENT, "fe-leaf01", SPINE2, 1, 0),
        (ABSENT, "fe-leaf02", "10.64.0.1", 2, 0),
        (ABSENT, "fe-spine1", "10.64.0.2", 1, 0),
        (SWAPPED, "fe-leaf03", "10.64.0.2", 2, 0),
        (RENUMBERED, "fe-leaf01", "10.64.0.3", 2, 0),
    ],
)
def test_a_way_that_it_still_has_is_one(
    pins: str, name: str, prefix: str, had: int, has: int
) -> None:
    assert missed(pins, name, prefix, had, has) == (f"no route to {prefix}/32 any more",)


@pytest.mark.parametrize(
    ("pins", "name", "prefix"),
    [("", "fe-leaf01", "10.65.0.2"), (ABSENT, "fe-leaf01", "10.65.0.3")],
)
def test_fewer_ways_than_it_has_are_one(pins: str, name: str, prefix: str) -> None:
    assert missed(pins, name, prefix, 2, 1) == (f"1 paths to {prefix}/32, previously 2",)


def test_fewer_ways_than_before_and_than_by_design_are_one() -> None:
    found = missed("", "fe-leaf01", "10.65.0.2", 4, 1)
    assert found == ("1 paths to 10.65.0.2/32, previously 4",)


def test_the_way_to_who_does_not_run_is_not_in_the_design() -> None:
    whole = model("")
    assert whole.routes.more("fe-leaf01", f"{SPINE2}/32", 0)
    part = Model(whole.site, whole.texts, whole.there - {"fe-spine2"})
    assert not part.routes.more("fe-leaf01", f"{SPINE2}/32", 0)
    assert not part.routes.more("fe-leaf01", "10.65.0.2/32", 1)
    assert part.routes.more("fe-leaf01", "10.65.0.2/32", 0)


def silent(
    pins: str, name: str, peer: str, family: str, leafs: str = "1-2", vrf: str = "default"
) -> tuple[str, ...]:
    """Return what shuts the gate when a session is up and brings nothing any more."""
    session = f"{vrf} {peer}"
    before = Health(sessions={session: True}, routes={f"{session} {family}": 12})
    after = Health(sessions={session: True}, routes={f"{session} {family}": 0})
    return lost(model(pins, leafs), name, before, after)


def test_a_spine_that_has_no_other_leaf_by_design_brings_no_evpn_routes() -> None:
    assert silent(ABSENT, "fe-leaf01", SPINE2, "l2vpn_evpn") == ()


@pytest.mark.parametrize(
    ("pins", "name", "peer", "family", "leafs"),
    [
        ("", "fe-leaf01", SPINE2, "l2vpn_evpn", "1-2"),
        (ABSENT, "fe-leaf01", SPINE1, "l2vpn_evpn", "1-2"),
        (ABSENT, "fe-leaf01", SPINE2, "l2vpn_evpn", "1-3"),
        (ABSENT, "fe-spine2", "10.64.0.1", "l2vpn_evpn", "1-2"),
        (ABSENT, "fe-leaf01", "10.72.0.2", "ipv4", "1-2"),
        (ABSENT, "fe-leaf01", "192.0.2.7", "ipv4", "1-2"),
    ],
)
def test_a_session_that_should_bring_routes_and_does_not_is_lost(
    pins: str, name: str, peer: str, family: str, leafs: str
) -> None:
    said = f"BGP session default {peer} {family} no longer receives routes (before: 12)"
    assert silent(pins, name, peer, family, leafs) == (said,)


def test_the_same_address_in_a_vrf_is_another_peer() -> None:
    said = f"BGP session red {SPINE2} l2vpn_evpn no longer receives routes (before: 12)"
    assert silent(ABSENT, "fe-leaf01", SPINE2, "l2vpn_evpn", vrf="red") == (said,)


def test_a_session_that_the_new_design_has_and_that_falls_is_lost() -> None:
    before = Health(sessions={f"default {SPINE1}": True})
    after = Health(sessions={f"default {SPINE1}": False})
    assert lost(model(ABSENT), "fe-leaf02", before, after) == (
        f"BGP session default {SPINE1} is down",
    )
