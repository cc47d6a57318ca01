"""Write interface descriptions: both ends of a cable as each OS names them, or a custom text.

It also compares two descriptions to find out whether a cable was moved. Where addresses follow
slots, only the description shows a move.
"""

import re
from functools import lru_cache

from fabricgen.core.tree.settings import Path, Settings
from fabricgen.model.fabric.descriptions import Description, Descriptions
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Lag, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.nos import Spell

UNUSED = "unused"
MOVED = (
    "the cable may go to another port, as no description excludes it: the link is down until it is "
    "moved"
)
_FAR = re.compile(r"\S+:\S+ to (\S+):(\S+)$")


def outside(name: str) -> str:
    """Spell an external peer without its port name, which is unknown."""
    return f"outside:{name}"


def behind(peer: ExternalPeer) -> str:
    """Spell a BGP peer in a VRF: an external router, or a port of a server."""
    return peer.name if peer.inside else outside(peer.name)


def describe(switch_slice: SwitchSlice, interface: Interface, spell: Spell) -> str:
    """Return `leaf:port to peer:port`, `leaf:port to outside:name`, `unused`, or custom text."""
    return _described(switch_slice.switch, interface, spell, switch_slice.descriptions)


@lru_cache(maxsize=2048)  # lowering and proof both need the ports of a switch
def _described(switch: Switch, interface: Interface, spell: Spell, texts: Descriptions) -> str:
    own = spell(switch, interface.port)
    if interface.note is not None and interface.note.text:
        return interface.note.text
    if interface.outside:
        return _to_outside(switch, own, interface.outside, texts)
    if interface.peer is None or interface.peer_port is None:
        return UNUSED
    peer, far = interface.peer.name, spell(interface.peer, interface.peer_port)
    if isinstance(interface.peer, Switch):
        words, text = {"peer": peer, "peer_port": far}, texts.link
    else:
        words, text = {"server": peer, "nic": far}, texts.server
    return _filled(text, switch, own, words) or f"{switch.name}:{own} to {peer}:{far}"


def describe_share(switch_slice: SwitchSlice, share: Interface, name: str) -> str:
    """Return the description of a tagged share of a port, or of a tunnel, for its OS name."""
    return _to_outside(switch_slice.switch, name, share.outside, switch_slice.descriptions)


def describe_bundle(switch_slice: SwitchSlice, lag: Lag, name: str) -> str:
    """Return the description of a LAG for its OS name."""
    return bundle_text(switch_slice, lag, name) or f"{switch_slice.switch.name}:{name} to {lag.far}"


def bundle_text(switch_slice: SwitchSlice, lag: Lag, name: str) -> str:
    """Return the custom description of a LAG, if the intent has one."""
    peer = lag.server.name if lag.server is not None else lag.outside
    return _filled(switch_slice.descriptions.bundle, switch_slice.switch, name, {"peer": peer})


def _to_outside(switch: Switch, own: str, name: str, texts: Descriptions) -> str:
    both_ends = f"{switch.name}:{own} to {outside(name)}"
    return _filled(texts.external, switch, own, {"peer": name}) or both_ends


def _filled(text: Description | None, switch: Switch, own: str, far: dict[str, str]) -> str:
    """Return a pattern with its placeholders filled in; they were checked before."""
    return text.pattern.format(switch=switch.name, port=own, **far) if text is not None else ""


def moves(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether an interface description may name another remote end than before."""
    old, new = (_text(path, side) for side in (before, after))
    if not old or not new or UNUSED in (old, new):
        return False
    far = [_FAR.search(text) for text in (old, new)]
    if far[0] and far[1]:
        return far[0].groups() != far[1].groups()
    known, other = (far[0], new) if far[0] else (far[1], old)
    return known is None or not all(_named(word, other) for word in known.groups())


def _named(word: str, text: str) -> bool:
    """Return whether a text has a complete name, not as a part of a longer name."""
    return re.search(rf"(?<![\w/.-]){re.escape(word)}(?![\w/.-])", text) is not None


def _text(path: Path, side: Settings) -> str | None:
    """Return a port's description: the value of a key, or the rest of a line after its word."""
    word = path[-1].split(" ")[0]
    lines = (line for line in side if line[:-1] == path[:-1] and line[-1].split(" ")[0] == word)
    return next((side[line] or line[-1].partition(" ")[2] for line in lines), None)
