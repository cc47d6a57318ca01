"""Drafts the intent of an out-of-band network: its switches, VLANs, zones and servers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fabricgen.importer.choices import Choice
from fabricgen.importer.draft import Draft, of_servers, others, routing, tiers
from fabricgen.importer.kinds_of_servers import Plug, sets_of
from fabricgen.importer.parts import SLOW, Part
from fabricgen.importer.tree import Tree, said, usual

_PAIR = 2


def draft(part: Part, name: str, held: Mapping[str, Sequence[Sequence[str]]]) -> Draft:
    """Return the draft of an access fabric. held: contents of the racks of each type."""
    words = tiers(part) | routing(part)
    if words.get("spine", {}).get("count") == _PAIR:
        del words["spine"]["count"]
    words |= said(switches=others(part, words))
    words["vlans"] = vlans = _vlans(part)
    words["zones"] = _zones(part, held)
    ports: Tree = {}
    switches = str(vlans.get("switches", {}).get("id"))
    for each in sets_of(part.below):
        vlan = "switches" if _vlan(each.plugs) == switches else None
        ports.setdefault(each.kind, {})[each.network] = of_servers(name, each) | said(vlan=vlan)
    here = Draft(part=part, name=name, kind="access", words=words, ports=ports)
    choices = (
        Choice(here.key("zones", kind, "ports"), (None, zone["ports"]))
        for kind, zone in words["zones"].items()
        if "ports" in zone
    )
    return replace(here, choices=tuple(choices))


def _vlan(plugs: Iterable[Plug]) -> str:
    """Return the most frequent VLAN of some ports."""
    found = (plug.switch.own(("interface", plug.port)).get("untagged") for plug in plugs)
    return usual(str(each or "") for each in found) or ""


def _vlans(part: Part) -> Tree:
    """Return the VLANs by the devices at their ports."""
    every = [plug for leaf in part.leafs for plug in part.plugs.of[leaf] if plug.management]
    power = [plug for plug in every if plug.power]
    of = {"switches": [plug for plug in every if not plug.power], "pdu": power}
    words: Tree = {key: {"id": int(_vlan(plugs))} for key, plugs in of.items() if _vlan(plugs)}
    known = {str(each["id"]) for each in words.values()}
    own = _vlan(plug for plug in part.below if _vlan([plug]) not in known)
    words |= said(bmc={"id": int(own)} if own else None)
    for key, each in words.items():
        subnet = _subnet(part, each["id"])
        if key != "switches" and subnet:
            each["subnet"] = subnet
            if _open(part, subnet):
                each["isolated"] = False
    return words


def _open(part: Part, subnet: str) -> bool:
    """Return whether a rule permits all traffic between the ports of a VLAN."""
    inside = {"action": "permit", "protocol": "ip", "source": subnet, "target": subnet}
    return any(inside in leaf.facts.values() for leaf in part.leafs)


def _subnet(part: Part, vlan: int) -> str:
    for leaf in part.leafs:
        port = leaf.tables.gateways.get(vlan)
        if port is not None and port.addresses:
            return str(port.addresses[0].network)
    return ""


def _zones(part: Part, held: Mapping[str, Sequence[Sequence[str]]]) -> Tree:
    """Return the leafs of each rack type, by the first ports of the racks."""
    down = max(
        sum(port.speed == SLOW for port in part.plugs.ports[leaf].values()) for leaf in part.leafs
    )
    places: dict[str, int] = {}
    for number, leaf in enumerate(part.leafs):
        for plug in (each for each in part.plugs.of[leaf] if each.to is None):
            at = number * down + plug.place[0] - 1
            places[plug.far] = min(at, places.get(plug.far, at))
    zones: Tree = {}
    for kind, racks in held.items():
        firsts = [
            min((places[name] for name in own if name in places), default=-1) for own in racks
        ]
        if firsts[0] < 0:
            continue
        switch, port = divmod(firsts[0], down)
        zones[kind] = said(switch=switch + 1, port=port + 1 if port else None)
        if len(firsts) > 1 and 0 < firsts[1] - firsts[0] < down:
            zones[kind]["ports"] = firsts[1] - firsts[0]
        elif port + len(racks[0]) <= down:
            zones[kind]["ports"] = down - port
    return zones
