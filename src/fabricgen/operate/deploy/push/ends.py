"""A look at a switch in; whom it sends packets to, before and after a batch, out.

A table may say what packets do not find. Each VLAN and VRF is tried to each other end of it, or to
a few where there are many, always the same; and so are a few servers of each VLAN.
"""

from collections.abc import Iterable, Iterator

from fabricgen.nos.health import Health
from fabricgen.nos.traffic import End, Kind, Traffic, drawn

FAR = 8
"""Other ends of a VLAN or VRF that a switch asks. Every switch draws its own."""
MOST = 256
"""Ends that a switch asks at a look: 2.6 s of packets, where all answer."""
PINGED = 16
"""VTEPs of them that are pinged, as there is no way to ask them through a VLAN."""
UNASKED = "who answers"
"""What is unread of a switch that could ask nobody; the reason stands behind it."""


def ends(seen: Traffic) -> tuple[End, ...]:
    """Return whom to ask."""
    asked = {
        f"{end.kind.value} {end.of} {end.far}": end for end in (*_through(seen), *_known(seen))
    }
    return tuple(asked[name] for name in drawn(asked, MOST, seen.vtep))


def answered(before: Health) -> tuple[End, ...]:
    """Return who answered, and should again; and who was silent, and should stay so."""
    return tuple(
        end
        for end, answers in before.traffic.reached.items()
        if answers is not (end.kind is Kind.APART)
    )


def _through(seen: Traffic) -> Iterator[End]:
    """Yield the other ends; VTEPs of VLANs without a gateway, which nobody answers in, alone."""
    for number, vlan in seen.vlans.items():
        if vlan.gateway:
            yield from _each(Kind.VLAN, str(number), vlan.far, seen.vtep)
    for name, vrf in seen.vrfs.items():
        hops = (hop for hop, mac in vrf.hops.items() if mac)
        yield from _each(Kind.VRF, name, hops, seen.vtep)
    bare = {vtep for vlan in seen.vlans.values() if not vlan.gateway for vtep in vlan.far}
    yield from (End(Kind.VTEP, "", vtep) for vtep in drawn(bare, PINGED, seen.vtep))


def _each(kind: Kind, of: str, far: Iterable[str], own: str) -> Iterator[End]:
    yield from (End(kind, of, vtep) for vtep in drawn(far, FAR, f"{own} {of} "))


def _known(seen: Traffic) -> Iterator[End]:
    """Yield servers."""
    for number, vlan in seen.vlans.items():
        yield from (End(Kind.SERVER, str(number), address) for address in vlan.servers)
