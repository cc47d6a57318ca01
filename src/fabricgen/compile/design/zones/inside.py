"""Build the rules of management VLANs: shared services, and no traffic between isolated ports."""

from collections.abc import Iterator, Sequence

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, address_of
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.zones import ALL, ICMP, IP, TCP, UDP, AccessList, Member, Rule

_CLIENT, _SERVER = (68, 68), (67, 67)  # DHCP: RFC 2131, 4.1
_NOBODY, _EVERYBODY = Ip(0, 32), Ip(0xFFFFFFFF, 32)
# RFC 5905 (NTP), RFC 1035 (DNS), RFC 5426 (syslog), RFC 4511 (LDAP).
_NTP, _DNS, _SYSLOG, _LDAP = 123, 53, 514, 389


@record(kw_only=True)
class Served:
    """A service of `site.management` that every management VLAN may use."""

    address: Ip
    protocol: str
    port: int
    path: IntentPath


def served_by(services: Services) -> Iterator[Served]:
    """Yield the servers of time, names, logs and accounts of a site."""
    ldap = services.aaa.ldap if services.aaa is not None else None
    every = (
        (services.ntp, "ntp", UDP, _NTP),
        (services.dns, "dns", UDP, _DNS),
        (services.dns, "dns", TCP, _DNS),
        (services.syslog, "syslog", UDP, _SYSLOG),
        (ldap.servers if ldap is not None else (), "aaa", TCP, _LDAP),
    )
    for addresses, key, protocol, port in every:
        for address in addresses:
            yield Served(
                address=address_of(address),
                protocol=protocol,
                port=port,
                path=services.at(key),
            )


def asking(vlan: Vlan, served: Sequence[Served], reached: Sequence[Member]) -> Iterator[Rule]:
    """Yield the rules for packets of a VLAN to services behind its gateway."""
    for each in served:
        own = vlan.gateway(each.address.version)
        known = any(member.prefix.holds(each.address) for member in reached)
        if own is not None and known and not own.subnet.holds(each.address):
            yield Rule(
                permit=True,
                protocol=each.protocol,
                source=own.subnet,
                target=each.address,
                target_ports=(each.port, each.port),
                because=Provenance((each.path,), f"{vlan.name} uses this {each.path[-1]} server"),
            )


def answering(
    served: Sequence[Served], sources: Sequence[Member], vlans: Sequence[Vlan]
) -> Iterator[Rule]:
    """Yield the rules for answers of services behind an entry. sources: the prefixes behind it."""
    for each in served:
        here = any(source.prefix.holds(each.address) for source in sources)
        for vlan in vlans if here else ():
            own = vlan.gateway(each.address.version)
            if own is not None and not own.subnet.holds(each.address):
                yield Rule(
                    permit=True,
                    protocol=each.protocol,
                    source=each.address,
                    target=own.subnet,
                    source_ports=(each.port, each.port),
                    answers=True,
                    because=Provenance((each.path,), f"answers of this {each.path[-1]} server"),
                )


def isolating(vlan: Vlan) -> Iterator[Rule]:
    """Yield the rules that separate the ports of a VLAN; DHCP and pings of the gateway pass."""
    for own in vlan.gateways:
        subnet, gateway = own.subnet, own._replace(length=32)
        dhcp = Provenance(vlan.because.paths, "DHCP servers may be inside the VLAN")
        for source, target, ports in (
            (_NOBODY, _EVERYBODY, (_CLIENT, _SERVER)),
            (subnet, _EVERYBODY, (_CLIENT, _SERVER)),
            (subnet, subnet, (_CLIENT, _SERVER)),
            (subnet, _EVERYBODY, (_SERVER, _CLIENT)),
            (subnet, subnet, (_SERVER, _CLIENT)),
        ):
            yield Rule(
                permit=True,
                protocol=UDP,
                source=source,
                target=target,
                source_ports=ports[0],
                target_ports=ports[1],
                because=dhcp,
            )
        yield Rule(
            permit=True,
            protocol=ICMP,
            source=subnet,
            target=gateway,
            because=Provenance(vlan.because.paths, "a port may ping its gateway"),
        )
        yield Rule(
            permit=False,
            protocol=IP,
            source=subnet,
            target=subnet,
            because=Provenance(vlan.because.paths, f"ports of VLAN {vlan.name} are isolated"),
        )


def no_ipv6(vlan: Vlan) -> AccessList:
    """Return the list that drops IPv6 of isolated ports, which would pass inside the VLAN."""
    because = Provenance(vlan.because.paths, f"VLAN {vlan.name} has no IPv6 subnet")
    rule = Rule(permit=False, protocol=IP, source=ALL[6], target=ALL[6], because=because)
    return AccessList(name=f"ZONE6-{vlan.id}", version=6, rules=(rule,), because=because)
