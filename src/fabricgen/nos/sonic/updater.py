"""Two states of CONFIG_DB in; what SONiC's generic config updater (GCU) refuses of the change out.

Before it begins, GCU asks a validator about each step that touches a guarded table: sonic-utilities
generic_config_updater/{gu_common,field_operation_validators}.py (validate_field_operation) with the
data of gcu_field_operation_validators.conf.json, of branches 202405 to 202605 and master as they
stood in August 2026. What the switch's own STATE_DB decides (FEC and speed of a port) and what YANG
refuses is not known here.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fabricgen.nos.sonic.driver.onswitch.tables import Step, Tables, patches

REPLACE = frozenset({"replace"})
ANY = frozenset({"add", "remove", "replace"})


class Guard(NamedTuple):
    """What may change of a table, by field and operation.

    exact: a field counts with the words before it that have no digit, as in `global/poll_interval`;
    otherwise by its own name alone. whole: entries may come and go.
    """

    fields: Mapping[str, frozenset[str]]
    exact: bool = True
    whole: bool = False


def _fields(names: str, operations: frozenset[str] = REPLACE) -> dict[str, frozenset[str]]:
    return dict.fromkeys(names.split(), operations)


_WATCHDOG = _fields("restoration_time detection_time action global/poll_interval", ANY) | {"": ANY}
_POOL = _fields("ingress_lossless_pool/xoff ingress_lossless_pool/size egress_lossy_pool/size")
_GREEN = ("green_min_threshold", "green_max_threshold", "green_drop_probability")
_TRIM = {"packet_discard_action": frozenset({"add", "replace"})}
_OLDEST = {
    "PFC_WD": Guard(_WATCHDOG),
    "BUFFER_POOL": Guard(_POOL),
    "BUFFER_PROFILE": Guard(_fields("dynamic_th xoff")),
    "WRED_PROFILE": Guard({f"azure_lossless/{name}": REPLACE for name in _GREEN}),
}
_202505 = {**_OLDEST, "WRED_PROFILE": Guard(dict.fromkeys(_GREEN, REPLACE), exact=False)}
_NEWEST = {
    "PFC_WD": Guard(_WATCHDOG | {"pfc_stat_history": ANY}),
    "BUFFER_POOL": Guard({}),
    "BUFFER_PROFILE": Guard(_fields("dynamic_th xoff") | _TRIM, exact=False, whole=True),
}
GUARDS: Mapping[str, Mapping[str, Guard]] = {
    "202405": _OLDEST,
    "202411": _OLDEST,
    "202505": _202505,
    **dict.fromkeys(("202511", "202605", "master"), _NEWEST),
}
"""The ASICs of the hwskus below are in the list of every one of these rows."""

ILLEGAL: tuple[tuple[str, ...], ...] = (
    ("PFC_WD", "GLOBAL", "POLL_INTERVAL"),
    ("PFC_WD", "GLOBAL"),
    ("LOOPBACK_INTERFACE", "Loopback0"),
)
"""What may never be removed: gu_common.py, illegal_operations_to_fields_map."""

_KNOWN = frozenset(
    (
        *(f"Arista-7050CX3-32S-{ports}" for ports in ("C28S4", "C32", "D48C8")),
        "Nokia-IXR7220-H5-64D",
        "ACS-MSN3700",
        "ACS-MSN4700",
        *(f"Mellanox-SN4700-{ports}" for ports in ("A96C8V8", "C128", "O28", "O32")),
        *(f"Mellanox-SN4700-{ports}" for ports in ("O8C48", "O8V48", "V48C32", "V64")),
        "ACS-SN5600",
        *(f"Mellanox-SN5600-{ports}" for ports in ("C224O8", "C256S1", "O128", "V256")),
    )
)
"""Of the platforms in our catalog; of others the ASIC is `unknown`, so all guards say no."""


class Refused(NamedTuple):
    """A step that GCU does not take. place: table, entry and field, as far as the step goes."""

    place: tuple[str, ...]
    operation: str
    why: str


def hwsku_of(tables: Tables) -> str:
    """Return the hwsku that CONFIG_DB says; empty when none."""
    return str(tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("hwsku", ""))


def knows_asic(hwsku: str, release: str) -> bool:
    """Tell whether GCU knows the ASIC of an hwsku of our catalog (helper_data of the same file)."""
    if hwsku.startswith("Arista-7060X6-64PE"):
        return release >= "202411"  # `master` sorts behind all of them
    return hwsku in _KNOWN


def refused(before: Tables, after: Tables, release: str) -> Iterator[Refused]:
    """Yield what GCU of a release refuses; the hwsku is that of the running state."""
    for steps in patches(before, after):
        yield from _refused(before, steps, release)


def _refused(before: Tables, steps: Sequence[Step], release: str) -> Iterator[Refused]:
    """Judge one patch, with the moves that jsonpatch makes of it."""
    hwsku = hwsku_of(before)
    gone = [_value(before, _place(step)) for step in steps if step["op"] == "remove"]
    for step in steps:
        place, operation = _place(step), str(step["op"])
        if operation == "add" and step["value"] in gone:
            operation = "move"
        if why := _why(place, operation, step, hwsku, release):
            yield Refused(place, operation, why)


def _why(place: tuple[str, ...], operation: str, step: Step, hwsku: str, release: str) -> str:
    guard = GUARDS[release].get(place[0])
    if operation == "remove" and place in ILLEGAL:
        return "it may never be removed"
    if guard is None or (guard.whole and len(place) < 3 and operation in ANY):
        return ""
    if not knows_asic(hwsku, release):
        return f"it does not know the ASIC of hwsku {hwsku}"
    if operation == "move":
        return f"what goes from {place[0]} comes again under another name, which it takes as a move"
    if all(operation in guard.fields.get(name, ()) for name in _names(place, step, guard)):
        return ""
    return f"of {place[0]} it takes {_taken(guard.fields)}"


def _taken(fields: Collection[str]) -> str:
    return f"no more than {', '.join(sorted(filter(None, fields)))}" if fields else "no change"


def _names(place: tuple[str, ...], step: Step, guard: Guard) -> list[str]:
    """Return the fields of a step as the validator names them."""
    value = step.get("value")
    inside = list(value) if isinstance(value, dict) else []
    if not guard.exact:
        return inside or [place[-1]]
    above = "/".join(word for word in place[1:] if not any(map(str.isdigit, word))).lower()
    return [f"{above}/{name}".strip("/") for name in inside] or [above]


def _place(step: Step) -> tuple[str, ...]:
    words = str(step["path"])[1:].split("/")
    return tuple(word.replace("~1", "/").replace("~0", "~") for word in words)


def _value(tables: Tables, place: tuple[str, ...]) -> Any:
    value: Any = tables
    for word in place:
        value = value[word]
    return value
