"""State what the written answers of an EOS switch follow from: its file, and its fabric.

Part of the written answers of EOS switches (tests/written/eos/switches.py).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fabricgen.nos.eos.grammar import GRAMMAR
from fabricgen.nos.lowering import Heard, spell

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts
    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.prove.underlay import Underlay

Shown = dict[str, Any]
"""Answers by command: a dictionary, or text."""
CLOCK = 1_760_000_000.0
BOOTED = CLOCK - 864_000.0
FIRST_INTERNAL = 3500
"""First VLAN that EOS takes for itself, as the file says."""


@dataclass(frozen=True)
class World:
    """What all switches of a fabric know of each other."""

    pieces: tuple[SwitchSlice, ...]
    ways: Underlay
    heard: Heard
    files: dict[str, str]

    @cached_property
    def vteps(self) -> dict[int, list[SwitchSlice]]:
        """The leafs with each VNI."""
        found = defaultdict(list)
        for piece in self.pieces:
            for vlan in piece.vlans if piece.vtep is not None else ():
                if vlan.vni is not None:
                    found[vlan.vni].append(piece)
        return found


@dataclass
class Written:
    """One switch: its slice, its file, and the facts of the file."""

    world: World
    piece: SwitchSlice
    serial: str
    text: str = field(init=False)
    facts: Facts = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.world.files[self.piece.switch.name]
        self.facts = GRAMMAR["eos.cfg"].read(self.text).facts

    def of(self, kind: str) -> dict[tuple[str, ...], dict[str, Any]]:
        return {key: dict(own) for key, own in self.facts.items() if key[0] == kind}

    @cached_property
    def interfaces(self) -> dict[str, dict[str, Any]]:
        return {key[1]: own for key, own in self.of("interface").items()}

    def up(self, name: str) -> bool:
        return "shut" not in self.interfaces[name]

    @cached_property
    def links(self) -> list[str]:
        """Ports of cages that are not shut."""
        names = (spell(self.piece.switch, item.port) for item in self.piece.interfaces)
        return [name for name in names if self.up(name)]

    @cached_property
    def transit(self) -> dict[str, int]:
        """The VLAN that EOS takes for the VNI of each VRF."""
        names = sorted(key[1] for key, own in self.of("vrf").items() if "vni" in own)
        return {name: FIRST_INTERNAL + number for number, name in enumerate(names)}
