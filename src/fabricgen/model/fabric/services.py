"""Defines the management services of every switch of a site."""

import re
from collections.abc import Iterator

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.settings.services import LoginServers, Management
from fabricgen.model.settings.setting import Resolved, Secret, declared, keys

SPELLED = re.compile(r"^(?:type7:|bgp7:[^@]*@)")
"""Prefixes of references for the spelling in which a platform stores the value."""
RULE = "every switch uses the services of its site, in the management VRF"


@record(kw_only=True)
class Services(Management):
    """The services of a site.

    `path`: their place in the intent. `admitted`: sources that may reach SSH, the API, gNMI,
    NETCONF, RESTCONF and SNMP; empty for all sources. `own`: keys that a fabric sets itself, at
    the place `nearer`.
    """

    path: IntentPath
    site: str
    vrf: str
    gateway: str
    admitted: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    nearer: IntentPath = ()

    def at(self, *keys: str | int) -> IntentPath:
        """Return the place of a setting, in the site or in the fabric."""
        return (*(self.nearer if keys[:1] and keys[0] in self.own else self.path), *keys)

    @property
    def carried(self) -> "Resolved[Services]":
        """Return the settings that go unchanged to a line, each with its place in the intent."""
        every = [each for each in declared(Services) if each.value(self)]
        chosen = {each.key: Provenance((self.at(*each.path),), RULE) for each in every}
        return Resolved(values=self, chosen=chosen)

    @property
    def login(self) -> dict[str, LoginServers]:
        """Return the servers by protocol, in the order of use."""
        return self.aaa.login if self.aaa is not None else {}

    @property
    def collectors(self) -> tuple[str, ...]:
        """Return the permitted clients of the gNMI server; empty for all."""
        return self.gnmi.collectors if self.gnmi is not None else ()

    @property
    def trapped(self) -> tuple[str, ...]:
        """Return the hosts that receive SNMP traps."""
        traps = self.snmp.traps if self.snmp is not None else None
        return traps.targets if traps is not None else ()

    @property
    def secrets(self) -> frozenset[str]:
        """Return every reference to a secret that rendered files may hold."""
        found = frozenset(_secrets(self))
        return found | {f"type7:{servers.key}" for servers in self.login.values()}


def _secrets(values: object) -> Iterator[str]:
    """Yield the references in a record and in its nested records."""
    for each in keys(type(values)):
        value = each.value(values)
        if each.item == Secret and value is not None:
            yield value
        elif each.inner is not None:
            for inner in value if isinstance(value, tuple) else (value,):
                if inner is not None:
                    yield from _secrets(inner)
