"""Read counters of ports and priority groups, and MC-LAG pairs, from the databases directly.

`portstat`, `pfcstat` and `pg-drop` subtract the values that this account saved when it last cleared
them (sonic-utilities utilities_common/cli.py, UserCache). Nothing clears COUNTERS_DB. One script in
Redis reads named fields of named objects, as the counter plugins of SONiC do. Numbers of databases:
sonic-swss-common common/database_config.json. Names of fields: sonic-utilities
utilities_common/portstat.py, scripts/pfcstat and scripts/pg-drop. MCLAG_TABLE of STATE_DB:
sonic-net/SONiC doc/mclag/MCLAG_Enhancements_HLD.md 3.2.3.1.
"""

from collections.abc import Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.nos.shared.documents import UnreadableError

_ERRORS = {
    "RX_ERR": "IF_IN_ERRORS",
    "RX_OVR": "ETHER_RX_OVERSIZE_PKTS",
    "TX_ERR": "IF_OUT_ERRORS",
    "TX_OVR": "ETHER_TX_OVERSIZE_PKTS",
}
"""By portstat's names. Discards (RX_DRP, TX_DRP) also count intended drops of a healthy port."""
_WAYS = {"received": "RX", "sent": "TX"}
_PAUSES = {
    (number, way): f"PFC_{number}_{word}_PKTS" for way, word in _WAYS.items() for number in range(8)
}
_STATE = ("admin_status", "oper_status")
FIELDS = (*_ERRORS.values(), *_PAUSES.values())
_DROPPED = "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"
_APPL_DB, _COUNTERS_DB, _STATE_DB = 0, 2, 6


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)


_ASKED = _quoted(tuple(f"SAI_PORT_STAT_{field}" for field in FIELDS))
_SCRIPT = f"""\
local function map(key)
  local flat, found = redis.call("hgetall", key), {{}}
  for at = 1, #flat, 2 do found[flat[at]] = flat[at + 1] end
  return found
end
redis.call("select", {_COUNTERS_DB})
local ports, groups, states = {{}}, {{}}, {{}}
for name, oid in pairs(map("COUNTERS_PORT_NAME_MAP")) do
  ports[name] = redis.call("hmget", "COUNTERS:" .. oid, {_ASKED})
end
for name, oid in pairs(map("COUNTERS_PG_NAME_MAP")) do
  groups[name] = redis.call("hget", "COUNTERS:" .. oid, "{_DROPPED}")
end
redis.call("select", {_APPL_DB})
for name, _ in pairs(ports) do
  states[name] = redis.call("hmget", "PORT_TABLE:" .. name, {_quoted(_STATE)})
end
redis.call("select", {_STATE_DB})
local pairs_up = {{}}
for _, key in ipairs(redis.call("keys", "MCLAG_TABLE|*")) do
  pairs_up[key] = redis.call("hget", key, "oper_status")
end
return cjson.encode({{ports = ports, groups = groups, states = states, pairs = pairs_up}})"""
COMMAND = f"redis-cli -n {_COUNTERS_DB} EVAL '{_SCRIPT}' 0"


@record(kw_only=True)
class Counters:
    """Counters of the ports. links: whether each port that is not shut is up.

    Attributes:
        errors: By port and portstat's name.
        pauses: PFC frames by port, priority and direction.
        drops: By port and priority group. A counter that the SAI lacks is absent.
        formed: MC-LAG domains whose leafs have a session.
    """

    links: Mapping[str, bool]
    errors: Mapping[str, int]
    pauses: Mapping[tuple[str, int, str], int]
    drops: Mapping[tuple[str, int], int]
    formed: frozenset[str] = frozenset()


NOTHING = Counters(links={}, errors={}, pauses={}, drops={})


def counters(shown: Mapping[str, Any]) -> Counters:
    """Return the counters in the output of the script."""
    ports, groups = shown["ports"], shown["groups"]
    if not ports:
        raise UnreadableError("COUNTERS_DB names no port")
    stats = {port: dict(zip(FIELDS, row, strict=True)) for port, row in ports.items()}
    states = {port: dict(zip(_STATE, row, strict=True)) for port, row in shown["states"].items()}
    return Counters(
        links={
            port: row["oper_status"] == "up"
            for port, row in states.items()
            if row["admin_status"] == "up"
        },
        errors={
            f"{port} {name}": int(row[field])
            for port, row in stats.items()
            for name, field in _ERRORS.items()
            if _counted(row[field])
        },
        pauses={
            (port, number, way): int(row[field])
            for port, row in stats.items()
            for (number, way), field in _PAUSES.items()
            if _counted(row[field])
        },
        drops={
            (port, int(number)): int(count)
            for name, count in groups.items()
            for port, _, number in [name.partition(":")]
            if _counted(count)
        },
        formed=frozenset(
            key.partition("|")[2] for key, status in shown["pairs"].items() if status == "up"
        ),
    )


def _counted(value: object) -> bool:
    """Return whether a counter exists. Without the field it is false; the SAI may answer N/A."""
    return value is not False and value != "N/A"
