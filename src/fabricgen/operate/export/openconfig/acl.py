"""Write the access lists between zones by openconfig-acl. A last entry drops all other packets."""

from fabricgen.model.fabric.zones import ANY_PORT, ICMP, IP, AccessList, Guard, Ports, Rule
from fabricgen.operate.export.openconfig.tree import Piece, Place, Tree, entry, listed, pruned

_MATCH = "openconfig-packet-match-types:"
_TYPES = {
    (4, 0): "openconfig-icmpv4-types:ECHO_REPLY",
    (4, 3): "openconfig-icmpv4-types:DST_UNREACHABLE",
    (6, 1): "openconfig-icmpv6-types:DESTINATION_UNREACHABLE",
    (6, 2): "openconfig-icmpv6-types:PACKET_TOO_BIG",
    (6, 129): "openconfig-icmpv6-types:ECHO_REPLY",
    (6, 133): "openconfig-icmpv6-types:ROUTER_SOLICITATION",
    (6, 135): "openconfig-icmpv6-types:NEIGHBOR_SOLICITATION",
    (6, 136): "openconfig-icmpv6-types:NEIGHBOR_ADVERTISEMENT",
}
"""Identities of ICMP messages, by IP version and type."""
_ICMP: dict[int, str | int] = {4: f"{_MATCH}IP_ICMP", 6: 58}
"""IANA's protocol 58 is ICMPv6, for which the model has no identity."""
_LAST = 4_294_967_295


def acl(piece: Piece) -> Tree:
    """Return the access lists and their places."""
    guards = piece.switch_slice.guards
    every = dict.fromkeys(each for guard in guards for each in guard.lists)
    at: dict[str, tuple[Place, list[AccessList]]] = {}
    for guard in guards:  # both families of a peer have one interface
        place = _place(piece, guard)
        at.setdefault(place.id, (place, []))[1].extend(guard.lists)
    return pruned(
        {
            "acl-sets": listed("acl-set", map(_list, every)),
            "interfaces": listed("interface", (_applied(*each) for each in at.values())),
        }
    )


def _kind(each: AccessList) -> str:
    return f"openconfig-acl:ACL_IPV{each.version}"


def _list(each: AccessList) -> Tree:
    rules = [_rule(number, rule) for number, rule in each.numbered()]
    rules.append(entry({"sequence-id": _LAST}, "sequence-id", parts=_action(permit=False)))
    config = {"name": each.name, "type": _kind(each)}
    return entry(config, "name", "type", parts={"acl-entries": listed("acl-entry", rules)})


def _action(*, permit: bool) -> Tree:
    word = "ACCEPT" if permit else "DROP"
    return {"actions": {"config": {"forwarding-action": f"openconfig-acl:{word}"}}}


def _rule(number: int, rule: Rule) -> Tree:
    version = rule.source.version
    message = (
        {"config": {"type": _TYPES[version, rule.message]}} if rule.message is not None else {}
    )
    match = {
        "config": pruned(
            {
                "source-address": rule.source.prefix if rule.source.length else None,
                "destination-address": rule.target.prefix if rule.target.length else None,
                "protocol": _protocol(rule),
            }
        ),
        f"icmpv{version}": message,
    }
    parts = {f"ipv{version}": pruned(match), "transport": _transport(rule)}
    return entry({"sequence-id": number}, "sequence-id", parts=parts | _action(permit=rule.permit))


def _protocol(rule: Rule) -> str | int | None:
    if rule.protocol == ICMP:
        return _ICMP[rule.source.version]
    return None if rule.protocol == IP else f"{_MATCH}IP_{rule.protocol.upper()}"


def _transport(rule: Rule) -> Tree:
    ends = {"source-port": rule.source_ports, "destination-port": rule.target_ports}
    config: Tree = {name: _ports(each) for name, each in ends.items() if each != ANY_PORT}
    if rule.established:
        config |= {"detail-mode": "BUILTIN", "builtin-detail": "TCP_ESTABLISHED"}
    return {"config": config} if config else {}


def _ports(ports: Ports) -> int | str:
    return ports[0] if ports[0] == ports[1] else f"{ports[0]}..{ports[1]}"


def _applied(place: Place, every: list[AccessList]) -> Tree:
    lists = [
        entry({"set-name": each.name, "type": _kind(each)}, "set-name", "type") for each in every
    ]
    parts = {
        "interface-ref": {"config": place.ref},
        "ingress-acl-sets": listed("ingress-acl-set", lists),
    }
    return entry({"id": place.id}, "id", parts=parts)


def _place(piece: Piece, guard: Guard) -> Place:
    if guard.vlan is not None:
        name = piece.names.gateway(guard.vlan)
        return Place(vrf="", interface=name, subinterface=None)
    ports = {peer.label: peer.interface for peer in piece.switch_slice.external}
    return piece.place(ports[guard.peer])
