"""Designed sites with a lossless class for the deadlock proof, and ways to break one of them."""

from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tests.unit.checks.sites import RAIL_OPTIMIZED, Piece, changed, cut, designed, relinked

from fabricgen.model.fabric.switch import Session, Site
from fabricgen.model.fabric.topology import Switch

_PODS = """
frontend:
  design: superspine
  leafs_per_pod: 2
  underlay: {{asn: {{scheme: {scheme}}}}}
  leaf_groups: {{cpu: {{leafs: 1-{leafs}, servers: {{per_leaf: 2, speed: 100G}}}}}}
  leaf: {{model: 7060DX5-64S, platform: eos}}
  spine: {{model: 7060DX5-64S, platform: eos, count: 2}}
  superspine: {{model: 7060DX5-64S, platform: eos, count: {tops}}}
"""


def pods(number: int, tops: int = 2, scheme: str = "per-switch") -> Site:
    """Two leafs and two spines a pod; every spine reaches every superspine. All is lossless."""
    site = designed(_PODS.format(scheme=scheme, leafs=2 * number, tops=tops))
    return changed(site, "frontend", qos=designed(RAIL_OPTIMIZED).fabrics[0].qos)


def switch_of(site: Site, name: str) -> Switch:
    """Return a switch by name."""
    return next(s for f in site.fabrics for s in f.topology.switches if s.name == name)


def chained(site: Site, *names: str) -> Site:
    """Add a cable between each switch named and the next."""
    for one, other in pairwise(names):
        site = joined(site, switch_of(site, one), switch_of(site, other))
    return site


def joined(site: Site, one: Switch, other: Switch) -> Site:
    """Add a cable between two switches, on ports that are free."""
    links = site.fabrics[0].topology.links
    taken = {(x.upper.name, x.upper_port) for x in links} | {
        (x.lower.name, x.lower_port) for x in links
    }
    ports = [next(p for p in s.ports[::-1] if (s.name, p) not in taken) for s in (one, other)]
    sample = next(x for x in links if not x.to_server)
    cable = replace(
        sample, lower=one, lower_port=ports[0], upper=other, upper_port=ports[1], slot=99
    )
    return relinked(site, site.fabrics[0].name, (*links, cable))


def told(
    site: Site, names: Collection[str], pieces: list[Piece] | None = None, **facts: Any
) -> list[Piece]:
    """Return the slices; the underlay sessions of the switches named get other facts."""

    def changed_session(session: Session) -> Session:
        return session if session.overlay else replace(session, **facts)

    return [
        (fabric, replace(switch_slice, sessions=tuple(map(changed_session, switch_slice.sessions))))
        if switch_slice.switch.name in names
        else (fabric, switch_slice)
        for fabric, switch_slice in (cut(site) if pieces is None else pieces)
    ]
