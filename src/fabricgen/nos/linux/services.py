"""Build the views of services, accounts and host files of Linux switches."""

from functools import lru_cache
from typing import ClassVar

from fabricgen.core.provenance import Block, Provenance, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings.services import LocalUser
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.nos import RenderedBy


@record(eq=False, kw_only=True)
class Multipath(SharedBlock):
    """ECMP settings of the kernel; values of None are not written."""

    policy: int
    fields: str | None
    seed: int | None


@record(kw_only=True)
class Daemons(Block):
    bgp: str
    bfd: str
    ospf: str


@record(eq=False)
class Host(SharedBlock):
    """Settings of every Linux switch."""


@record()
class Lldp:
    """The switch's name, for itself and for LLDP neighbors."""

    hostname: str
    management_port: str
    because: Provenance


@record()
class Breakout:
    """Cages to split before the interfaces come up, each with its number of ports."""

    cages: tuple[tuple[str, int], ...]
    because: Provenance


@record()
class Unit:
    """The systemd unit that applies files without a service."""

    commands: tuple[str, ...]
    because: Provenance


@record(eq=False)
class Accounts:
    shared: ClassVar[bool] = True
    users: tuple[LocalUser, ...]
    because: Provenance


@record(eq=False)
class Protected:
    """Accounts with home directories to create, and files with secrets for root alone."""

    shared: ClassVar[bool] = True
    users: tuple[LocalUser, ...]
    secrets: tuple[str, ...]
    because: Provenance


SNMPD = "etc/snmp/snmpd.conf"
PASSWORDS = "etc/fabricgen/passwords"


def rendered(path: str, template: str, view: object, *, executable: bool = False) -> RenderedBy:
    """Return one file of a Linux switch. `template`: the name of its index."""
    return RenderedBy(path=path, index=f"linux/{template}.j2", view=view, executable=executable)


@lru_cache(maxsize=16)
def service_files(services: Services) -> tuple[RenderedBy, ...]:
    """Return the files of every service that the site uses."""
    rule = "every switch of the site uses the same services"
    places = tuple(filter(None, (services.path, services.nearer)))
    site = Resolved(values=services, because=Provenance(places, rule))
    keyed = any(user.ssh_key for user in services.users)
    wanted: tuple[tuple[object, str, str], ...] = (
        (services.ntp, "etc/chrony/chrony.conf", "chrony"),
        (services.syslog, "etc/rsyslog.d/90-fabricgen.conf", "rsyslog"),
        (services.dns or services.domain, "etc/resolv.conf", "resolv"),
        (services.snmp, SNMPD, "snmpd"),
        (services.banner, "etc/issue.net", "issue"),
        (services.banner or keyed, "etc/ssh/sshd_config.d/fabricgen.conf", "sshd"),
    )
    files = [rendered(path, template, site) for used, path, template in wanted if used]
    return (*files, *account_files(services))


def account_files(services: Services) -> list[RenderedBy]:
    """Return the accounts: sysusers.d creates them, chpasswd sets hashes, sshd reads the keys."""
    users = services.users
    paths = ((*services.path, "users"),)
    because = Provenance(paths, "local accounts, in files systemd and sshd read")
    hashed = tuple(user for user in users if user.password_hash)
    secrets = ((PASSWORDS,) if hashed else ()) + ((SNMPD,) if services.snmp else ())
    files = []
    if users:
        accounts = Accounts(users, because)
        files.append(rendered("etc/sysusers.d/fabricgen.conf", "sysusers", accounts))
    if hashed:
        files.append(rendered(PASSWORDS, "passwords", Accounts(hashed, because)))
    if users or secrets:
        kept = Protected(users, secrets, because)
        files.append(rendered("etc/tmpfiles.d/fabricgen.conf", "tmpfiles", kept))
    return files + [
        rendered(f"etc/ssh/authorized_keys.d/{user.name}", "authorized_key", user)
        for user in users
        if user.ssh_key
    ]
