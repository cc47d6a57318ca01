"""What the templates of zones.nft and marks.nft may see; names and order are decided before."""

from fabricgen.core.record import record
from fabricgen.model.fabric.because import Block


@record(kw_only=True)
class Way(Block):
    """A way in, and the chain that judges it. family: ipv4 or ipv6."""

    port: str
    family: str
    chain: str


@record()
class Entry(Block):
    """One rule of a chain."""

    text: str


@record(kw_only=True)
class Chain(Block):
    """The rules of one way in, or of one port or bond, which then is its name."""

    name: str
    entries: tuple[Entry, ...]


@record(kw_only=True)
class Zones(Block):
    """The ways into VRFs where there are zones; what fits no rule of a chain is dropped."""

    ways: tuple[Way, ...]
    chains: tuple[Chain, ...]


@record(kw_only=True)
class Marks(Block):
    """The ports that write DSCPs into packets that come in by them."""

    chains: tuple[Chain, ...]
