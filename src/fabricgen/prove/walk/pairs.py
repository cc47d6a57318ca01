"""Finds the MLAG pairs and agreeing sessions in the tables of all switches.

A pair exchanges the routes of a VRF by iBGP in a VLAN of the VRF on their peer link.
"""

from collections.abc import Iterable, Mapping

from fabricgen.prove.walk.packet import End, Station
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.tables import Session, Tables


def agree(one: Tables, ours: Session, other: Tables, theirs: Session) -> bool:
    """Return whether both ends name each other's ASN, with one password or none."""
    asns = (ours.asn, shown(other, theirs)), (theirs.asn, shown(one, ours))
    named = all(said in (asn, "external") for said, asn in asns)
    return named and _secret(ours.password) == _secret(theirs.password)


def shown(switch: Tables, session: Session) -> str:
    """Return the ASN that a switch uses on a session."""
    return session.local_asn or switch.asn


def _secret(password: str) -> str:
    """Return the reference of a password; EOS prefixes it with its neighbor and an @."""
    return password.removeprefix("<<secret:").rpartition("@")[2]


def partners(switches: Mapping[str, Tables], cables: Mapping[End, End]) -> dict[str, str]:
    """Return the other leaf of each pair that comes up.

    Both must name one domain and each other's address, and a cable of one peer link must end in the
    other (EOS, MLAG).
    """
    found = {}
    for near, far in cables.items():
        one, other = switches.get(near.switch), switches.get(far.switch)
        if one is None or other is None or not (one.pair and other.pair):
            continue
        ports = one.ports.get(near.port), other.ports.get(far.port)
        links = [port is not None and port.up and port.bundle for port in ports]
        ours = links == [one.pair.link, other.pair.link] and one.pair.domain == other.pair.domain
        if ours and _has(one, other.pair.peer) and _has(other, one.pair.peer):
            found[one.name] = other.name
    return found


def _has(switch: Tables, address: str) -> bool:
    assert switch.pair is not None
    over = switch.ports.get(switch.pair.over)
    return over is not None and any(str(each.ip) == address for each in over.addresses)


def torn(station: Station, switches: Mapping[str, Tables], pairs: Mapping[str, str]) -> str:
    """Return why the ports of a bond over two leafs are not one; empty if they are."""
    leafs = list(dict.fromkeys(end.switch for end in station.ends))
    if not station.bundle or len(leafs) == 1:
        return ""
    ports = [switches[end.switch].ports.get(end.port) for end in station.ends]
    marks = {(port.segment, port.mlag) if port is not None else ("", "") for port in ports}
    segment, mlag = next(iter(marks))
    shared = bool(segment) or (bool(mlag) and pairs.get(leafs[0]) == leafs[1])
    if len(marks) == 1 and shared:
        return ""
    return f"the bond of {station.node} is not one port-channel on {' and '.join(leafs)}"


def joined(hearer: Tables, teller: Tables, vrf: str, family: str) -> tuple[Session, Session] | None:
    """Return the session of a VRF by which a leaf of a pair receives routes, from both ends.

    None if it does not come up: both must name each other in a VLAN of the peer link, with the VRF,
    the ASN, the password and the family.
    """
    for vlan, near in hearer.gateways.items():
        far = teller.gateways.get(vlan)
        if far is None or not (near.up and far.up) or {near.vrf, far.vrf} != {vrf}:
            continue
        if not (crosses(hearer, vlan) and crosses(teller, vlan)):
            continue
        for hearing in _sessions(hearer, near, far, family):
            for telling in _sessions(teller, far, near, family):
                if agree(hearer, hearing, teller, telling):
                    return hearing, telling
    return None


def _sessions(switch: Tables, port: Port, far: Port, family: str) -> list[Session]:
    """Return the sessions of a VRF with the other end of its VLAN, in the same AS."""
    there = {str(each.ip) for each in far.addresses}
    there |= {f"{each}%{port.name.replace('Vlan', 'Vl')}" for each in there}
    return [
        each
        for each in switch.sessions
        if (each.vrf, each.asn) == (port.vrf, switch.asn)
        and each.peer in there
        and family in each.families
    ]


def other_mac(switch: Tables, vlan: int, switches: Iterable[Tables]) -> str:
    """Return the difference of a gateway's MAC from the same gateway on another leaf.

    RFC 9135 section 4.1: servers use one MAC for the gateway of all leafs.
    """
    gateway, bridge = switch.gateways[vlan], switch.bridges.get(vlan)
    for far in switches if bridge is not None and bridge.vni else ():
        there = far.gateways.get(far.vlan_of.get(bridge.vni if bridge else 0, 0))
        if there is None or there.mac == gateway.mac:
            continue
        if {*there.addresses} & {*gateway.addresses}:
            return (
                f"{switch.name} {gateway.name} has MAC {gateway.mac or 'of its own'}, but "
                f"{far.name} has {there.mac or 'its own'} for the same address"
            )
    return ""


def crosses(switch: Tables, vlan: int) -> bool:
    """Return whether the peer link of a leaf carries a VLAN: it exists, with the link's group."""
    bridge = switch.bridges.get(vlan)
    link = switch.ports.get(switch.pair.link) if switch.pair is not None else None
    if bridge is None or link is None or not link.up:
        return False
    return bridge.group in ("", link.group) and (not link.vlans or vlan in link.vlans)
