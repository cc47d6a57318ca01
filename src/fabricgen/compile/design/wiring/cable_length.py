"""The words about cables in, their lengths out."""

from fabricgen.core.units import Metres
from fabricgen.intent.model.backend import GpuServers
from fabricgen.intent.model.frontend import RackServers
from fabricgen.intent.model.hardware import Links
from fabricgen.intent.model.routed import SideServers
from fabricgen.intent.model.servers import PortSet


def length_of(words: GpuServers | RackServers | SideServers | PortSet | Links) -> Metres:
    """Return the length of cables; 0 where it was refused: no port and no address needs it."""
    key = "length" if isinstance(words, Links) else "cable_length"
    return Metres(words.unless_refused(key) or 0)
