"""Defines custom config of a switch: the text and its place.

It is not vendor-neutral. Each text is for one file of one network OS, and only that platform reads
it. The model records the switches and the reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record

FILES = "files"
"""The kind of a complete file."""


@record(kw_only=True)
class OwnText:
    """One text of custom config, or of unmanaged patterns.

    `kind`: the key below `custom_config` or `unmanaged`.

    `tenant`: its tenant, if it has one. `ports`: cages or ports of the lines. `file`: the path of a
    complete file, without its first slash.
    """

    kind: str
    text: str
    because: Provenance
    tenant: str = ""
    ports: tuple[str, ...] = ()
    file: str = ""


@record(kw_only=True)
class OwnPlan:
    """Custom config of every switch, of named switches, and of switches with a tenant."""

    switches: Mapping[str, tuple[OwnText, ...]] = field(default_factory=dict)
    tenants: Mapping[str, tuple[OwnText, ...]] = field(default_factory=dict)

    def of(self, switch: str, tenants: Iterable[str] = ()) -> tuple[OwnText, ...]:
        """Return the texts of a switch, from the widest scope to the narrowest."""
        mine = (text for name in sorted(set(tenants)) for text in self.tenants.get(name, ()))
        own = self.switches.get(switch, ())
        return (*mine, *own) if self.tenants else own

    def every(self) -> Iterator[OwnText]:
        """Yield each text once."""
        many = (*self.switches.values(), *self.tenants.values())
        yield from dict.fromkeys(text for texts in many for text in texts)


NO_OWN_LINES = OwnPlan()
