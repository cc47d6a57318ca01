"""From tables of SONiC's management framework: the lines that its frrcfgd gives FRR.

Field by field as its key maps have them (sonic-buildimage src/sonic-frr-mgmt-framework: frrcfgd,
and the templates of its start). A second opinion on routing_tables.txt, which it does not read.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Tables = dict[str, dict[str, dict[str, Any]]]
GLOBAL = {
    "router_id": "bgp router-id {value}",
    "default_ipv4_unicast": "bgp default ipv4-unicast",
    "load_balance_mp_relax": "bgp bestpath as-path multipath-relax",
}
SESSION = {
    "peer_group_name": "neighbor {name} peer-group {value}",
    "asn": "neighbor {name} remote-as {value}",
    "local_asn": "neighbor {name} local-as {value}{local_as_no_prepend}{local_as_replace_as}",
    "name": "neighbor {name} description {value}",
    "bfd": "neighbor {name} bfd",
    "capability_ext_nexthop": "neighbor {name} capability extended-nexthop",
    "ebgp_multihop_ttl": "neighbor {name} ebgp-multihop {value}",
    "local_addr": "neighbor {name} update-source {value}",
    "keepalive": "neighbor {name} timers {value} {holdtime}",
    "conn_retry": "neighbor {name} timers connect {value}",
}
FAMILY = {
    "max_ebgp_paths": "maximum-paths {value}",
    "advertise-all-vni": "advertise-all-vni",
    "advertise-ipv4-unicast": "advertise ipv4 unicast",
    "advertise-ipv6-unicast": "advertise ipv6 unicast",
    "route-distinguisher": "rd {value}",
    "import-rts": "route-target import {value}",
    "export-rts": "route-target export {value}",
}
SESSION_FAMILY = {
    "admin_status": "neighbor {name} activate",
    "remove_private_as_enabled": "neighbor {name} remove-private-AS{remove_private_as_all}",
    "max_prefix_limit": "neighbor {name} maximum-prefix {value}{max_prefix_warning_only}",
    "route_map_in": "neighbor {name} route-map {value} in",
    "route_map_out": "neighbor {name} route-map {value} out",
}
CLAUSE = {
    "match_prefix_set": "match {ip} address prefix-list {value}",
    "match_as_path": "match as-path {value}",
    "match_community": "match community {value}",
    "set_local_pref": "set local-preference {value}",
    "set_asn_list": "set as-path prepend {value}",
    "set_community_inline": "set community {value}",
}
MORE = {
    "local_as_no_prepend": " no-prepend",
    "local_as_replace_as": " replace-as",
    "remove_private_as_all": " all",
    "max_prefix_warning_only": " warning-only",
}
"""Fields that are words of another's line."""
IP = {"IPv4": "ip", "IPv6": "ipv6"}
WORDS = {"true": "", "up": "", "false": "no ", "down": "no "}


def lines(tables: Tables) -> str:
    """Return what FRR is given, in the order of a start."""
    return "\n".join(
        [
            *_vrfs(tables.get("VRF", {})),
            *_instances(tables),
            *_prefixes(tables),
            *_paths(tables.get("AS_PATH_SET", {})),
            *_communities(tables.get("COMMUNITY_SET", {})),
            *_clauses(tables),
            "",
        ]
    )


def _texts(fields: Mapping[str, Any], spelling: Mapping[str, str], name: str = "") -> Iterator[str]:
    """Yield the line of each field. A list of values is joined, as frrcfgd does."""
    more = {field: word if fields.get(field) == "true" else "" for field, word in MORE.items()}
    for field, line in spelling.items():
        value = fields.get(field)
        if value is None:
            continue
        text = " ".join(value) if isinstance(value, list) else value
        yield WORDS.get(text, "") + line.format(**{**fields, **more, "name": name, "value": text})


def _below(rows: Mapping[str, dict[str, Any]], vrf: str) -> Iterator[tuple[list[str], Any]]:
    """Yield the rest of the key of each row of a VRF, and its fields."""
    for key, fields in rows.items():
        first, *rest = key.split("|")
        if first == vrf:
            yield rest, fields


def _indented(many: Iterable[str], by: str = " ") -> list[str]:
    return [by + line for line in many]


def _vrfs(rows: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for name, fields in rows.items():
        yield from (f"vrf {name}", f" vni {fields['vni']}", "exit-vrf")


def _instances(tables: Tables) -> Iterator[str]:
    for vrf, fields in tables.get("BGP_GLOBALS", {}).items():
        yield f"router bgp {fields['local_asn']}" + (f" vrf {vrf}" if vrf != "default" else "")
        yield from _indented(_texts(fields, GLOBAL))
        for (name,), group in _below(tables.get("BGP_PEER_GROUP", {}), vrf):
            yield f" neighbor {name} peer-group"
            yield from _indented(_texts(group, SESSION, name))
        for (name,), session in _below(tables.get("BGP_NEIGHBOR", {}), vrf):
            behind = {"peer_group_name": "neighbor {name} interface peer-group {value}"}
            spelling = SESSION | behind if name.startswith("Ethernet") else SESSION
            yield from _indented(_texts(session, spelling, name))
        for family in ("ipv4_unicast", "ipv6_unicast", "l2vpn_evpn"):
            inside = _indented(_family(tables, vrf, family), "  ")
            if inside:
                yield f" address-family {family.replace('_', ' ')}"
                yield from (*inside, " exit-address-family")
        yield "exit"


def _family(tables: Tables, vrf: str, family: str) -> Iterator[str]:
    for (_, _, afi), fields in _below(tables.get("ROUTE_REDISTRIBUTE", {}), vrf):
        if family == f"{afi}_unicast":
            policy = "".join(f" route-map {name}" for name in fields.get("route_map", ()))
            yield f"redistribute connected{policy}"
    for table in ("BGP_PEER_GROUP_AF", "BGP_NEIGHBOR_AF"):
        for (name, its), fields in _below(tables.get(table, {}), vrf):
            if its == family:
                yield from _texts(fields, SESSION_FAMILY, name)
    for (its,), fields in _below(tables.get("BGP_GLOBALS_AF", {}), vrf):
        if its == family:
            yield from _texts(fields, FAMILY)
    for (its, vni), fields in _below(tables.get("BGP_GLOBALS_EVPN_VNI", {}), vrf):
        if its.lower() == family:
            yield from (f"vni {vni}", *_indented(_texts(fields, FAMILY)), "exit-vni")


def _prefixes(tables: Tables) -> Iterator[str]:
    for key, fields in tables.get("PREFIX", {}).items():
        name, number, prefix, lengths = key.split("|")
        first, _, last = lengths.partition("..")
        low = f" ge {first}" if last and int(first) > int(prefix.rpartition("/")[2]) else ""
        high = f" le {last}" if last else ""
        kind = IP[tables["PREFIX_SET"][name]["mode"]]
        yield f"{kind} prefix-list {name} seq {number} {fields['action']} {prefix}{low}{high}"


def _paths(rows: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for name, fields in rows.items():
        for number, member in enumerate(fields["as_path_set_member"], 1):
            yield f"bgp as-path access-list {name} seq {5 * number} permit {member}"


def _communities(rows: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    for name, fields in rows.items():
        for number, member in enumerate(fields["community_member"], 1):
            kind = fields["set_type"].lower()
            yield f"bgp community-list {kind} {name} seq {5 * number} permit {member}"


def _clauses(tables: Tables) -> Iterator[str]:
    for key, fields in tables.get("ROUTE_MAP", {}).items():
        name, number = key.split("|")
        listed = tables.get("PREFIX_SET", {}).get(fields.get("match_prefix_set", ""), {})
        kind = {"ip": IP[listed.get("mode", "IPv4")]}
        yield f"route-map {name} {fields['route_operation']} {number}"
        yield from (*_indented(_texts(fields | kind, CLAUSE)), "exit")
