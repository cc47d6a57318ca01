"""Diagnostic addresses: the source from which a leaf probes the servers of a VRF."""

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.topology import Switch

NUMBER = 4095
"""The number of the subnet in lists of prefixes: the ids of VLANs end below it."""


@record(eq=False, kw_only=True)
class Diagnostics:
    """The diagnostic addresses of one VRF, each of one leaf.

    Attributes:
        sources: The pool that the addresses are from.
        because: The place in the intent.

    """

    sources: Pool
    because: Because

    def address(self, leaf: Switch) -> Ip:
        """Return the address of a leaf, by its ordinal."""
        return Ip(self.sources.low(leaf.ordinal + 1), 32)
