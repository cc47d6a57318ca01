"""Management services that every switch of a site uses."""

import re

from fabricgen.core.because import Because
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.settings.services import Management
from fabricgen.model.settings.setting import Resolved, declared

PLACEHOLDER = re.compile(r"<<secret:([^<>\s]+)>>")
"""A placeholder in a rendered text, around its reference."""
SPELLED = re.compile(r"^(?:type7:|bgp7:[^@]*@)")
"""Before a reference, what no intent writes: in which spelling a platform keeps the value."""
RULE = "every switch uses the services of its site, in the management VRF"


@record(kw_only=True)
class User:
    """A local account; `password_hash` and `ssh_key` as written, the first one a reference."""

    name: str
    role: str
    password_hash: str | None
    ssh_key: str | None


@record(kw_only=True)
class LoginServers:
    """Servers that say who may log in. protocol: tacacs or radius; key: a secret reference."""

    protocol: str
    servers: tuple[str, ...]
    key: str


@record(kw_only=True)
class SnmpUser:
    """A user of SNMP v3; `auth` and `privacy` are secret references."""

    name: str
    auth: str
    privacy: str


@record()
class Traps:
    """Who gets traps of SNMP v3, and the user that they are sent as."""

    targets: tuple[str, ...]
    user: str


@record()
class Sflow:
    """Who gets samples of packets, of which one in `rate` is taken."""

    collectors: tuple[str, ...]
    rate: int


@record()
class Streaming:
    """Who is streamed the state of switches, at which TCP port."""

    servers: tuple[str, ...]
    port: int


@record()
class Ptp:
    """The domain of precise time, and the fabrics that are of it."""

    domain: int
    fabrics: tuple[str, ...]


@record()
class Tls:
    """Files of a certificate and of its key, in the store of a switch."""

    certificate: str
    key: str


@record(kw_only=True)
class Services(Management):
    """The services of a site. Addresses are text; `snmp_community` is a secret reference.

    path: where the intent says them. tls: what the API and the gNMI server show. login: servers
    by protocol, in the order in which they are asked; local accounts come after all of them.
    admitted: who reaches SSH, the API, gNMI and SNMP; everybody where it is empty.
    """

    path: IntentPath
    site: str
    vrf: str
    gateway: str
    snmp_community: str | None
    snmp_location: str | None
    snmp_contact: str | None
    gnmi_port: int | None
    gnmi_collectors: tuple[str, ...]
    tls: Tls | None
    users: tuple[User, ...]
    login: tuple[LoginServers, ...] = ()
    snmp_users: tuple[SnmpUser, ...] = ()
    traps: Traps | None = None
    sflow: Sflow | None = None
    cloudvision: Streaming | None = None
    ptp: Ptp | None = None
    admitted: tuple[str, ...] = ()

    @property
    def carried(self) -> "Resolved[Services]":
        """Return the settings that go unchanged to a line, each with its place in the intent."""
        every = [each for each in declared(Services) if each.value(self)]
        chosen = {each.key: Because(((*self.path, *each.path),), RULE) for each in every}
        return Resolved(values=self, chosen=chosen)

    @property
    def snmp(self) -> bool:
        """Tell whether SNMP answers anybody."""
        return self.snmp_community is not None or bool(self.snmp_users)

    @property
    def secrets(self) -> frozenset[str]:
        """Return every reference to a secret that rendered files may hold."""
        secrets = {user.password_hash for user in self.users} | {self.snmp_community}
        secrets |= {word for each in self.login for word in (each.key, f"type7:{each.key}")}
        secrets |= {word for user in self.snmp_users for word in (user.auth, user.privacy)}
        return frozenset(each for each in secrets if each is not None)


def placeholder(reference: str) -> str:
    """Return what stands in a rendered file for a secret; only a push resolves it."""
    return f"<<secret:{reference}>>"
