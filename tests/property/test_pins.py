"""A pin moves nothing but the number it names, wherever pins are; and growth moves no pin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import ADDITIONS, designed, facts, grown, lost, said

from fabricgen.compile.design.slices import Slicer
from fabricgen.nos.hosts.slices import HostSlicer

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site

Numbers = dict[str, dict[str, str]]
KEYS = ("loopback", "router_id", "management", "asn", "vtep")
UNSHRUNK = [phase for phase in Phase if phase is not Phase.shrink]
"""A failure is printed as it was drawn: sites are small, and shrinking designs for five minutes."""
GROWING = sorted(ADDITIONS.keys() - {"a storage fabric"})


def numbers(site: Site) -> Numbers:
    """Return what each switch is called by, as text."""
    return {
        switch_slice.switch.key: {
            key: str(getattr(switch_slice, key)).partition("/")[0] for key in KEYS
        }
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
    }


def drawn(data: st.DataObject, every: Numbers) -> dict[str, dict[str, Any]]:
    """Draw pins of some switches, each number of which nobody else has."""
    pins = {}
    for place, name in enumerate(every):
        free = {
            "loopback": f"10.0.{place}.1",
            "router_id": f"10.1.{place}.1",
            "management": f"10.255.127.{place + 1}",
            "asn": 4_210_000_000 + place,
            "vtep": f"10.2.{place}.1",
            "hostname": f"box-{place}",
        }
        may = [key for key in KEYS if every[name][key] != "None"]
        keys = data.draw(st.sets(st.sampled_from([*may, "hostname"])), label=name)
        if keys:
            pins[name] = {key: free[key] for key in keys}
    return pins


def pinned(site: dict[str, Any], pins: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the site with pins."""
    return said(site, "switches", pins)


def expected(before: Numbers, pins: dict[str, dict[str, Any]]) -> Numbers:
    """Return the numbers with the pins in their places: a router ID is a loopback's."""
    after = {}
    for name, own in before.items():
        pin = pins.get(name, {})
        texts = {key: str(value) for key, value in pin.items() if key != "hostname"}
        if "loopback" in texts:
            texts = {"router_id": texts["loopback"], **texts}
        after[name] = {**own, **texts}
    return after


@settings(max_examples=draws(40), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING), st.data())
def test_a_pin_moves_nothing_else(name: str, data: st.DataObject) -> None:
    site = ADDITIONS[name][0]
    before = numbers(designed(site))
    pins = drawn(data, before)
    assert numbers(designed(pinned(site, pins))) == expected(before, pins)


@settings(max_examples=draws(40), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING), st.data())
def test_growth_moves_nothing_where_switches_are_pinned(name: str, data: st.DataObject) -> None:
    site, path, value = ADDITIONS[name]
    pins = drawn(data, numbers(designed(site)))
    before = designed(pinned(site, pins))
    after = designed(pinned(grown(site, *path, to=value), pins))
    assert lost(facts(before), facts(after)) == []


def stands(data: st.DataObject, site: Site) -> dict[str, dict[str, Any]]:
    """Draw states of switches, and of the first link up of leafs."""
    pins: dict[str, dict[str, Any]] = {}
    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            ups = [it for it in fabric.topology.links_at[switch.name] if it.lower is switch]
            ups = [it for it in ups if not it.of_pair]
            own: dict[str, Any] = {}
            if data.draw(st.booleans(), label=f"state of {switch.name}"):
                own["state"] = data.draw(st.sampled_from(["planned", "dead"]))
            linked: bool = data.draw(st.booleans(), label=f"a link of {switch.name}")
            if ups and linked:
                state = data.draw(st.sampled_from(["planned", "drained", "dead"]))
                own["links"] = {ups[0].lower_port.label: {"state": state}}
            if own:
                pins[switch.key] = own
    return pins


@settings(max_examples=draws(25), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING), st.data())
def test_growth_moves_nothing_where_switches_and_links_have_states(
    name: str, data: st.DataObject
) -> None:
    site, path, value = ADDITIONS[name]
    pins = stands(data, designed(site))
    before = designed(pinned(site, pins))
    after = designed(pinned(grown(site, *path, to=value), pins))
    assert lost(facts(before), facts(after)) == []
    assert numbers(before) == numbers(designed(site))


SERVERS: dict[str, Any] = {
    "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
    "servers": {
        "db": {
            "count": 6,
            "ports": {"front": {"fabric": "frontend", "speed": "100G", "per_leaf": 4}},
        }
    },
    "frontend": {
        "leaf": {"model": "SN3700", "platform": "sonic"},
        "spine": {"model": "SN3700", "platform": "sonic", "count": 2},
        "leaf_groups": {"racks": {"leafs": "1-4"}},
    },
    "tenants": {
        "shop": {
            "vrfs": {"red": {"id": 1, "vlans": {"lan": {"id": 30, "subnet": "10.110.0.0/24"}}}},
            "attachments": [{"servers": "db", "access": "lan", "addresses": "static"}],
        }
    },
}


def servers(pins: dict[str, Any], count: int) -> dict[int, tuple[str, str, str]]:
    """Return name, cable and address of each server by its number."""
    kind = {**SERVERS["servers"]["db"], "count": count, "pins": pins}
    made = designed({**SERVERS, "servers": {"db": kind}})
    links = made.fabrics[0].topology.links_at
    return {
        switch_slice.server.number: (
            switch_slice.server.name,
            " ".join(
                f"{it.upper.name} {it.upper_port.label}" for it in links[switch_slice.server.name]
            ),
            switch_slice.members[0].addresses[0].host,
        )
        for switch_slice in HostSlicer(made).slices()
    }


@settings(max_examples=draws(40), deadline=None, phases=UNSHRUNK)
@given(st.sets(st.integers(1, 6)), st.sets(st.integers(1, 6)), st.integers(6, 16))
def test_a_pin_of_a_server_moves_nothing_else_and_growth_moves_no_pin(
    named: set[int], addressed: set[int], count: int
) -> None:
    pins: dict[str, Any] = {str(number): {} for number in named | addressed}
    for number in named:
        pins[str(number)]["hostname"] = f"box-{number}"
    for number in addressed:
        pins[str(number)]["addresses"] = [f"10.110.0.{200 + number}"]
    found = servers(pins, count)
    for number, (name, cable, address) in servers({}, 6).items():
        assert found[number] == (
            f"box-{number}" if number in named else name,
            cable,
            f"10.110.0.{200 + number}" if number in addressed else address,
        )
