"""The seam between the compiler and a network OS: what every platform offers, nothing more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fabricgen.fabric.topology import Nic, Port, Server, Switch

if TYPE_CHECKING:
    from fabricgen.diagnostics import Diagnostic
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.platforms.features import Capabilities

Spell = Callable[[Switch | Server, Port | Nic], str]
"""Spells a port as its owner's platform does; for the far end in a description."""


@dataclass(frozen=True, slots=True)
class RenderedBy:
    """One output file of a switch: its path, the index template, and the view that fills it.

    path: relative to the switch's folder. index: template name, as `eos/index.j2`. view: an object
    whose attributes are the sections that the index names.
    """

    path: str
    index: str
    view: object
    executable: bool = False


class Platform(Protocol):
    """A network OS. Implementations keep no state between switches beyond caches."""

    name: str
    capabilities: Capabilities
    max_ecmp: int

    def port_name(self, model: str, port: Port) -> str:
        """Spell a port of a switch model as this OS names the interface."""

    def gaps(self, piece: SwitchSlice) -> list[Diagnostic]:
        """Say what this switch model or slice needs beyond `capabilities`, and cannot have."""

    def lower(self, piece: SwitchSlice, spell: Spell) -> list[RenderedBy]:
        """Turn a slice into views: every string, order and default is decided here."""
