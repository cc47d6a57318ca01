"""What the templates of zones.nft and marks.nft may see; names and order are decided before."""

from fabricgen.fabric.because import Because
from fabricgen.record import record


@record(kw_only=True)
class Way:
    """A way in, and the chain that judges it. family: ipv4 or ipv6."""

    because: Because
    port: str
    family: str
    chain: str


@record()
class Entry:
    """One rule of a chain."""

    because: Because
    text: str


@record(kw_only=True)
class Chain:
    """The rules of one way in, or of one port or bond, which then is its name."""

    because: Because
    name: str
    entries: tuple[Entry, ...]


@record(kw_only=True)
class Zones:
    """The ways into VRFs where there are zones; what fits no rule of a chain is dropped."""

    because: Because
    ways: tuple[Way, ...]
    chains: tuple[Chain, ...]


@record(kw_only=True)
class Marks:
    """The ports that write DSCPs into packets that come in by them."""

    because: Because
    chains: tuple[Chain, ...]
