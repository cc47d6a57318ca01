"""Defines route leaks: the listed routes that one VRF imports from another."""

from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned
from fabricgen.model.fabric.routing import AllowedPrefix

OUTSIDE = 5000
"""The numbers of prefixes from outside begin above every VLAN id."""


class TakenPrefix(NamedTuple):
    """A prefix that is taken, with the hosts in it where it is a subnet; `longest` bounds those.

    sequence: its number in a prefix list, from what stays: of a subnet the id of its VLAN, of what
    comes from outside `OUTSIDE` and ten times its place in the intent.
    """

    sequence: int
    prefix: Ip
    longest: int

    @property
    def outside(self) -> bool:
        """Tell whether it is there while a router outside tells it, and not by design."""
        return self.sequence > OUTSIDE

    @property
    def allowed(self) -> AllowedPrefix:
        """Return it with both lengths said."""
        return AllowedPrefix(prefix=self.prefix, shortest=self.prefix.length, longest=self.longest)

    def holds(self, value: int, version: int) -> bool:
        """Tell whether it leads to an address."""
        first, last = self.prefix.network
        return self.prefix.version == version and first <= value <= last


@record(eq=False, kw_only=True)
class Taken:
    """What a VRF takes from another, the source. id, vni, pinned: those of the source."""

    source: str
    id: int
    vni: int
    prefixes: tuple[TakenPrefix, ...]
    because: Provenance
    pinned: Pinned = AS_COMPUTED

    @property
    def versions(self) -> tuple[int, ...]:
        """Return the IP versions of which it takes something."""
        return tuple(sorted({rule.prefix.version for rule in self.prefixes}))

    def of(self, version: int) -> tuple[TakenPrefix, ...]:
        """Return what it takes of an IP version."""
        return tuple(rule for rule in self.prefixes if rule.prefix.version == version)

    def of_number(self, number: int) -> bool:
        """Tell whether it takes the prefix with a number."""
        return any(rule.sequence == number for rule in self.prefixes)

    def listed(self, version: int) -> tuple[tuple[tuple[str, str]], ...]:
        """Return the meaning of a prefix list: what passes, with its least and longest length."""
        return tuple(
            (("permit", f"{rule.prefix.prefix},{rule.prefix.length}-{rule.longest}"),)
            for rule in self.of(version)
        )

    def list_of(self, taker: str, version: int) -> str:
        """Name the prefix list on a switch."""
        return family_of(f"{taken_by(taker)}_{joinable(self.source)}", version)


def taking(takes: tuple[Taken, ...], version: int) -> tuple[Taken, ...]:
    """Return of whom something of an IP version is taken, by the ids of their VRFs."""
    return tuple(
        sorted((each for each in takes if version in each.versions), key=lambda each: each.id)
    )


_FAMILY = {4: "", 6: "_6"}


def family_of(name: str, version: int) -> str:
    """Name the same of an IP version: that of IPv4 has the name alone."""
    return name + _FAMILY[version]


def taken_by(vrf: str) -> str:
    """Name the route map of all that a VRF takes."""
    return f"TAKE-{joinable(vrf)}"


def joinable(vrf: str) -> str:
    """Return the name of a VRF as it stands beside others, which `_` parts from it."""
    return vrf.replace("_", "__")
