"""Defines the overrides of single switches and servers, which replace computed values."""

from collections.abc import Mapping

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record(kw_only=True)
class Pin:
    """Overrides of one switch; None for computed values. `path`: their place in the intent.

    Addresses are IPv4, as numbers.
    """

    path: IntentPath
    loopback: int | None = None
    vtep: int | None = None
    management: int | None = None
    router_id: int | None = None
    asn: int | None = None

    def why(self, computed: Provenance, *keys: str) -> Provenance:
        """Return the provenance of a line with some of these numbers: the override comes first."""
        said = tuple((*self.path, key) for key in keys if getattr(self, key) is not None)
        if not said:
            return computed
        return Provenance((*said, *computed.paths), f"override in the intent; {computed.rule}")


@record(kw_only=True)
class ServerPin:
    """Overrides of one server. `path`: their place in the intent. `hostname`: empty if computed.

    `addresses`: version and number of each.
    """

    path: IntentPath
    hostname: str = ""
    addresses: tuple[tuple[int, int], ...] = ()

    def among(self, version: int, first: int, last: int) -> int | None:
        """Return its address in a subnet, by the first and last address of the subnet."""
        own = (value for each, value in self.addresses if each == version and first < value < last)
        return next(own, None)


@record()
class Pins:
    """Overrides of a fabric by switch name, part of a cache key."""

    every: Mapping[str, Pin]

    def get(self, name: str) -> Pin | None:
        """Return the overrides of a switch."""
        return self.every.get(name)

    def __hash__(self) -> int:
        """Return the number of overrides, which equal sets share."""
        return len(self.every)


NO_PINS = Pins({})
