"""List the control-plane ACLs that permitted sources of management need, apart from the lowering.

Each neighbor of a session needs a rule, too, because its BFD belongs to no known connection.
"""

from collections.abc import Iterator

from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.spelling import Place

Fact = tuple[Key, Attributes]
_FIRST = 10_000
_MANAGING = "only these sources manage the switch"
_SENDING = "neighbors send BFD, which no other rule permits"


def permitted(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the tables and rules of a switch; the sources of SSH and SNMP are other facts."""
    services = switch_slice.services
    doors = ("SSH", "SNMP") if services.snmp is not None else ("SSH",)
    yield _table("MANAGEMENT", _MANAGING, *doors)
    for place, _ in enumerate(services.admitted, 1):
        yield _rule("MANAGEMENT", place, {})
    if services.gnmi is not None:
        yield _table("MANAGEMENT-GNMI", _MANAGING, "EXTERNAL_CLIENT")
        port = str(services.gnmi.port)
        for place, prefix in enumerate(services.admitted, 1):
            yield _rule("MANAGEMENT-GNMI", place, {"source": prefix, "to": port})
    for table, sources in _neighbors(switch_slice):
        yield _table(table, _SENDING, "ANY")
        for place, prefix in enumerate(sources, 1):
            yield _rule(table, place, {"source": prefix})


def own_sources(switch_slice: SwitchSlice) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield the address of each neighbor in these tables, with its place."""
    for table, sources in _neighbors(switch_slice) if switch_slice.services.admitted else ():
        for place, prefix in enumerate(sources, 1):
            yield prefix, ((("acl", table, str(10 * place)), "source"),)


def _neighbors(switch_slice: SwitchSlice) -> Iterator[tuple[str, list[str]]]:
    """Yield each table of neighbors with its sources, by place and IP version."""
    outside = [each.remote for each in switch_slice.external]
    for name, sources in (("FABRIC", _inside(switch_slice)), ("OUTSIDE", outside)):
        every = dict.fromkeys(map(_prefix, sources))
        for mark in ("", "6"):
            mine = [each for each in every if (":" in each) is bool(mark)]
            if mine:
                yield f"MANAGEMENT{mark}-{name}", mine


def _inside(switch_slice: SwitchSlice) -> list[Ip]:
    numbered = [each.remote for each in switch_slice.sessions if each.remote is not None]
    local = len(numbered) < len(switch_slice.sessions)
    return [*numbered, *([Ip(0xFE80 << 112, 10, 6)] if local else [])]


def _prefix(source: Ip) -> str:
    """Return a source: one address, or the link-local prefix."""
    if source.length == 10:
        return "fe80::/10"
    return f"{source.host}/{128 if source.version == 6 else 32}"


def _table(name: str, text: str, *services: str) -> Fact:
    own: Attributes = {"type": "CTRLPLANE", "stage": "ingress", "text": text}
    return ("acl", name), {**own, "services": services}


def _rule(table: str, place: int, more: Attributes) -> Fact:
    own: Attributes = {"priority": str(_FIRST - 10 * place), "action": "ACCEPT"}
    return ("acl", table, str(10 * place)), {**own, **more}
