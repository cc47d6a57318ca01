"""External peers: the ways of a VRF out of the site, each one eBGP session on a border leaf."""

from __future__ import annotations

from typing import NamedTuple

from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.fabric.routing import AllowedPrefix
from fabricgen.fabric.switch import Interface
from fabricgen.record import record


class PrefixRule(NamedTuple):
    """A prefix that passes; `sequence` is its number in a prefix list.

    It follows from what stays: an announced prefix has the id of its VLAN, an accepted one ten
    times its place in the intent. So a new rule moves no other. least, most: of the lengths that
    pass inside it; None where only the prefix itself does.
    """

    sequence: int
    prefix: Ip
    least: int | None = None
    most: int | None = None

    @property
    def allowed(self) -> AllowedPrefix:
        """Return it with both lengths said."""
        length = self.prefix.length
        return AllowedPrefix(self.prefix, self.most or length, self.least or length)


@record(eq=False, kw_only=True)
class ExternalPeer:
    """One eBGP session of a VRF with a router outside; nothing passes but what is listed.

    bfd: with the timers of the underlay. policy: the name of its lists, where many share them.
    most: routes that end the session when there are more; 0: any number. default: it is told the
    default route, whether there is one or not. inside: a server of the site, on a port to it.
    """

    vrf: str
    name: str
    interface: Interface
    local: Ip
    remote: Ip
    peer_asn: int
    accept: tuple[PrefixRule, ...]
    announce: tuple[PrefixRule, ...]
    bfd: bool
    because: Because
    policy: str = ""
    most: int = 0
    default: bool = False
    inside: bool = False

    @property
    def label(self) -> str:
        """Name of the peer on its switch; neither a VRF nor a peer has `_` in its own name."""
        return f"{self.vrf}_{self.policy or self.name}"

    @property
    def inward(self) -> str:
        """Name of the list and the map of what comes in."""
        return f"IN-{self.label}"

    @property
    def outward(self) -> str:
        """Name of the list and the map of what goes out."""
        return f"OUT-{self.label}"
