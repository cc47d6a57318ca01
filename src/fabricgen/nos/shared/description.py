"""The text on an interface: both ends of its cable, each spelled as its own OS names it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Interface
    from fabricgen.fabric.topology import Switch
    from fabricgen.nos.nos import Spell

UNUSED = "unused"


def outside(name: str) -> str:
    """Spell an external peer, whose own name for its port nobody here knows."""
    return f"outside:{name}"


@lru_cache(maxsize=2048)  # a switch is lowered, then proven: its ports come twice
def describe(switch: Switch, interface: Interface, spell: Spell) -> str:
    """Return `leaf:port to peer:port`, `leaf:port to outside:name`, or `unused`."""
    if interface.outside:
        return f"{switch.name}:{spell(switch, interface.port)} to {outside(interface.outside)}"
    if interface.peer is None or interface.peer_port is None:
        return UNUSED
    near, far = spell(switch, interface.port), spell(interface.peer, interface.peer_port)
    return f"{switch.name}:{near} to {interface.peer.name}:{far}"
