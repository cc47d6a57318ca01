"""Defines custom config of a switch: the text and its place.

It is not vendor-neutral. Each text is for one file of one network OS, and only that platform reads
it. The model records the switches and the reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record

FILES = "files"
"""The kind of a whole file."""


@record(kw_only=True)
class OwnText:
    """One text of own lines, or of patterns of what is kept.

    kind: the key below `custom_config` or `unmanaged`.

    tenant: whose, where it is a tenant's. ports: the cages or ports whose lines they are. file: the
    path of a whole file, without its first slash.
    """

    kind: str
    text: str
    because: Provenance
    tenant: str = ""
    ports: tuple[str, ...] = ()
    file: str = ""


@record(kw_only=True)
class OwnPlan:
    """Who has own lines: every switch, those of a name, and those that a tenant is on."""

    switches: Mapping[str, tuple[OwnText, ...]] = field(default_factory=dict)
    tenants: Mapping[str, tuple[OwnText, ...]] = field(default_factory=dict)

    def of(self, switch: str, tenants: Iterable[str] = ()) -> tuple[OwnText, ...]:
        """Return the texts of a switch, from the widest place to the narrowest."""
        mine = (text for name in sorted(set(tenants)) for text in self.tenants.get(name, ()))
        own = self.switches.get(switch, ())
        return (*mine, *own) if self.tenants else own

    def every(self) -> Iterator[OwnText]:
        """Yield each text once."""
        many = (*self.switches.values(), *self.tenants.values())
        yield from dict.fromkeys(text for texts in many for text in texts)


NO_OWN_LINES = OwnPlan()
