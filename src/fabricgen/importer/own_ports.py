"""Own lines of one switch in; its place and those of its ports, each with its lines, out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fabricgen.core.tree.settings import Path
    from fabricgen.importer.own import Own
    from fabricgen.model.fabric.switch import SwitchSlice

Heads = dict[tuple[str, "Path"], str]
"""Labels of ports by the key of `extra` and the sections that stand for them in its file."""


def of_ports(
    piece: SwitchSlice, lines: Iterable[Own], pinned: Collection[str]
) -> Iterator[tuple[str, list[Own]]]:
    """Yield lines below ports by the port or cage; those of the switch by an empty label.

    pinned: ports and cages that the tree says something of: it is one or the other.
    """
    heads = _heads(piece, pinned)
    found: dict[str, list[Own]] = defaultdict(list)
    for line in lines:
        deep = next((n for n in (1, 2) if (line.kind, line.texts[:n]) in heads), 0)
        if deep and len(line.texts) > deep:
            label = heads[line.kind, line.texts[:deep]]
            found[label].append(replace(line, texts=line.texts[deep:]))
        else:
            found[""].append(line)
    for cage, labels in _split(piece).items():
        own = [found.get(label, []) for label in labels]
        alike = own[0] and all(each == own[0] for each in own)
        if alike and not any(label in pinned for label in labels):
            found[cage] = own[0]
            for label in labels:
                del found[label]
    yield from found.items()


def _heads(piece: SwitchSlice, pinned: Collection[str]) -> Heads:
    heads: Heads = {}
    ports = [
        each.port
        for each in piece.interfaces
        if each.port.subs == 1 or str(each.port.cage) not in pinned
    ]
    for kind, late in nos(piece.switch.platform).own.items():
        file = late.load()
        for port in ports if file.port else ():
            name = spell(piece.switch, port)
            head = (file.port, name) if file.manner is None else (file.port.format(name),)
            heads[kind, head] = port.label
    return heads


def _split(piece: SwitchSlice) -> dict[str, list[str]]:
    """Return the ports of each cage that is split."""
    cages: dict[str, list[str]] = defaultdict(list)
    for port in (each.port for each in piece.interfaces):
        if port.subs > 1 and port.label not in cages[str(port.cage)]:
            cages[str(port.cage)].append(port.label)
    return {cage: labels for cage, labels in cages.items() if labels}
