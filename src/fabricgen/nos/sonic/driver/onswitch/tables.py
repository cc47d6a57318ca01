"""Compute the target tables of CONFIG_DB and the patch to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.tree.keep import fits

Tables = dict[str, dict[str, dict[str, Any]]]
Step = dict[str, Any]

_MADE = "pg_lossless_"
_WATCHDOG = "PFC_WD"
# Defaults of SONiC (sonic-buildimage files/build_templates/init_cfg.json.j2@00fe9e72). PFCWD is the
# watchdog's poll; watermarks and drops show the state of a lossless fabric.
COUNTERS = (
    "PORT",
    "RIF",
    "QUEUE",
    "PFCWD",
    "PG_WATERMARK",
    "PG_DROP",
    "QUEUE_WATERMARK",
    "BUFFER_POOL_WATERMARK",
    "PORT_BUFFER_DROP",
)
# Packets that each queue marks: no image enables this counter (init_cfg.json.j2 of every branch).
MARKS = "WRED_ECN_QUEUE"

# Tables whose entries the image fills, too: `config reload` and the first boot merge
# files/build_templates/init_cfg.json.j2 (sonic-buildimage) into the loaded file, and the MAC
# address is the switch's. Only the listed fields are managed.
SHARED: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "BANNER_MESSAGE": (("global",), ("state", "login")),
    "DEVICE_METADATA": (
        ("localhost",),
        (
            "hostname",
            "hwsku",
            "platform",
            "type",
            "bgp_asn",
            "docker_routing_config_mode",
            "frr_mgmt_framework_config",
            "buffer_model",
            "default_pfcwd_status",
            "synchronous_mode",
        ),
    ),
    "FLEX_COUNTER_TABLE": ((*COUNTERS, MARKS), ("FLEX_COUNTER_STATUS",)),
    "NTP": (("global",), ("admin_state", "src_intf", "vrf", "dhcp", "server_role")),
}

# Tables in which people may have entries, too: managed ones begin with a word of NAMED_SO
# (nos/sonic/zones.py, nos/sonic/access.py).
NAMED = ("ACL_RULE", "ACL_TABLE", "ACL_TABLE_TYPE")
NAMED_SO = ("ZONE", "MANAGEMENT")

# Other tables of nos/sonic; one that is no longer rendered is removed completely.
WHOLE = (
    "AAA",
    "BREAKOUT_CFG",
    "BUFFER_PG",
    "BUFFER_POOL",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PROFILE",
    "BUFFER_QUEUE",
    "CABLE_LENGTH",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "DEVICE_NEIGHBOR",
    "DEVICE_NEIGHBOR_METADATA",
    "DNS_NAMESERVER",
    "DNS_OPTIONS",
    "DSCP_TO_TC_MAP",
    "EVPN_ETHERNET_SEGMENT",
    "GNMI",
    "INTERFACE",
    "LDAP",
    "LDAP_SERVER",
    "LOOPBACK_INTERFACE",
    "LOSSLESS_TRAFFIC_PATTERN",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "MCLAG_DOMAIN",
    "MCLAG_INTERFACE",
    "MCLAG_UNIQUE_IP",
    "MGMT_INTERFACE",
    "MGMT_PORT",
    "MGMT_VRF_CONFIG",
    "NTP_SERVER",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "PFC_WD",
    "PORT",
    "PORTCHANNEL",
    "PORTCHANNEL_MEMBER",
    "PORT_QOS_MAP",
    "PORT_STORM_CONTROL",
    "QUEUE",
    "RADIUS",
    "RADIUS_SERVER",
    "SAG",
    "SCHEDULER",
    "SFLOW",
    "SFLOW_COLLECTOR",
    "SFLOW_SESSION",
    "SNMP",
    "SNMP_AGENT_ADDRESS_CONFIG",
    "SNMP_COMMUNITY",
    "SNMP_USER",
    "SWITCH_HASH",
    "SWITCH_TRIMMING",
    "SYSLOG_SERVER",
    "TACPLUS",
    "TACPLUS_SERVER",
    "TC_TO_PRIORITY_GROUP_MAP",
    "TC_TO_QUEUE_MAP",
    "VLAN",
    "VLAN_INTERFACE",
    "VLAN_MEMBER",
    "VLAN_SUB_INTERFACE",
    "VRF",
    "VXLAN_EVPN_NVO",
    "VXLAN_TUNNEL",
    "VXLAN_TUNNEL_MAP",
    "WRED_PROFILE",
)
OWNED = sorted((*SHARED, *NAMED, *WHOLE))


def owned(running: Mapping[str, Any]) -> Tables:
    """Return the tables with managed parts, including their other entries."""
    return {name: running[name] for name in OWNED if running.get(name)}


def settled(tables: Tables, wanted: Tables) -> Tables:
    """Remove the profiles for each speed and length that the buffer manager makes automatically.

    sonic-net/sonic-swss cfgmgr/buffermgr.cpp writes BUFFER_PROFILE|pg_lossless_<speed>_<length>_
    profile. A profile that no port uses has no effect.
    """
    known = wanted.get("BUFFER_PROFILE", {})
    profiles = {
        key: fields
        for key, fields in tables.get("BUFFER_PROFILE", {}).items()
        if key in known or not key.startswith(_MADE)
    }
    rest = {name: rows for name, rows in tables.items() if name != "BUFFER_PROFILE"}
    return {**rest, "BUFFER_PROFILE": profiles} if profiles else rest


def kept(tables: Tables, patterns: str) -> Tables:
    """Return the unmanaged entries. `patterns`: `TABLE` or `TABLE|key`, one per line."""
    every = [each if "|" in each else f"{each}|~" for each in patterns.split()]
    found = {
        name: {
            key: row
            for key, row in rows.items()
            if any(fits(each, f"{name}|{key}", "|") for each in every)
        }
        for name, rows in tables.items()
        if every
    }
    return {name: rows for name, rows in found.items() if rows}


def ours(tables: Tables, patterns: str = "") -> Tables:
    """Return the managed part of tables. `patterns`: of unmanaged entries.

    Buffer profiles that the switch makes for every speed and cable are excluded, unless a group
    uses them: see `settled`.
    """
    others = kept(tables, patterns)
    mine = {
        name: {
            key: row
            for key, row in _our_rows(name, rows).items()
            if key not in others.get(name, {})
        }
        for name, rows in tables.items()
    }
    used = {str(fields.get("profile")) for fields in tables.get("BUFFER_PG", {}).values()}
    profiles = mine.get("BUFFER_PROFILE", {})
    for key in [key for key in profiles if key.startswith(_MADE) and key not in used]:
        del profiles[key]
    return {name: rows for name, rows in mine.items() if rows}


def _our_rows(name: str, rows: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    if name in NAMED:
        return {key: row for key, row in rows.items() if key.startswith(NAMED_SO)}
    if name not in SHARED:
        return dict(rows)
    keys, fields = SHARED[name]
    mine = {
        key: {field: value for field, value in rows[key].items() if field in fields}
        for key in keys
        if key in rows
    }
    return {key: row for key, row in mine.items() if row}


def target(running: Tables, rendered: Tables, patterns: str = "") -> Tables:
    """Return the target tables: the rendered part, and the unmanaged part unchanged."""
    others = kept(running, patterns)
    wanted = {name: {**others.get(name, {}), **rows} for name, rows in rendered.items() if rows}
    wanted |= {name: rows for name, rows in others.items() if name not in wanted}
    for name in SHARED:
        rows = _merged(name, running.get(name, {}), wanted.get(name, {}))
        wanted = {**wanted, name: rows} if rows else wanted
    for name in NAMED:
        mine = _our_rows(name, running.get(name, {}))
        others = {key: row for key, row in running.get(name, {}).items() if key not in mine}
        if others:
            wanted[name] = {**others, **wanted.get(name, {})}
    own = _made_by_switch(running, wanted)
    if own:
        wanted["BUFFER_PROFILE"] = {**own, **wanted.get("BUFFER_PROFILE", {})}
    return wanted


def _merged(
    name: str, running: Mapping[str, dict[str, Any]], rendered: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    mine = _our_rows(name, running)
    rows = {}
    for key in {*running, *rendered}:
        fields = running.get(key, {})
        kept = {field: fields[field] for field in fields if field not in mine.get(key, {})}
        row = {**kept, **rendered.get(key, {})}
        if row or key in rendered or not fields:
            rows[key] = row
    return rows


def _made_by_switch(running: Tables, wanted: Tables) -> dict[str, dict[str, Any]]:
    """Return the buffer profiles that the switch made in addition to the wanted ones."""
    kept = settled(dict(running), dict(wanted)).get("BUFFER_PROFILE", {})
    return {
        key: fields for key, fields in running.get("BUFFER_PROFILE", {}).items() if key not in kept
    }


def patches(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[list[Step]]:
    """Return the operations as patches for GCU, to apply in order.

    GCU compares both states itself (gu_common.py validate_field_operation), and jsonpatch makes a
    `move` of a removal and an addition of one value, which every guard refuses. So a watchdog is
    removed before another one with the same timers is added.
    """
    steps = patch(before, after)
    added = [step["value"] for step in steps if step["op"] == "add"]
    timers = {f"/{_WATCHDOG}/{port}": row for port, row in before.get(_WATCHDOG, {}).items()}
    first = [step for step in steps if step["op"] == "remove" and timers.get(step["path"]) in added]
    rest = [step for step in steps if step not in first]
    return [some for some in (first, rest) if some]


def patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Step]:
    """Return RFC 6902 operations from one state to the other: by table, then key, then field.

    A table never becomes empty, it is removed completely (GCU: EmptyTableError). GCU sorts the
    operations itself (patch_sorter.py).
    """
    return list(_steps("", before, after))


def _steps(above: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Step]:
    for name in sorted({*before, *after}):
        path = f"{above}/{_escaped(name)}"
        if name not in after:
            yield {"op": "remove", "path": path}
        elif name not in before:
            yield {"op": "add", "path": path, "value": after[name]}
        elif before[name] == after[name]:  # most tables, compared without their paths
            continue
        elif isinstance(before[name], dict) and isinstance(after[name], dict):
            yield from _steps(path, before[name], after[name])
        else:
            yield {"op": "replace", "path": path, "value": after[name]}


def _escaped(word: str) -> str:
    return word.replace("~", "~0").replace("/", "~1")  # RFC 6901
