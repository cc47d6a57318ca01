"""Management services that every switch of a site uses."""

from __future__ import annotations

import re

from fabricgen.diagnostics import IntentPath
from fabricgen.record import record

PLACEHOLDER = re.compile(r"<<secret:([^<>\s]+)>>")
"""A placeholder in a rendered text, around its reference."""


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


@record()
class Tls:
    """Files of a certificate and of its key, in the store of a switch."""

    certificate: str
    key: str


@record(kw_only=True)
class Services:
    """The services of a site. Addresses are text; `snmp_community` is a secret reference.

    path: where the intent says them. tls: what the API and the gNMI server show. login: servers
    by protocol, in the order in which they are asked; local accounts come after all of them.
    """

    path: IntentPath
    site: str
    vrf: str
    gateway: str
    domain: str | None
    banner: str | None
    ntp: tuple[str, ...]
    syslog: tuple[str, ...]
    dns: tuple[str, ...]
    snmp_community: str | None
    snmp_location: str | None
    snmp_contact: str | None
    gnmi_port: int | None
    gnmi_collectors: tuple[str, ...]
    tls: Tls | None
    users: tuple[User, ...]
    login: tuple[LoginServers, ...] = ()

    @property
    def secrets(self) -> frozenset[str]:
        """Return every reference to a secret that rendered files may hold."""
        secrets = {user.password_hash for user in self.users} | {self.snmp_community}
        secrets |= {word for each in self.login for word in (each.key, f"type7:{each.key}")}
        return frozenset(each for each in secrets if each is not None)


def placeholder(reference: str) -> str:
    """Return what stands in a rendered file for a secret; only a push resolves it."""
    return f"<<secret:{reference}>>"
