"""Community SONiC as the compiler sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.platforms.frrouting.lower import lower_frr
from fabricgen.platforms.platform import RenderedBy, Spell
from fabricgen.platforms.sonic.capabilities import CAPABILITIES, MAX_ECMP
from fabricgen.platforms.sonic.gaps import gaps
from fabricgen.platforms.sonic.lower import frr_names, lower_config_db
from fabricgen.platforms.sonic.names import port_names

if TYPE_CHECKING:
    from fabricgen.diagnostics import Diagnostic
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.fabric.topology import Port


class Sonic:
    """config_db.json for the switch, and frr.conf of our own for its routing."""

    name = "sonic"
    capabilities = CAPABILITIES
    max_ecmp = MAX_ECMP

    def port_name(self, model: str, port: Port) -> str:
        """Spell a port as port_config.ini of the model's hwsku does."""
        return port_names(model, port).name

    def gaps(self, piece: SwitchSlice) -> list[Diagnostic]:
        """Say what this model or slice cannot have on SONiC."""
        return gaps(piece)

    def lower(self, piece: SwitchSlice, spell: Spell) -> list[RenderedBy]:
        """Return both files."""
        frr = lower_frr(piece, frr_names(piece.switch.model))
        return [
            RenderedBy("config_db.json", "sonic/config_db.j2", lower_config_db(piece, spell)),
            RenderedBy("frr.conf", "frrouting/index.j2", frr),
        ]
