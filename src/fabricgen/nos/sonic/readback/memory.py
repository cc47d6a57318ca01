"""Read the buffer tables of a config_db.json: headroom, thresholds and queues of a port.

There are two models. In the traditional one, the file has pools, profiles and headroom as they ship
with the hwsku, so they are compared with the catalog. In the dynamic one, the switch computes
headroom from speed, cable and MTU (sonic-swss cfgmgr/buffermgrdyn.cpp), so these inputs are
compared.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.model.catalog.skus import Sku
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.port_qos import PRIORITIES, Cut
from fabricgen.model.lossless.rows import Row as Shipped
from fabricgen.nos.sonic.readback.tables import Row, Table, Tables, by_port, number

ONLY = "AZURE"  # the one key of some tables (sonic-buildimage files/build_templates)
INGRESS_LOSSY, EGRESS_LOSSLESS = "ingress_lossy_profile", "egress_lossless_profile"
INGRESS_POOL = "ingress_lossless_pool"
COMPUTED = "NULL"
_TYPES = {"lossy_pool": "egress"}  # Teralynx: Supermicro_sse_t7132s, buffers_defaults_t1.j2
TRIMMED = "q_lossy_trim_profile"  # sonic-net/SONiC doc/packet_trimming/packet-trimming-design.md
_TRIMMING, _CUT = "SWITCH_TRIMMING", {"size", "dscp_value", "queue_index"}
_HEADROOM = "pg_lossless_"
# The objects of the dynamic model. Pools and profiles: Mellanox-SN5600-V256
# buffers_defaults_objects.j2 (sonic-net/sonic-buildimage@10ae4708).
_DYNAMIC: dict[str, Table] = {
    "BUFFER_POOL": {
        INGRESS_POOL: {"type": "ingress", "mode": "dynamic"},
        "egress_lossless_pool": {"type": "egress", "mode": "dynamic"},
        "egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
    },
    "BUFFER_PROFILE": {
        "ingress_lossless_profile": {"pool": INGRESS_POOL, "size": "0", "dynamic_th": "7"},
        INGRESS_LOSSY: {"pool": INGRESS_POOL, "size": "0", "dynamic_th": "3"},
        EGRESS_LOSSLESS: {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "9216", "dynamic_th": "7"},
        "q_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
    },
    # The largest RoCE payload, and only small packets: the rows of ACS-SN5600 are for that.
    "LOSSLESS_TRAFFIC_PATTERN": {ONLY: {"mtu": "4096", "small_packet_percentage": "100"}},
    "BUFFER_PORT_INGRESS_PROFILE_LIST": {"": {"profile_list": "ingress_lossless_profile"}},
    "BUFFER_PORT_EGRESS_PROFILE_LIST": {
        "": {"profile_list": "egress_lossless_profile,egress_lossy_profile"}
    },
}
_LISTS = "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"
_THRESHOLDS = "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
_PATTERN = "LOSSLESS_TRAFFIC_PATTERN"
_LOOKUP = ("size", "xon", "xoff", "xon_offset")  # columns of pg_profile_lookup.ini, and a threshold


class Memory:
    def __init__(
        self, db: Tables, model: SwitchModel | None, sku: Sku | None, buffer_model: str
    ) -> None:
        self.db, self.dynamic = db, buffer_model == "dynamic"
        self.mapped = model is not None and model.vendor == "NVIDIA"
        self.rows: tuple[Shipped, ...] = sku.rows if sku else ()
        self.pools: Mapping[str, Mapping[str, Any]] = sku.pools if sku else {}
        self.profiles: Mapping[str, Mapping[str, Any]] = sku.profiles if sku else {}
        if model is not None and sku is None:
            db.say(f"hwsku does not belong to {model.name}")
        if sku is not None and self.dynamic != sku.dynamic:
            db.say(f"buffer_model is {buffer_model!r}, which does not fit {sku.name}")
        self.groups, self.queues = by_port(db, "BUFFER_PG"), by_port(db, "BUFFER_QUEUE")
        self.lengths = db["CABLE_LENGTH"].get(ONLY, {})
        self.known = bool(db["BUFFER_POOL"]) or bool(self.pools)

    def told(self, name: str) -> tuple[object, ...]:
        """Return all facts of a port's memory, for comparing ports."""
        lists = [self.db[table].get(name) for table in _LISTS]
        return (self.groups.get(name), self.queues.get(name), self.lengths.get(name), lists)

    def cable(self, name: str) -> int | None:
        length = self.lengths.get(name)
        return number(length[:-1]) if isinstance(length, str) and length.endswith("m") else None

    def headroom(
        self, name: str, megabits: str, faults: list[str]
    ) -> tuple[dict[int, int | None], dict[int, int]]:
        """Return bytes and threshold exponent of each lossless group."""
        sizes: dict[int, int | None] = {}
        alpha: dict[int, int] = {}
        rows = self.groups.get(name, {})
        if 0 not in rows and (rows or self.dynamic):
            faults.append("BUFFER_PG has no row for group 0")
        for group, row in rows.items():
            profile = str(row.get("profile"))
            if row.keys() != {"profile"}:
                faults.append(f"BUFFER_PG of group {group} is {dict(row)}")
            if profile == COMPUTED and self.dynamic:
                default = self.db[_THRESHOLDS].get(ONLY, {}).get("default_dynamic_th")
                sizes[group], threshold = None, default
            elif profile == INGRESS_LOSSY:
                continue
            else:
                own = self.db["BUFFER_PROFILE"].get(profile, {})
                sizes[group], threshold = number(own.get("xoff"), 0), own.get("dynamic_th")
                if profile != f"pg_lossless_{megabits}_{self.cable(name)}m_profile":
                    faults.append(
                        f"group {group} uses {profile}, but the port has {megabits} Mbit/s and "
                        f"{self.lengths.get(name)} of cable"
                    )
            if self.cable(name) is None:
                faults.append(f"group {group} is lossless, but CABLE_LENGTH is missing")
            if threshold is not None:
                alpha[group] = _signed(threshold)
        return sizes, alpha

    def keeps(self, name: str, faults: list[str]) -> frozenset[int]:
        """Return the queues that never drop at egress."""
        rows = self.queues.get(name, {})
        lossy = "q_lossy_profile" if self.dynamic else "egress_lossy_profile"
        odd = {str(row) for row in rows.values()} - {
            str({"profile": profile}) for profile in (lossy, EGRESS_LOSSLESS, TRIMMED)
        }
        faults += [f"BUFFER_QUEUE is {row}" for row in sorted(odd)]
        if (rows or self.dynamic) and set(rows) != set(PRIORITIES):
            faults.append("BUFFER_QUEUE does not have each of the queues 0 to 7 once")
        if self.dynamic and rows:
            for table in _LISTS:
                if self.db[table].get(name) != _DYNAMIC[table][""]:
                    faults.append(f"{table} is {self.db[table].get(name)}")
        return frozenset(q for q, row in rows.items() if row.get("profile") == EGRESS_LOSSLESS)

    def cuts(self, name: str) -> dict[int, Cut]:
        """Return how each queue of a port trims."""
        rows = self.queues.get(name, {})
        told = self.db[_TRIMMING].get("GLOBAL", {})
        values = (number(told.get(field)) for field in ("size", "dscp_value", "queue_index"))
        cut = Cut(*values)
        return {queue: cut for queue, row in rows.items() if row.get("profile") == TRIMMED}

    def trimming(self) -> None:
        """Compare the profile of trimmed queues with the usual one, and with its use."""
        told, own = self.db[_TRIMMING], self.db["BUFFER_PROFILE"].get(TRIMMED)
        used = any(row.get("profile") == TRIMMED for row in self.db["BUFFER_QUEUE"].values())
        if bool(told) != used or used != (own is not None):
            self.db.say(
                f"{_TRIMMING}, BUFFER_PROFILE|{TRIMMED} and BUFFER_QUEUE must be used together"
            )
        if told and (told.keys() != {"GLOBAL"} or told["GLOBAL"].keys() != _CUT):
            self.db.say(f"{_TRIMMING} is {dict(told)}, which is not rendered")
        usual = self.db["BUFFER_PROFILE"].get(
            "q_lossy_profile" if self.dynamic else "egress_lossy_profile", {}
        )
        if own is not None and own != {**usual, "packet_discard_action": "trim"}:
            self.db.say(f"BUFFER_PROFILE|{TRIMMED} is {_shown(own)}")

    def judge(self) -> None:
        """Compare pools, profiles and the inputs of headroom with their sources."""
        self.trimming()
        expected = self.as_dynamic() if self.dynamic else self.as_shipped()
        for table, rows in expected.items():
            own = self.db[table]
            for name in sorted(rows.keys() | {key for key in own if _plain(table, key)}):
                if own.get(name) != rows.get(name):
                    self.db.say(
                        f"{table}|{name} is {_shown(own.get(name))}, "
                        f"the source has {_shown(rows.get(name))}"
                    )
        for name, row in self.db["BUFFER_PROFILE"].items():
            if name.startswith(_HEADROOM):
                self.lossless_profile(name, row)

    def as_dynamic(self) -> dict[str, Table]:
        pools = {
            name: {**row, **({"size": str(pool["size"])} if (pool := self.pools.get(name)) else {})}
            for name, row in _DYNAMIC["BUFFER_POOL"].items()
        }
        expected: dict[str, Table] = {
            "BUFFER_POOL": pools,
            "BUFFER_PROFILE": _DYNAMIC["BUFFER_PROFILE"],
        }
        if any(row.get("profile") == COMPUTED for row in self.db["BUFFER_PG"].values()):
            expected[_PATTERN] = _DYNAMIC[_PATTERN]
            if self.db[_THRESHOLDS].get(ONLY, {}).keys() != {"default_dynamic_th"}:
                self.db.say(f"{_THRESHOLDS} is {dict(self.db[_THRESHOLDS])}")
        return expected

    def as_shipped(self) -> dict[str, Table]:
        pools = {
            name: {"type": _TYPES.get(name, name.partition("_")[0]), **_text(row)}
            for name, row in self.pools.items()
        }
        profiles = {name: _text(row) for name, row in self.profiles.items()}
        return {"BUFFER_POOL": pools, "BUFFER_PROFILE": profiles}

    def lossless_profile(self, name: str, row: Row) -> None:
        """Compare a headroom profile with the vendor's row of that speed and length."""
        mode = str(self.db["BUFFER_POOL"].get(INGRESS_POOL, {}).get("mode"))
        fields = {"pool", "size", "xon", "xoff", f"{mode}_th"}
        if row.keys() - {"xon_offset"} != fields or row["pool"] != INGRESS_POOL:
            self.db.say(f"BUFFER_PROFILE|{name} is {_shown(row)}, a {mode} profile has {fields}")
        shipped = _lookup(self.rows, name)
        for field, value in shipped.items():
            if row.get(field) != value:
                self.db.say(
                    f"BUFFER_PROFILE|{name} has {field} {row.get(field)}, "
                    f"pg_profile_lookup.ini has {value}"
                )
        used = any(group.get("profile") == name for group in self.db["BUFFER_PG"].values())
        if not used:
            self.db.say(f"BUFFER_PROFILE|{name} is unused")


def _text(row: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in row.items()}


def _plain(table: str, name: str) -> bool:
    return table != "BUFFER_PROFILE" or not (name.startswith(_HEADROOM) or name == TRIMMED)


def _signed(text: object) -> int:
    return int(text) if isinstance(text, str) and text.lstrip("-").isdecimal() else 99


def _shown(row: Row | None) -> str:
    return "missing" if row is None else ", ".join(f"{key} {value}" for key, value in row.items())


def _lookup(rows: Iterable[Shipped], name: str) -> dict[str, str | None]:
    """Return the fields of the row for a profile's name; empty without a row."""
    for row in rows:
        if name == f"pg_lossless_{row.speed.megabits}_{row.length}m_profile":
            values = (row.size, row.resume, row.headroom, row.resume_offset)
            return {
                field: None if value is None else str(int(value))
                for field, value in zip(_LOOKUP, values, strict=True)
            }
    return {}
