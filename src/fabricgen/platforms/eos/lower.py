"""The slice of one switch in, the view of its configuration file out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.platforms.eos.balancing import balancing_of
from fabricgen.platforms.eos.external import policy_of
from fabricgen.platforms.eos.management import foundation_of, management_of
from fabricgen.platforms.eos.overlay import overlay_of
from fabricgen.platforms.eos.ports import ports_of
from fabricgen.platforms.eos.qos import quality_of
from fabricgen.platforms.eos.routing import routing_of
from fabricgen.platforms.eos.view.management import Hostname
from fabricgen.platforms.eos.view.switch import EosView

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.platforms.platform import Spell


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
