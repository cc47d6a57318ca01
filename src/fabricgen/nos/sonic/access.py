"""Lower the permitted sources of management to control-plane ACLs of SONiC.

caclmgrd turns each table into iptables rules of the chain INPUT, by service. With one such rule the
chain ends in DROP, after BGP, DHCP, ICMP and established connections (sonic-host-services
scripts/caclmgrd). Packets of neighbors are permitted by the service ANY, because BFD of FRR has no
rule of its own (sonic-buildimage pull 4591 adds ANY).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables
from fabricgen.nos.sonic.zones import HIGHEST

_LOCAL = Ip(0xFE80 << 112, 10, 6)
"""Link-local addresses (RFC 4291), by which unnumbered neighbors send."""
_MANAGEMENT, _GNMI = "MANAGEMENT", "MANAGEMENT-GNMI"
_SOURCES = {4: "SRC_IP", 6: "SRC_IPV6"}


def control_plane(switch_slice: SwitchSlice) -> Tables:
    """Return the tables of management and of neighbors; none if every source is permitted."""
    services = switch_slice.services
    if not services.admitted:
        return {}
    tables, rules = dict[str, Entry](), dict[str, Entry]()
    for own, entries in (_managed(services), _neighbors(switch_slice)):
        tables |= own
        rules |= entries
    return {"ACL_TABLE": tables, "ACL_RULE": rules}


@lru_cache(maxsize=16)
def _managed(services: Services) -> tuple[Table, Table]:
    """Return the tables of SSH, SNMP and the gNMI server."""
    why = Provenance(((*services.path, "admitted"),), "only these sources manage the switch")
    snmp = ("SNMP",) if services.snmp is not None else ()
    tables: Table = {_MANAGEMENT: _table(why, "SSH", *snmp)}
    rules = dict(_rules(_MANAGEMENT, _SOURCES[4], services.admitted, why))
    if services.gnmi is not None:
        tables[_GNMI] = _table(why, "EXTERNAL_CLIENT")
        port: dict[str, Field] = {"L4_DST_PORT": str(services.gnmi.port)}
        rules |= _rules(_GNMI, _SOURCES[4], services.admitted, why, port)
    return tables, rules


def _neighbors(switch_slice: SwitchSlice) -> tuple[Table, Table]:
    """Return the tables of fabric neighbors and of external peers, by IP version."""
    tables, rules = dict[str, Entry](), dict[str, Entry]()
    paths = (*switch_slice.services.path, "admitted")
    why = Provenance((paths,), "neighbors send BFD, which no other rule permits")
    sessions = switch_slice.sessions
    inside = [each.remote for each in sessions if each.remote is not None]
    if any(each.remote is None for each in sessions):
        inside.append(_LOCAL)
    outside = [each.remote for each in switch_slice.external]
    for name, sources in (("FABRIC", inside), ("OUTSIDE", outside)):
        for version, word in _SOURCES.items():
            known = dict.fromkeys(_whole(each) for each in sources if each.version == version)
            table = f"MANAGEMENT{'' if version == 4 else '6'}-{name}"
            if known:
                tables[table] = _table(why, "ANY")
                rules |= _rules(table, word, tuple(known), why)
    return tables, rules


def _whole(source: Ip) -> str:
    """Return a source as a prefix: one address, or all link-local ones."""
    return (
        f"{source.host}/{32 if source.version == 4 else 128}" if source != _LOCAL else "fe80::/10"
    )


def _table(why: Provenance, *services: str) -> Entry:
    fields: dict[str, Field] = {
        "type": "CTRLPLANE",
        "stage": "ingress",
        "policy_desc": why.rule,
        "services": list(services),
    }
    return Entry(why, fields)


def _rules(
    table: str,
    word: str,
    sources: Sequence[str],
    why: Provenance,
    more: dict[str, Field] | None = None,
) -> Iterator[tuple[str, Entry]]:
    """Yield a rule for each source. caclmgrd keeps one rule of a priority."""
    for number, source in enumerate(sources, 1):
        fields: dict[str, Field] = {
            "PRIORITY": str(HIGHEST - 10 * number),
            "PACKET_ACTION": "ACCEPT",
            word: source,
            **(more or {}),
        }
        yield f"{table}|RULE_{10 * number}", Entry(why, fields)
