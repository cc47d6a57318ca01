"""Defines the overrides of single switches and servers, which replace computed values."""

from collections.abc import Mapping

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record


@record(kw_only=True)
class Pin:
    """What is said of one switch; None where it is computed. path: the place that says it.

    Addresses are IPv4, as numbers.
    """

    path: IntentPath
    loopback: int | None = None
    vtep: int | None = None
    management: int | None = None
    router_id: int | None = None
    asn: int | None = None

    def why(self, computed: Provenance, *keys: str) -> Provenance:
        """Return why a line is there that has some of these numbers: the pin goes first."""
        said = tuple((*self.path, key) for key in keys if getattr(self, key) is not None)
        if not said:
            return computed
        return Provenance((*said, *computed.paths), f"as pinned; {computed.rule}")


@record(kw_only=True)
class ServerPin:
    """What is said of one server. path: the place that says it. hostname: empty if computed.

    addresses: version and number of each.
    """

    path: IntentPath
    hostname: str = ""
    addresses: tuple[tuple[int, int], ...] = ()

    def among(self, version: int, first: int, last: int) -> int | None:
        """Return its address of a subnet, by the ends of that, of which hosts have neither."""
        own = (value for each, value in self.addresses if each == version and first < value < last)
        return next(own, None)


@record()
class Pins:
    """The pins of a fabric, by the name of the switch; part of what is kept by its value."""

    every: Mapping[str, Pin]

    def get(self, name: str) -> Pin | None:
        """Return what is said of a switch."""
        return self.every.get(name)

    def __hash__(self) -> int:
        """Return how many there are: those that are equal are as many."""
        return len(self.every)


NO_PINS = Pins({})
