"""Arista EOS as a platform: one complete text file per switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.platforms.eos.capabilities import CAPABILITIES, MAX_ECMP
from fabricgen.platforms.eos.gaps import gaps_of
from fabricgen.platforms.eos.lower import view_of
from fabricgen.platforms.eos.names import port_name
from fabricgen.platforms.platform import RenderedBy, Spell

if TYPE_CHECKING:
    from fabricgen.diagnostics import Diagnostic
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.fabric.topology import Port
    from fabricgen.platforms.features import Capabilities


class Eos:
    """Arista EOS."""

    name = "eos"
    capabilities: Capabilities = CAPABILITIES
    max_ecmp = MAX_ECMP

    def port_name(self, model: str, port: Port) -> str:
        """Spell a port: Ethernet3/5, or Ethernet65 for a cage of one lane."""
        return port_name(model, port)

    def gaps(self, piece: SwitchSlice) -> list[Diagnostic]:
        """Say what EOS cannot be told of this slice."""
        return gaps_of(piece)

    def lower(self, piece: SwitchSlice, spell: Spell) -> list[RenderedBy]:
        """Return the one file that replaces the whole configuration."""
        return [RenderedBy("eos.cfg", "eos/index.j2", view_of(piece, spell))]
