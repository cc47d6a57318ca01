"""Random fabrics and changes of what has two ends, and what a switch runs of them, slice by slice.

The simulation knows no terms: it takes what each switch runs, old or new, and asks of each session
and each VLAN whether it works.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from hypothesis import strategies as st
from tests.property.batch_sites import SMALL
from tests.property.growing import designed, site, tenant

from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.switch import Session, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Port, Switch

Broken = tuple[str, ...]
"""What does not work: a kind, a word, whose, and the switches at its ends."""
Choices = dict[str, list[Any]]

UNDERLAY: Choices = {
    "asn": [{"first": 4_210_000_000, "last": 4_290_000_000}, {"first": 64_512, "last": 65_534}],
    "mtu": [9000, 8000],
    "links": ["unnumbered"],
    "password": ["env:FABRIC_BGP"],
    "bfd": [{"multiplier": 5}, {"enabled": False}],
}
OVERLAY: Choices = {
    "l2vni_base": [20_000],
    "l3vni_base": [60_000],
    "route_target_asn": [64_000],
    "anycast_mac": ["00:1c:73:00:00:aa"],
    "service": ["vlan-aware"],
}
POOLS: Choices = {"loopbacks": ["10.80.0.0/16"], "links": ["10.84.0.0/14"]}


def intent(platform: str, leafs: int, spines: int) -> dict[str, Any]:
    """Return a frontend whose tenants share its leafs, but for the last."""
    model = SMALL | {"platform": platform}
    tenants = {"red": tenant("red", 1, {"web": 110}, "1-1")}
    tenants["blue"] = tenant("blue", 2, {"app": 120}, "2-2")
    groups = {"a": {"leafs": f"1-{leafs - 1}", "servers": {"per_leaf": 2, "speed": "100G"}}}
    groups["b"] = {"leafs": str(leafs), "servers": {"per_leaf": 1, "speed": "100G"}}
    tenants["red"]["attachments"].append({"group": "b", "servers": "1", "trunk": ["web"]})
    fabric = {"leaf": model, "spine": model | {"count": spines}, "leaf_groups": groups}
    return {"site": site(), "frontend": fabric, "tenants": tenants}


class Case:
    """A site, and one with some words changed. when: the batch of each switch, 0 outside."""

    def __init__(self, before: Site, after: Site, when: list[int], told: str) -> None:
        """Take both sites; told is shown instead of them, which would be long."""
        self.before, self.after, self.when, self._told = before, after, when, told

    def __repr__(self) -> str:
        """Say of what it was drawn."""
        return f"{self._told} {self.when}"


@st.composite
def changes(draw: st.DrawFn) -> Case:
    """Draw a site, the same with some numbers changed, and the batch of each of its switches."""
    sort = (
        draw(st.sampled_from(["eos", "linux"])),
        draw(st.integers(2, 4)),
        draw(st.integers(1, 3)),
    )
    words: dict[str, dict[str, Any]] = {}
    for section, choices in (("underlay", UNDERLAY), ("overlay", OVERLAY), ("addressing", POOLS)):
        for key in sorted(draw(st.sets(st.sampled_from(sorted(choices)), max_size=2))):
            words.setdefault(section, {})[key] = draw(st.sampled_from(choices[key]))
    other = intent(*sort)
    other["frontend"] |= words
    switches = sort[1] + sort[2]
    when = draw(st.lists(st.integers(0, 4), min_size=switches, max_size=switches))
    sites = [designed(intent(*sort)), designed(other)]
    back = draw(st.booleans())
    before, after = reversed(sites) if back else sites
    return Case(before, after, when, f"{sort} {words} {back}")


def pieces(made: Site) -> dict[str, SwitchSlice]:
    """Return the slice of every switch."""
    return {
        switch_slice.switch.name: switch_slice
        for fabric in made.fabrics
        for switch_slice in Slicer(fabric).slices()
    }


def broken(runs: Mapping[str, SwitchSlice]) -> set[Broken]:
    """Return every session and VLAN that does not work while switches run these."""
    return {*_sessions(runs), *_frames(runs), *_segments(runs)}


def _sessions(runs: Mapping[str, SwitchSlice]) -> Iterator[Broken]:
    for name, switch_slice in runs.items():
        for session in switch_slice.sessions:
            far = runs[session.peer.name]
            if not any(_meet(session, other, name) for other in far.sessions):
                continue
            (there,) = (other for other in far.sessions if _meet(session, other, name))
            kind = "evpn" if session.overlay else "link"
            if session.peer_asn != far.asn:
                yield kind, "asn", far.switch.name, *sorted((name, far.switch.name))
            if session.remote != there.local:
                yield kind, "address", far.switch.name, *sorted((name, far.switch.name))
            if switch_slice.routing.password != far.routing.password:
                yield kind, "password", min(name, far.switch.name), *sorted((name, far.switch.name))
            if not session.overlay and (switch_slice.routing.bfd is None) != (
                far.routing.bfd is None
            ):
                yield kind, "bfd", min(name, far.switch.name), *sorted((name, far.switch.name))


def _meet(session: Session, other: Session, name: str) -> bool:
    """Tell whether two sessions are the ends of one: on one cable, or between one pair."""
    if session.overlay or other.overlay:
        return session.overlay and other.overlay and other.peer.name == name
    assert session.interface is not None
    assert other.interface is not None
    return (
        other.peer.name == name
        and _port(session.interface.peer_port) == _port(other.interface.port)
        and _port(other.interface.peer_port) == _port(session.interface.port)
    )


def _port(port: Port | Nic | None) -> str:
    """Name a port in two designs of one site."""
    return port.label if port is not None else ""


def _frames(runs: Mapping[str, SwitchSlice]) -> Iterator[Broken]:
    for name, switch_slice in runs.items():
        for port in switch_slice.interfaces:
            if isinstance(port.peer, Switch) and runs[port.peer.name].routing.mtu != port.mtu:
                ends = sorted((name, port.peer.name))
                yield "link", "mtu", ends[0], *ends


def _segments(runs: Mapping[str, SwitchSlice]) -> Iterator[Broken]:
    for (one, mine), (other, theirs) in combinations(runs.items(), 2):
        if mine.overlay is None or theirs.overlay is None:
            continue
        for kind, word in (("vlan", "id"), ("vrf", "name")):
            here, there = _vnis(mine, kind, word), _vnis(theirs, kind, word)
            for subject in here.keys() & there.keys():
                if here[subject] != there[subject]:
                    yield kind, "vni", subject, *sorted((one, other))
        if mine.vrfs and theirs.vrfs and mine.overlay.anycast_mac != theirs.overlay.anycast_mac:
            yield "tunnel", "anycast-mac", "anycast-mac", *sorted((one, other))


def _vnis(switch_slice: SwitchSlice, kind: str, word: str) -> dict[str, tuple[int, str]]:
    assert switch_slice.overlay is not None
    told: dict[str, tuple[int, str]] = {}
    for each in switch_slice.vlans if kind == "vlan" else switch_slice.vrfs:
        bundle = getattr(each, "bundle", None) if switch_slice.switch.platform == "eos" else None
        if each.vni is not None:
            told[str(getattr(each, word))] = (
                each.vni,
                switch_slice.overlay.exported(bundle or each)[0],
            )
    return told
