"""What the template of zones.nft may see; every name and order is decided before."""

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
    """The rules of one way in; what fits none of them is dropped."""

    because: Because
    name: str
    entries: tuple[Entry, ...]


@record(kw_only=True)
class Zones:
    """The ways into VRFs where there are zones."""

    because: Because
    ways: tuple[Way, ...]
    chains: tuple[Chain, ...]
