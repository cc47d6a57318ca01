"""What a buffer budget is about: one switch's packet memory, its ports, its headroom pool."""

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Metres
from fabricgen.model.lossless.terms import NOTHING


@record(kw_only=True)
class Reserved:
    """What is gone before anything is shared, whatever ports there are; and where figures are from.

    source: of what is reserved here and for each port (PortGroup.below and own), too.
    """

    management: Bytes = NOTHING
    source: str = "nothing reserved"


@record()
class Memory:
    """The packet memory of one switch: what a configuration may use, in cells."""

    total: Bytes
    cell: Bytes
    reserved: Reserved = Reserved()


@record()
class ShippedPool:
    """The headroom pool that a model ships with, whatever its ports ask for: a vendor's table.

    headroom: bytes of it. size: the pool that holds it, and all that its groups reserve and share:
    Dell's `xoff` "must be less than pool size" (ansible dellemc.enterprise_sonic sonic_qos_buffer),
    and OpenSwitch's test of SAI takes SAI_BUFFER_POOL_ATTR_XOFF_SIZE off the shared size.
    """

    headroom: Bytes
    size: Bytes


@record(kw_only=True)
class PortGroup:
    """`count` ports of one speed and cable; `headroom` of each of their `classes` lossless groups.

    shorter: the headroom with shorter cables, (length, bytes): what a remedy may propose. below:
    what each lossless group reserves beside its headroom; own: what each port reserves beside that.
    A group with 0 classes is lossy and only pays `own`.
    """

    speed: BitsPerSecond
    length: Metres
    count: int
    headroom: Bytes
    classes: int = 1
    shorter: tuple[tuple[Metres, Bytes], ...] = ()
    below: Bytes = NOTHING
    own: Bytes = NOTHING

    @property
    def lossless_ports(self) -> int:
        """How many of its ports have a lossless class."""
        return self.count if self.classes else 0

    @property
    def lossless_groups(self) -> int:
        """How many lossless priority groups its ports have together."""
        return self.count * self.classes
