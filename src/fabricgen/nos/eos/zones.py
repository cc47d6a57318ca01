"""Lower zone policies to EOS access lists and bind them to interfaces.

An access list for routed packets is on the interface where they enter (Arista's manual, Access
Control Lists). It does not apply to packets that are bridged inside a VLAN. EOS does not show the
last rule of a list, which drops the rest.
"""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.vlans import Carries
from fabricgen.model.fabric.zones import ANY_PORT, ICMP, IP, AccessList, Guard, Ports, Rule
from fabricgen.nos.eos.view import system as view
from fabricgen.nos.eos.view.interfaces import Guard as Bound

_FAMILY = {4: "ip", 6: "ipv6"}
# PyAVD 6.4.0's schema, ip_access_lists and ipv6_access_lists; names of ICMP messages as
# arista.eos.eos_acls 6.2.2 has them.
_IPV6_WORDS = {IP: "ipv6", ICMP: "icmpv6"}


@lru_cache(maxsize=128)
def access_lists(guards: tuple[Guard, ...]) -> view.Zones | None:
    """Return the access lists of a switch, None where it has no zones."""
    if not guards:
        return None
    lists = sorted((each for guard in guards for each in guard.lists), key=_order)
    paths = (each.because.main for each in lists)
    why = Provenance(tuple(dict.fromkeys(paths)), "between zones only configured flows pass")
    return view.Zones(because=why, lists=tuple(map(_list, lists)))


def _order(each: AccessList) -> tuple[int, str]:
    return -each.version, each.name


def _list(each: AccessList) -> view.AccessList:
    return view.AccessList(
        because=each.because,
        family=_FAMILY[each.version],
        name=each.name,
        rules=tuple(view.Rule(rule.because, at, _text(rule)) for at, rule in each.numbered()),
    )


def _text(rule: Rule) -> str:
    words = _IPV6_WORDS if rule.source.version == 6 else {}
    return " ".join(
        filter(
            None,
            (
                "permit" if rule.permit else "deny",
                words.get(rule.protocol, rule.protocol),
                _end(rule.source.host, rule.source.prefix, rule.source.length),
                _ports(rule.source_ports),
                _end(rule.target.host, rule.target.prefix, rule.target.length),
                _ports(rule.target_ports),
                rule.only,
            ),
        )
    )


def _end(host: str, prefix: str, length: int) -> str:
    if length == 0:
        return "any"
    return f"host {host}" if length == (128 if ":" in host else 32) else prefix


def _ports(ports: Ports) -> str:
    if ports == ANY_PORT:
        return ""
    first, last = ports
    return f"eq {first}" if first == last else f"range {first} {last}"


@lru_cache(maxsize=1024)
def at_port(guards: tuple[Guard, ...], carries: Carries | None) -> tuple[Bound, ...]:
    """Return the access lists of a bridged port in an isolated VLAN.

    A list on a layer 2 port also filters packets inside the VLAN (EOS 4.9.3.2 Configuration Guide,
    "Port ACL applied on layer-2 Ethernet interfaces").
    """
    isolated = tuple(guard for guard in guards if guard.isolated)
    vlan = carries.untagged if carries is not None else None
    return bound(isolated, vlan=vlan.id) if vlan is not None and isolated else ()


def bound(
    guards: tuple[Guard, ...], *, vlan: int | None = None, peer: str = ""
) -> tuple[Bound, ...]:
    """Return the access lists of one interface: a VLAN gateway or a port to an external router."""
    return tuple(
        Bound(_FAMILY[each.version], each.name)
        for guard in guards
        if (guard.vlan == vlan if vlan is not None else guard.peer == peer)
        for each in guard.lists
    )
