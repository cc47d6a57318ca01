"""Lists state of a running kernel that concerns the design but is not part of it.

Each item is a difference. Devices and tables outside the design, such as those of containers, are
ignored with all their state.
"""

import re
from collections.abc import Iterable, Sequence

from fabricgen.compile.custom_config.sentences import Refused, filled
from fabricgen.core.tree.facts import GLOBAL, Disagreement, Key, Value
from fabricgen.core.tree.keep import fits
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.show import Part
from fabricgen.prove.runs import Expected

_NAMED = re.compile(
    r"^\s*(?P<kind>neighbor|iface|interface|ip route|ipv6 route) (?P<name>\S+)", re.MULTILINE
)
_SORTS = {
    "neighbor": ("session", "bfd"),
    "iface": ("interface",),
    "interface": ("interface",),
    "ip route": ("kernel-route",),
    "ipv6 route": ("kernel-route",),
}
_ANY = ("~", "*")


def named(switch_slice: SwitchSlice, keep: Iterable[OwnText]) -> frozenset[tuple[str, str]]:
    """Return objects by sort and name, or name pattern, that custom or unmanaged lines name."""
    found = (match for text in _texts(switch_slice, keep) for match in _NAMED.finditer(text))
    return frozenset((sort, each["name"]) for each in found for sort in _SORTS[each["kind"]])


def _texts(switch_slice: SwitchSlice, keep: Iterable[OwnText]) -> Iterable[str]:
    for own in switch_slice.own:
        try:
            yield filled(own, switch_slice)
        except Refused:  # a finding of the site reports it
            continue
    yield from (own.text for own in keep)


def is_others(key: Key, names: frozenset[tuple[str, str]]) -> bool:
    """Return whether custom or unmanaged lines name an object."""
    return any(key[0] == sort and (n in _ANY or fits(n, key[-1])) for sort, n in names)


LEFT = (
    *("kernel-route", "kernel-rule", "setting", "flag", "filter", "table", "qdisc"),
    *("neighbor", "mac"),
)
"""Kinds of objects that persist on a switch independently of its files."""
PROTOCOLS = ("fib", "protocols")
"""Routing daemons that own the routes of a VRF; their routes change."""
_EVERY = frozenset({"", "all", "default"})
_NOT_OURS = "but it is not in the design"


def parts(expected: Expected) -> set[Part]:
    """Return the parts from which these kinds are read, on platforms that read them."""
    return {part for (kind, _), part in expected.about.items() if kind in LEFT}


def is_left(key: Key) -> bool:
    """Return whether an object has one of these kinds."""
    return bool(key) and key[0] in LEFT


def concerns(key: Key, expected: Expected) -> bool:
    """Return whether an object concerns a device or table of the design, and no custom line.

    On a port-channel with an Ethernet segment, EVPN adds static MACs of the other leaf without a
    special flag (FRR 8.4.4 and 10.3, `static` in `bridge fdb show`).
    """
    kind, where, *_ = key
    if is_others(key, expected.others):
        return False
    if kind == "mac" and where in expected.segments:
        return False
    if kind in {"kernel-rule", "kernel-route"}:
        return kind == "kernel-rule" or where == GLOBAL or ("vrf", where) in expected.facts
    there = where in _EVERY or ("interface", where) in expected.facts
    return there and not is_others(("interface", where), expected.others)


def sentence(each: Disagreement) -> tuple[str, str]:
    """Return the topic of a difference of these kinds, and the sentence without the switch."""
    kind, where, *rest = each.key
    shown, table = _joined(each.witnessed), "the main table" if where == GLOBAL else f"VRF {where}"
    match kind:
        case "fib":
            thing = f"routes of {table}"
            owners = _joined(each.designed)
            return thing, f"{table} has routes of {shown}, but the model has {owners}"
        case "kernel-route":
            return _route(each, table, rest[0])
        case "kernel-rule":
            thing = f"{where} rule {rest[0]}"
            says = f"{thing} is {shown}"
        case "setting":
            thing, says = rest[0], f"{rest[0]} is {shown}"
        case "flag":
            thing, says = f"bridge port {where}", f"bridge port {where} has {rest[0]} {shown}"
        case "filter" | "table":
            thing = f"{rest[0]} of {where}" if where else rest[0]
            says = f"{thing}: {shown}"
        case "qdisc":
            thing = f"queue of {where}"
            says = f"{where} has queue {shown} at its {rest[0]}"
        case _:
            thing = f"{rest[0]} on {where}"
            word = "neighbor" if kind == "neighbor" else "MAC"
            says = f"{where} has {word} {rest[0]} as a static entry for {shown}"
    return thing, f"{says}, {_NOT_OURS}"


def _route(each: Disagreement, table: str, prefix: str) -> tuple[str, str]:
    thing = f"route to {prefix} in {table}"
    if each.witnessed is None:
        return thing, (
            f"{table} has no route to {prefix}, but the model has {_joined(each.designed)}"
        )
    says = f"{table} has a route to {prefix} ({_joined(each.witnessed)})"
    if each.designed is None:
        return thing, f"{says}, {_NOT_OURS}"
    return thing, f"{says}, but the model has {_joined(each.designed)}"


def _joined(value: Value | None) -> str:
    items: Sequence[str] = value if isinstance(value, tuple) else (str(value),)
    return "; ".join(items)
