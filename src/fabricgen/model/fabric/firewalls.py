"""Firewalls outside: pairs of units, and the links that each unit ends."""

from fabricgen.core.record import record
from fabricgen.model.fabric.because import Because


@record(eq=False, kw_only=True)
class Firewall:
    """A pair of units. units: the links of each; of a standby the active unit first."""

    name: str
    asn: int
    both_active: bool
    units: tuple[tuple[str, ...], ...]
    because: Because
