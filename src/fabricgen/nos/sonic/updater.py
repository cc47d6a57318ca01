"""Report what SONiC's generic config updater (GCU) refuses of a change between two CONFIG_DBs.

Before a change, GCU runs a validator for each step that touches a guarded table. The validators are
sonic-utilities generic_config_updater/{gu_common,field_operation_validators}.py
(validate_field_operation) with gcu_field_operation_validators.conf.json. updater_asics.csv and
updater_fields.csv have that data of each release as of August 2026. This module does not know the
decisions of the switch's own STATE_DB (FEC and speed of a port) and of YANG.
"""

import csv
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from fabricgen.nos.sonic.driver.onswitch.tables import Step, Tables, patches

ANY = frozenset({"add", "remove", "replace"})


class Guard(NamedTuple):
    """Permitted changes of a table on an ASIC, by field and operation.

    `exact`: a field is matched with the words before it that have no digit, as
    `global/poll_interval`; otherwise by its name alone. `whole`: entries may be added and removed
    on every ASIC.
    """

    fields: Mapping[str, frozenset[str]]
    exact: bool
    whole: bool


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = (files(__package__) / name).read_text()
    return csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))


@cache
def _lists(release: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the maker and the hwskus of each ASIC in a release's list."""
    return {
        row["asic"]: (row["maker"], tuple(row["hwskus"].lower().split()))
        for row in _rows("updater_asics.csv")
        if release in row["releases"].split()
    }


@cache
def asic_of(hwsku: str, release: str) -> str:
    """Return GCU's ASIC of an hwsku: get_asic_name(). Empty if unknown."""
    own = hwsku.lower()
    for asic, (maker, names) in _lists(release).items():
        if own in names if maker == "mellanox" else any(name in own for name in names):
            return asic
    return ""


@cache
def guards(release: str, asic: str) -> dict[str, Guard]:
    """Return the guarded tables of a release, and the permitted changes on an ASIC."""
    fields: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    validators: dict[str, str] = {}
    for row in _rows("updater_fields.csv"):
        if release not in row["releases"].split():
            continue
        table = row["table"]
        validators[table] = row["validator"]
        if asic in row["asics"].split():
            taken = frozenset(row["operations"].split())
            fields[table].update(dict.fromkeys(row["fields"].split("|"), taken))
    return {
        table: Guard(fields[table], exact=word == "rdma", whole=word == "buffer_profile")
        for table, word in validators.items()
    }


ILLEGAL: tuple[tuple[str, ...], ...] = (
    ("PFC_WD", "GLOBAL", "POLL_INTERVAL"),
    ("PFC_WD", "GLOBAL"),
    ("LOOPBACK_INTERFACE", "Loopback0"),
)
"""Fields that may never be removed: gu_common.py, illegal_operations_to_fields_map."""


class Refused(NamedTuple):
    """A step that GCU refuses. `place`: table, entry and field, as far as the step has them."""

    place: tuple[str, ...]
    operation: str
    why: str


def hwsku_of(tables: Tables) -> str:
    """Return the hwsku in CONFIG_DB; empty without one."""
    return str(tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("hwsku", ""))


def takes_watchdogs(hwsku: str, release: str) -> bool:
    """Return whether GCU accepts a new port's watchdog on this hwsku."""
    return bool(guards(release, asic_of(hwsku, release))["PFC_WD"].fields)


def refused(before: Tables, after: Tables, release: str) -> Iterator[Refused]:
    """Yield the steps that GCU of a release refuses, for the hwsku of the running state."""
    for steps in patches(before, after):
        yield from _refused(before, steps, release)


def _refused(before: Tables, steps: Sequence[Step], release: str) -> Iterator[Refused]:
    """Check one patch, with the moves that jsonpatch makes."""
    hwsku = hwsku_of(before)
    gone = [_value(before, _place(step)) for step in steps if step["op"] == "remove"]
    for step in steps:
        place, operation = _place(step), str(step["op"])
        if operation == "add" and step["value"] in gone:
            operation = "move"
        if why := _why(place, operation, step, hwsku, release):
            yield Refused(place, operation, why)


def _why(place: tuple[str, ...], operation: str, step: Step, hwsku: str, release: str) -> str:
    asic = asic_of(hwsku, release)
    guard = guards(release, asic).get(place[0])
    if operation == "remove" and place in ILLEGAL:
        return "it can never be removed"
    if guard is None or (guard.whole and len(place) < 3 and operation in ANY):
        return ""
    if not asic:
        return f"the ASIC of hwsku {hwsku} is unknown to it"
    if operation == "move":
        return f"a value of {place[0]} gets another name, which it treats as a move"
    if all(operation in guard.fields.get(name, ()) for name in _names(place, step, guard)):
        return ""
    return f"in {place[0]} it accepts {_taken(guard.fields)} on {asic}"


def _taken(fields: Collection[str]) -> str:
    return f"only {', '.join(sorted(filter(None, fields)))}" if fields else "no change"


def _names(place: tuple[str, ...], step: Step, guard: Guard) -> list[str]:
    """Return the fields of a step in the validator's form."""
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
