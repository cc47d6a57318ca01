"""Declare the tables of Redis that a look reads, and the scripts in Redis that read them.

Redis runs a script alone, and orchagent and syncd wait meanwhile. So each script reads named fields
of the objects of one table, as the counter plugins of SONiC do. A script answers each object as the
array of its values in the order of the fields. A missing field is false. CONFIG_DB has secrets,
so no script reads its complete entries.

Database numbers and separators: sonic-swss-common common/database_config.json. Names of tables and
fields: sonic-swss-common common/schema.h, sonic-swss doc/swss-schema.md and orchagent, and the mock
tables of sonic-utilities (tests/mock_tables).
"""

from collections.abc import Mapping
from shlex import quote
from typing import NamedTuple

from fabricgen.nos.questions import Answer, Question, UnreadableError

APPL, ASIC, COUNTERS, CONFIG, STATE = 0, 1, 2, 4, 6

_KEYED = """\
local fields, found, cut = {}, {}, tonumber(ARGV[2]) + 1
for at = 3, #ARGV do fields[at - 2] = ARGV[at] end
for _, key in ipairs(redis.call("keys", ARGV[1])) do
  found[key:sub(cut)] = redis.call("hmget", key, unpack(fields))
end
return cjson.encode(found)"""
_MAPPED = """\
local fields, found = {}, {}
for at = 5, #ARGV do fields[at - 4] = ARGV[at] end
local flat = redis.call("hgetall", ARGV[1])
redis.call("select", ARGV[2])
for at = 1, #flat, 2 do
  if flat[at]:match(ARGV[4]) then
    local row = redis.call("hmget", ARGV[3] .. flat[at + 1], unpack(fields))
    for _, value in ipairs(row) do
      if value and value ~= "oid:0x0" then found[flat[at]] = row end
    end
  end
end
return cjson.encode(found)"""
# Routes of all VRFs are in one table, and a key is JSON with the OID of the VRF. The sampled
# prefixes are looked up in each of the few VRFs, so no route is listed.
_PROGRAMMED = """\
local found, switch, routers = {}, nil, {}
for _, key in ipairs(redis.call("keys", "ASIC_STATE:SAI_OBJECT_TYPE_SWITCH:*")) do
  switch = key:match("oid:.*")
end
for _, key in ipairs(redis.call("keys", "ASIC_STATE:SAI_OBJECT_TYPE_VIRTUAL_ROUTER:*")) do
  routers[#routers + 1] = key:match("oid:.*")
end
if not switch or #routers == 0 then return redis.error_reply("ASIC_DB has no switch") end
for _, prefix in ipairs(ARGV) do
  found[prefix] = false
  for _, router in ipairs(routers) do
    local key = "{\\"dest\\":\\"" .. prefix .. "\\",\\"switch_id\\":\\"" .. switch
    key = "ASIC_STATE:SAI_OBJECT_TYPE_ROUTE_ENTRY:" .. key .. "\\",\\"vr\\":\\"" .. router .. "\\"}"
    if redis.call("exists", key) == 1 then found[prefix] = true end
  end
end
return cjson.encode(found)"""
_CLOCK = 'return cjson.encode(redis.call("time"))'

Row = Mapping[str, str]
"""Present fields of one object. A field that the switch does not have, or `N/A`, is absent."""
Rows = Mapping[str, Row]


class Table(NamedTuple):
    """One table. `key`: name of its answer. `place`: its name for people.

    Attributes:
        pattern: Keys of the table, or the hash that maps names to OIDs.
        fields: The fields that are read.
        objects: Beginning of the keys by OID. Empty if `pattern` selects the keys.
        names: Lua pattern of the mapped names.
        slow: Whether a fast look omits it.
    """

    key: str
    database: int
    pattern: str
    fields: tuple[str, ...]
    objects: str = ""
    within: int = COUNTERS
    names: str = "."
    slow: bool = False

    @property
    def place(self) -> str:
        name = _NAMES[self.within if self.objects else self.database]
        return f"{name} {self.objects}*" if self.objects else f"{name} {self.pattern}"

    def question(self, parts: tuple[str, ...]) -> Question:
        """Return the command that runs the script in Redis. `parts`: those that it serves."""
        if self.objects:
            script = _MAPPED
            about = [self.pattern, str(self.within), self.objects, self.names]
        else:
            cut = len(self.pattern[:-1]) if self.pattern.endswith((":*", "|*")) else 0
            cut = cut or self.pattern.find("Ethernet") if "Ethernet*" in self.pattern else cut
            script, about = _KEYED, [self.pattern, str(cut)]
        line = evaluated(self.database, script, *about, *self.fields)
        return Question(self.key, line, slow=self.slow, parts=parts)

    def rows(self, answer: Answer) -> Rows:
        """Return the objects in an answer."""
        found: dict[str, Row] = {}
        for name, values in answer.document({}).items():
            if not isinstance(values, list) or len(values) != len(self.fields):
                raise UnreadableError(f"{self.place} {_short(name)} has other fields")
            present = zip(self.fields, values, strict=True)
            found[name] = {
                key: value
                for key, value in present
                if isinstance(value, str) and value not in ("", "N/A")
            }
        return found


def evaluated(database: int, script: str, *words: str) -> str:
    """Return the command for a script in Redis."""
    told = "".join(f" {quote(word)}" for word in words)
    return f"redis-cli -n {database} EVAL '{script}' 0{told}"


def programmed(prefixes: tuple[str, ...], part: str) -> Question:
    """Return the question for the sampled prefixes in the ASIC."""
    return Question("asic_routes", evaluated(ASIC, _PROGRAMMED, *prefixes), parts=(part,))


CLOCK = Question("clock", evaluated(COUNTERS, _CLOCK))
_NAMES = {
    APPL: "APPL_DB",
    ASIC: "ASIC_DB",
    COUNTERS: "COUNTERS_DB",
    CONFIG: "CONFIG_DB",
    STATE: "STATE_DB",
}
_SAI = "ASIC_STATE:SAI_OBJECT_TYPE_"
_LOW = ":[0-7]$"  # queues of unicast and priority groups; the design has no others


def _short(name: object) -> str:
    return repr(str(name)[:60])


def _each(form: str, numbers: range) -> tuple[str, ...]:
    return tuple(form.format(number) for number in numbers)


METADATA = Table(
    "metadata", CONFIG, "DEVICE_METADATA|localhost", ("hostname", "hwsku", "buffer_model")
)
EEPROM = Table("eeprom", STATE, "EEPROM_INFO|0x2[13]", ("Name", "Value"))
PORTS = Table(
    "ports",
    APPL,
    "PORT_TABLE:Ethernet*",
    ("admin_status", "oper_status", "speed", "mtu", "flap_count"),
)
AGREED = Table("agreed", STATE, "PORT_TABLE|Ethernet*", ("speed", "fec"))
ADDRESSES = Table("addresses", APPL, "INTF_TABLE:*", ("vrf_name",))
VRFS = Table("vrf_table", STATE, "VRF_TABLE|*", ("state",))
VRF_OBJECTS = Table("vrf_objects", STATE, "VRF_OBJECT_TABLE|*", ("state",))
LAGS = Table("lags", APPL, "LAG_TABLE:*", ("admin_status", "oper_status", "mtu"))
MEMBERS = Table("members", APPL, "LAG_MEMBER_TABLE:*", ("status",))
LACP = Table(
    "lacp", STATE, "LAG_MEMBER_TABLE|*", ("runner.selected", "runner.state", "ifinfo.link.up")
)
PAIRS = Table("pairs", STATE, "MCLAG_TABLE|*", ("oper_status",))
DOMAINS = Table("domains", CONFIG, "MCLAG_DOMAIN|*", ("peer_ip",))
VLANS = Table("vlans", STATE, "VLAN_TABLE|*", ("state",))
CARRIED = Table("carried", APPL, "VLAN_MEMBER_TABLE:*", ("tagging_mode",))
TUNNELS = Table("tunnels", APPL, "VXLAN_TUNNEL_TABLE:*", ("src_ip",))
MAPPED = Table("mapped", APPL, "VXLAN_TUNNEL_MAP_TABLE:*", ("vlan", "vni"))
FLOODS = Table("vteps", APPL, "VXLAN_REMOTE_VNI_TABLE:*", ("vni",))
ACLS = Table("acls", STATE, "ACL_RULE_TABLE|*", ("status",))

_PORT_MAPS = ("DSCP_TO_TC", "TC_TO_QUEUE", "TC_TO_PRIORITY_GROUP", "PFC_PRIORITY_TO_QUEUE")
PORT_ATTRIBUTES = tuple(f"SAI_PORT_ATTR_QOS_{name}_MAP" for name in _PORT_MAPS)
PAUSED = "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"
ASIC_PORTS = Table(
    "asic_ports",
    COUNTERS,
    "COUNTERS_PORT_NAME_MAP",
    (PAUSED, f"{PAUSED}_RX", f"{PAUSED}_TX", *PORT_ATTRIBUTES),
    f"{_SAI}PORT:",
    ASIC,
    "^Ethernet",
)
ASIC_MAPS = Table("asic_maps", ASIC, f"{_SAI}QOS_MAP:*", ("SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",))
ASIC_QUEUES = Table(
    "asic_queues",
    COUNTERS,
    "COUNTERS_QUEUE_NAME_MAP",
    ("SAI_QUEUE_ATTR_WRED_PROFILE_ID",),
    f"{_SAI}QUEUE:",
    ASIC,
    _LOW,
)
ASIC_WRED = Table(
    "asic_wred",
    ASIC,
    f"{_SAI}WRED:*",
    (
        "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD",
        "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD",
        "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY",
        "SAI_WRED_ATTR_ECN_MARK_MODE",
    ),
)
ASIC_GROUPS = Table(
    "asic_groups",
    COUNTERS,
    "COUNTERS_PG_NAME_MAP",
    ("SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE",),
    f"{_SAI}INGRESS_PRIORITY_GROUP:",
    ASIC,
    _LOW,
)
ASIC_PROFILES = Table(
    "asic_profiles",
    ASIC,
    f"{_SAI}BUFFER_PROFILE:*",
    ("SAI_BUFFER_PROFILE_ATTR_XOFF_TH", "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH"),
)
ASIC_POOLS = Table(
    "asic_pools",
    COUNTERS,
    "COUNTERS_BUFFER_POOL_NAME_MAP",
    ("SAI_BUFFER_POOL_ATTR_SIZE", "SAI_BUFFER_POOL_ATTR_XOFF_SIZE"),
    f"{_SAI}BUFFER_POOL:",
    ASIC,
)
ASIC_SCHEDULERS = Table(
    "asic_schedulers",
    ASIC,
    f"{_SAI}SCHEDULER:*",
    ("SAI_SCHEDULER_ATTR_SCHEDULING_TYPE", "SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT"),
)
QUEUES = Table("queues", CONFIG, "QUEUE|Ethernet*", ("scheduler",))
SCHEDULERS = Table("schedulers", CONFIG, "SCHEDULER|*", ("type", "weight"))
POLLS = Table("polls", CONFIG, "FLEX_COUNTER_TABLE|*", ("FLEX_COUNTER_STATUS", "POLL_INTERVAL"))

_STAT = "SAI_PORT_STAT_"
PORT_STATS = {
    "octets-received": f"{_STAT}IF_IN_OCTETS",
    "octets-sent": f"{_STAT}IF_OUT_OCTETS",
    "receive-errors": f"{_STAT}IF_IN_ERRORS",
    "transmit-errors": f"{_STAT}IF_OUT_ERRORS",
    "oversize": f"{_STAT}ETHER_RX_OVERSIZE_PKTS",
    "fcs-errors": f"{_STAT}DOT3_STATS_FCS_ERRORS",
    "symbol-errors": f"{_STAT}DOT3_STATS_SYMBOL_ERRORS",
    "fec-corrected": f"{_STAT}IF_IN_FEC_CORRECTABLE_FRAMES",
    "fec-uncorrected": f"{_STAT}IF_IN_FEC_NOT_CORRECTABLE_FRAMES",
    "link-pause-received": f"{_STAT}PAUSE_RX_PKTS",
    "link-pause-sent": f"{_STAT}PAUSE_TX_PKTS",
}
PRIORITY_STATS = {
    "pause-received": f"{_STAT}PFC_{{}}_RX_PKTS",
    "pause-sent": f"{_STAT}PFC_{{}}_TX_PKTS",
    "paused-time": "EST_PORT_STAT_PFC_{}_RX_PAUSE_DURATION_US",
}
PORT_COUNTERS = Table(
    "port_counters",
    COUNTERS,
    "COUNTERS_PORT_NAME_MAP",
    (
        *PORT_STATS.values(),
        *(field for form in PRIORITY_STATS.values() for field in _each(form, range(8))),
    ),
    "COUNTERS:",
    names="^Ethernet",
)
RATES = Table(
    "rates",
    COUNTERS,
    "COUNTERS_PORT_NAME_MAP",
    ("RX_BPS", "TX_BPS", "FEC_PRE_BER"),
    "RATES:",
    names="^Ethernet",
)
QUEUE_STATS = {
    "queue-packets": "SAI_QUEUE_STAT_PACKETS",
    "queue-drops": "SAI_QUEUE_STAT_DROPPED_PACKETS",
    "ecn-marked": "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS",
    "queue-peak": "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES",
    "watchdog-storms": "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED",
    "watchdog-restored": "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED",
}
WATCHES = ("PFC_WD_STATUS", "PFC_WD_ACTION", "PFC_WD_DETECTION_TIME", "PFC_WD_RESTORATION_TIME")
OFF = "BIG_RED_SWITCH_MODE"
QUEUE_COUNTERS = Table(
    "queue_counters",
    COUNTERS,
    "COUNTERS_QUEUE_NAME_MAP",
    (*QUEUE_STATS.values(), *WATCHES, OFF),
    "COUNTERS:",
    names=_LOW,
)
_GROUP = "SAI_INGRESS_PRIORITY_GROUP_STAT_"
GROUP_STATS = {
    "group-drops": f"{_GROUP}DROPPED_PACKETS",
    "group-peak": f"{_GROUP}SHARED_WATERMARK_BYTES",
    "headroom-peak": f"{_GROUP}XOFF_ROOM_WATERMARK_BYTES",
}
GROUP_COUNTERS = Table(
    "group_counters",
    COUNTERS,
    "COUNTERS_PG_NAME_MAP",
    tuple(GROUP_STATS.values()),
    "COUNTERS:",
    names=_LOW,
)
POOL_STATS = {
    "pool-peak": "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES",
    "pool-headroom-peak": "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES",
}
POOL_COUNTERS = Table(
    "pool_counters",
    COUNTERS,
    "COUNTERS_BUFFER_POOL_NAME_MAP",
    tuple(POOL_STATS.values()),
    "COUNTERS:",
)
RESOURCES = (
    *("ipv4_route", "ipv6_route", "ipv4_nexthop", "ipv6_nexthop", "ipv4_neighbor"),
    *("ipv6_neighbor", "nexthop_group", "nexthop_group_member", "fdb_entry"),
)
CAPACITY = Table(
    "capacity",
    COUNTERS,
    "CRM:STATS",
    tuple(f"crm_stats_{name}_{side}" for name in RESOURCES for side in ("used", "available")),
)
FANS = Table("fans", STATE, "FAN_INFO|*", ("presence", "status"))
SUPPLIES = Table("supplies", STATE, "PSU_INFO|*", ("presence", "status"))
TEMPERATURES = Table("temperatures", STATE, "TEMPERATURE_INFO|*", ("warning_status",))
MODULES = Table("modules", STATE, "TRANSCEIVER_INFO|Ethernet*", ("model", "manufacturer", "serial"))
_LANES = range(1, 9)
LIGHT = Table(
    "light",
    STATE,
    "TRANSCEIVER_DOM_SENSOR|Ethernet*",
    ("temperature", *_each("rx{}power", _LANES), *_each("tx{}power", _LANES)),
)
LIMITS = Table(
    "light_limits",
    STATE,
    "TRANSCEIVER_DOM_THRESHOLD|Ethernet*",
    ("rxpowerlowwarning", "rxpowerlowalarm", "temphighalarm"),
    slow=True,
)
WARMTH = Table("warmth", STATE, "TRANSCEIVER_DOM_TEMPERATURE|Ethernet*", ("temperature",))
CLOCKS = Table("ntp", CONFIG, "NTP|global", ("vrf",))
CLOCK_SERVERS = Table("ntp_servers", CONFIG, "NTP_SERVER|*", ("association_type",))
LOGS = Table("syslog_servers", CONFIG, "SYSLOG_SERVER|*", ("vrf",))
RESOLVERS = Table("dns_servers", CONFIG, "DNS_NAMESERVER|*", ("NULL",))
