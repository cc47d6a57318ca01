"""Defines route leaks: the listed routes that one VRF imports from another."""

from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned
from fabricgen.model.fabric.routing import AllowedPrefix

OUTSIDE = 5000
"""The numbers of external prefixes begin above every VLAN id."""


class TakenPrefix(NamedTuple):
    """An imported prefix, with the hosts in it if it is a subnet; `longest` bounds their length.

    `sequence`: its stable number in a prefix list: for a subnet the id of its VLAN, for an external
    prefix `OUTSIDE` plus ten times its position in the intent.
    """

    sequence: int
    prefix: Ip
    longest: int

    @property
    def outside(self) -> bool:
        """Return whether it exists only while an external router advertises it."""
        return self.sequence > OUTSIDE

    @property
    def allowed(self) -> AllowedPrefix:
        """Return it with both lengths."""
        return AllowedPrefix(prefix=self.prefix, shortest=self.prefix.length, longest=self.longest)

    def holds(self, value: int, version: int) -> bool:
        """Return whether it contains an address."""
        first, last = self.prefix.network
        return self.prefix.version == version and first <= value <= last


@record(eq=False, kw_only=True)
class Taken:
    """Routes that a VRF imports from another, the source. `id`, `vni`, `pinned`: of the source."""

    source: str
    id: int
    vni: int
    prefixes: tuple[TakenPrefix, ...]
    because: Provenance
    pinned: Pinned = AS_COMPUTED

    @property
    def versions(self) -> tuple[int, ...]:
        """Return the IP versions of its imported prefixes."""
        return tuple(sorted({rule.prefix.version for rule in self.prefixes}))

    def of(self, version: int) -> tuple[TakenPrefix, ...]:
        """Return its imported prefixes of an IP version."""
        return tuple(rule for rule in self.prefixes if rule.prefix.version == version)

    def of_number(self, number: int) -> bool:
        """Return whether it imports the prefix with a number."""
        return any(rule.sequence == number for rule in self.prefixes)

    def listed(self, version: int) -> tuple[tuple[tuple[str, str]], ...]:
        """Return the content of a prefix list: prefixes with minimum and maximum length."""
        return tuple(
            (("permit", f"{rule.prefix.prefix},{rule.prefix.length}-{rule.longest}"),)
            for rule in self.of(version)
        )

    def list_of(self, taker: str, version: int) -> str:
        """Return the name of the prefix list on a switch."""
        return family_of(f"{taken_by(taker)}_{joinable(self.source)}", version)


def taking(takes: tuple[Taken, ...], version: int) -> tuple[Taken, ...]:
    """Return the sources of imports of an IP version, by the ids of their VRFs."""
    return tuple(
        sorted((each for each in takes if version in each.versions), key=lambda each: each.id)
    )


_FAMILY = {4: "", 6: "_6"}


def family_of(name: str, version: int) -> str:
    """Return the name for an IP version: IPv4 has the plain name."""
    return name + _FAMILY[version]


def taken_by(vrf: str) -> str:
    """Return the name of the route map for all imports of a VRF."""
    return f"TAKE-{joinable(vrf)}"


def joinable(vrf: str) -> str:
    """Return the name of a VRF for use in joined names, which `_` separates."""
    return vrf.replace("_", "__")
