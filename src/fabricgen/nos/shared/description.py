"""The text on an interface: both ends of its cable, each spelled as its own OS names it.

Two such texts in, whether the cable is to be moved out: where addresses go by slot, it shows in
nothing else.
"""

import re
from functools import lru_cache

from fabricgen.fabric.external import ExternalPeer
from fabricgen.fabric.switch import Interface
from fabricgen.fabric.topology import Switch
from fabricgen.nos.nos import Spell
from fabricgen.tree.settings import Path, Settings

UNUSED = "unused"
MOVED = "the cable goes to another port: the link is down until it is moved"
_FAR = re.compile(r"\S+:\S+ to (\S+:\S+)$")


def outside(name: str) -> str:
    """Spell an external peer, whose own name for its port nobody here knows."""
    return f"outside:{name}"


def behind(peer: ExternalPeer) -> str:
    """Spell who speaks BGP in a VRF: a router outside, or a port of a server."""
    return peer.name if peer.inside else outside(peer.name)


@lru_cache(maxsize=2048)  # a switch is lowered, then proven: its ports come twice
def describe(switch: Switch, interface: Interface, spell: Spell) -> str:
    """Return `leaf:port to peer:port`, `leaf:port to outside:name`, or `unused`."""
    if interface.outside:
        return f"{switch.name}:{spell(switch, interface.port)} to {outside(interface.outside)}"
    if interface.peer is None or interface.peer_port is None:
        return UNUSED
    near, far = spell(switch, interface.port), spell(interface.peer, interface.peer_port)
    return f"{switch.name}:{near} to {interface.peer.name}:{far}"


def moves(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether the text of a port names another far end than it did."""
    old, new = (_far(path, side) for side in (before, after))
    return None not in (old, new) and old != new


def _far(path: Path, side: Settings) -> str | None:
    """Return the far end that a port's text names: the value of a key, or the end of a line."""
    word = path[-1].split(" ")[0]
    texts = (
        text or line[-1]
        for line, text in side.items()
        if line[:-1] == path[:-1] and line[-1].split(" ")[0] == word
    )
    match = next((match for text in texts if (match := _FAR.search(text))), None)
    return match[1] if match else None
