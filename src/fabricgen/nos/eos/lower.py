"""The slice of one switch in, the view of its configuration file out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.nos.eos.balancing import balancing_of
from fabricgen.nos.eos.external import policy_of
from fabricgen.nos.eos.management import foundation_of, management_of
from fabricgen.nos.eos.overlay import overlay_of
from fabricgen.nos.eos.ports import ports_of
from fabricgen.nos.eos.qos import quality_of
from fabricgen.nos.eos.routing import routing_of
from fabricgen.nos.eos.view.management import Hostname
from fabricgen.nos.eos.view.switch import EosView

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.nos import Spell


def view_of(piece: SwitchSlice, spell: Spell) -> EosView:
    """Return the sections of one switch."""
    switch = piece.switch
    return EosView(
        hostname=Hostname(switch.because, switch.name),
        foundation=foundation_of(piece),
        management=management_of(piece.services),
        quality=quality_of(piece),
        balancing=balancing_of(piece),
        ports=ports_of(piece, spell),
        overlay=overlay_of(piece),
        routing=routing_of(piece, spell),
        external=policy_of(piece.external),
    )
