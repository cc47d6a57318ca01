"""Find what may stop or divert a packet at a hop: filters, settings, rules and fixed entries."""

from collections.abc import Collection, Iterable

from fabricgen.core.tree.facts import Attributes, Key, Value, spelled
from fabricgen.prove.left import concerns
from fabricgen.prove.reach.live.sides import Seen, Side, Unknown, compared
from fabricgen.prove.reach.live.steps import Item
from fabricgen.prove.walk.packet import Address, Packet

FILTERS = ("filter", "table", "acl-rule", "acl", "rule")
SETTINGS = ("setting", "flag", "kernel-rule", "neighbor", "mac", "qdisc")
_EVERYWHERE = ("", "all", "default")
_LISTS = ("acl-rule", "acl", "rule")
_SWITCH = ("kernel-rule", *_LISTS)
"""Kinds whose objects name no device."""


def filter_item(side: Side, port: str, devices: Collection[str], packet: Packet) -> Item:
    """Compare the filters on a packet's way. `devices`: ports and interfaces of the hop."""
    written = side.tables.ports.get(port)
    drops = [
        each.strange or rule
        for each in (written.filters if written is not None else ())
        for passed, rule in (each.passes(packet),)
        if each.strange or not passed
    ]
    return _item(side, "filters", FILTERS, devices, "; ".join(drops) or (), packet.target)


def setting_item(side: Side, devices: Collection[str], target: Address) -> Item | None:
    """Compare settings, routing rules and fixed entries that no design has.

    None if the platform has no kernel settings: its state follows from its configuration.
    """
    if not any(kind in SETTINGS for kind, _ in side.expected.about):
        return None
    return _item(side, "other state", SETTINGS, devices, (), target)


def _item(
    side: Side,
    name: str,
    kinds: Iterable[str],
    devices: Collection[str],
    files: Value,
    target: Address,
) -> Item:
    running: Seen = Unknown(f"{side.expected.platform} does not report it")
    reported = [kind for kind in kinds if any(kind == own for own, _ in side.expected.about)]
    unread = [
        why
        for kind, attribute in side.expected.about
        if kind in reported and (why := side.unread((kind,), attribute)) is not None
    ]
    found: list[str] = []
    if reported and side.observed is not None:
        found = [
            _said(key, own)
            for key, own in _odd_of(side)
            if key[0] in reported and _is_near(side, key, devices, target)
        ]
        running = tuple(sorted(found))
    if unread and not found:
        running = unread[0]
    return compared(
        name,
        "",
        ((), files, running),
        source=", ".join(
            filter(None, dict.fromkeys(side.source((k,), _field(k)) for k in reported))
        ),
    )


def _odd_of(side: Side) -> list[tuple[Key, Attributes]]:
    """Return the few filters and settings that differ from the model."""
    if side.odd is None:
        facts = side.observed.facts if side.observed is not None else {}
        side.odd = [
            (key, own)
            for key, own in facts.items()
            if key[0] in (*FILTERS, *SETTINGS) and _is_odd(side.expected.facts.get(key), own)
        ]
    return side.odd


def _is_odd(model: Attributes | None, own: Attributes) -> bool:
    """Return whether the model lacks the object or has another value."""
    return model is None or any(own.get(name) != value for name, value in model.items())


def _field(kind: str) -> str:
    fields = {"setting": "value", "flag": "value", "neighbor": "mac", "mac": "to", "qdisc": "kind"}
    fields |= {"acl-rule": "state", "acl": "state", "rule": "action"}
    return fields.get(kind, "does")


def _said(key: Key, own: Attributes) -> str:
    return f"{' '.join(filter(None, key))}: {'; '.join(map(spelled, own.values()))}"


def _is_near(side: Side, key: Key, devices: Collection[str], target: Address) -> bool:
    """Return whether an object concerns a device of the hop, or the whole switch."""
    if key[0] not in _SWITCH and key[1] not in (*_EVERYWHERE, *devices):
        return False
    if key[0] == "neighbor":
        return key[2:] == (str(target),)
    return key[0] in _LISTS or concerns(key, side.expected)
