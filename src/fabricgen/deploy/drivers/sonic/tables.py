"""CONFIG_DB as it runs and as it was rendered in; the tables it shall have, and the patch, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.deploy.drivers.sonic.switch.ground import own, settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Tables = dict[str, dict[str, dict[str, Any]]]
Step = dict[str, Any]

# Tables whose entries the image fills, too: `config reload` and the first boot merge
# files/build_templates/init_cfg.json.j2 (sonic-buildimage) into what is loaded. Fields and keys
# that were not rendered keep their values there.
SHARED = ("BANNER_MESSAGE", "DEVICE_METADATA", "FLEX_COUNTER_TABLE", "NTP")

# What else platforms/sonic renders; one that is not rendered any more is taken away as a whole.
WHOLE = (
    "BREAKOUT_CFG",
    "BUFFER_PG",
    "BUFFER_POOL",
    "BUFFER_PROFILE",
    "BUFFER_QUEUE",
    "CABLE_LENGTH",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "DEVICE_NEIGHBOR",
    "DEVICE_NEIGHBOR_METADATA",
    "DNS_NAMESERVER",
    "DNS_OPTIONS",
    "DSCP_TO_TC_MAP",
    "GNMI",
    "INTERFACE",
    "LOOPBACK_INTERFACE",
    "LOSSLESS_TRAFFIC_PATTERN",
    "MAP_PFC_PRIORITY_TO_QUEUE",
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
    "QUEUE",
    "SAG",
    "SCHEDULER",
    "SNMP",
    "SNMP_AGENT_ADDRESS_CONFIG",
    "SNMP_COMMUNITY",
    "SWITCH_HASH",
    "SYSLOG_SERVER",
    "TC_TO_PRIORITY_GROUP_MAP",
    "TC_TO_QUEUE_MAP",
    "VLAN",
    "VLAN_INTERFACE",
    "VLAN_MEMBER",
    "VRF",
    "VXLAN_EVPN_NVO",
    "VXLAN_TUNNEL",
    "VXLAN_TUNNEL_MAP",
    "WRED_PROFILE",
)
OWNED = sorted((*SHARED, *WHOLE))


def owned(running: Mapping[str, Any]) -> Tables:
    """Return the tables that are ours."""
    return own(dict(running), OWNED)


def target(running: Tables, rendered: Tables, *, exact: bool = False) -> Tables:
    """Return what our tables shall hold. exact: nothing of the image's survives, either.

    What the buffer manager made stays: see `settled`.
    """
    wanted = {name: dict(rows) for name, rows in rendered.items() if rows}
    if not exact:
        for name in SHARED:
            rows = {**running.get(name, {}), **wanted.get(name, {})}
            merged = {key: {**running.get(name, {}).get(key, {}), **rows[key]} for key in rows}
            wanted = {**wanted, name: merged} if merged else wanted
    made = made_by_switch(running, wanted)
    if made:
        wanted["BUFFER_PROFILE"] = {**made, **wanted.get("BUFFER_PROFILE", {})}
    return wanted


def made_by_switch(running: Tables, wanted: Tables) -> dict[str, dict[str, Any]]:
    """Return the buffer profiles that the switch made beside those that are wanted."""
    kept = settled(dict(running), dict(wanted)).get("BUFFER_PROFILE", {})
    return {
        key: fields for key, fields in running.get("BUFFER_PROFILE", {}).items() if key not in kept
    }


def patch(before: Tables, after: Tables) -> list[Step]:
    """Return RFC 6902 operations from one state to the other: by table, then key, then field.

    A table never becomes empty: it goes as a whole (GCU: EmptyTableError). GCU brings the
    operations in an order of its own (patch_sorter.py).
    """
    return [step for name in sorted({*before, *after}) for step in _table(name, before, after)]


def _table(name: str, before: Tables, after: Tables) -> Iterator[Step]:
    path = f"/{_escaped(name)}"
    if name not in before:
        yield {"op": "add", "path": path, "value": after[name]}
    elif name not in after:
        yield {"op": "remove", "path": path}
    else:
        for key in sorted({*before[name], *after[name]}):
            yield from _entry(
                f"{path}/{_escaped(key)}", before[name].get(key), after[name].get(key)
            )


def _entry(
    path: str, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> Iterator[Step]:
    if before == after:
        return
    if after is None:
        yield {"op": "remove", "path": path}
    elif before is None:
        yield {"op": "add", "path": path, "value": after}
    else:
        for field in sorted({*before, *after}):
            place = f"{path}/{_escaped(field)}"
            if field not in after:
                yield {"op": "remove", "path": place}
            elif field not in before:
                yield {"op": "add", "path": place, "value": after[field]}
            elif before[field] != after[field]:
                yield {"op": "replace", "path": place, "value": after[field]}


def _escaped(word: str) -> str:
    return word.replace("~", "~0").replace("/", "~1")  # RFC 6901
