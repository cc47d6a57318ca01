"""The services of a site in; the views of their files out, made once for all switches."""

from functools import lru_cache

from fabricgen.core.because import Because
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings.services import LocalUser
from fabricgen.model.settings.setting import Resolved, placeholder
from fabricgen.nos.linux.view_host import Account, Accounts, Protected
from fabricgen.nos.nos import RenderedBy

SNMPD = "etc/snmp/snmpd.conf"
PASSWORDS = "etc/fabricgen/passwords"
# An operator reads logs; an administrator may become root (Debian's groups, base-passwd users-and-
# groups).
GROUPS = {"admin": "sudo", "operator": "adm"}


def rendered(path: str, template: str, view: object, *, executable: bool = False) -> RenderedBy:
    """Return one file of a Linux switch. template: the name of its index."""
    return RenderedBy(path=path, index=f"linux/{template}.j2", view=view, executable=executable)


@lru_cache(maxsize=16)
def service_files(services: Services) -> tuple[RenderedBy, ...]:
    """Return the files of every service that the site uses."""
    rule = "every switch of the site uses the same services"
    site = Resolved(values=services, because=Because((services.path,), rule))
    wanted: tuple[tuple[object, str, str], ...] = (
        (services.ntp, "etc/chrony/chrony.conf", "chrony"),
        (services.syslog, "etc/rsyslog.d/90-fabricgen.conf", "rsyslog"),
        (services.dns or services.domain, "etc/resolv.conf", "resolv"),
        (services.snmp, SNMPD, "snmpd"),
        (services.banner, "etc/issue.net", "issue"),
        (services.banner or keyed(services), "etc/ssh/sshd_config.d/fabricgen.conf", "sshd"),
    )
    files = [rendered(path, template, site) for used, path, template in wanted if used]
    return (*files, *account_files(services))


def keyed(services: Services) -> bool:
    """Tell whether any account has an SSH key."""
    return any(user.ssh_key for user in services.users)


def account_files(services: Services) -> list[RenderedBy]:
    """Return the accounts: sysusers.d makes them, chpasswd sets hashes, sshd reads the keys."""
    users = (*services.path, "users")
    because = Because((users,), "local accounts, in files systemd and sshd read")
    accounts = Accounts(tuple(_account(user) for user in services.users), because)
    hashed = Accounts(tuple(item for item in accounts.accounts if item.password), because)
    secrets = [PASSWORDS] if hashed.accounts else []
    if services.snmp:
        secrets.append(SNMPD)
    files = []
    if accounts.accounts:
        files.append(rendered("etc/sysusers.d/fabricgen.conf", "sysusers", accounts))
    if hashed.accounts:
        files.append(rendered(PASSWORDS, "passwords", hashed))
    if accounts.accounts or secrets:
        names = tuple(item.name for item in accounts.accounts)
        kept = Protected(names, tuple(secrets), because)
        files.append(rendered("etc/tmpfiles.d/fabricgen.conf", "tmpfiles", kept))
    return files + [
        rendered(f"etc/ssh/authorized_keys.d/{item.name}", "authorized_key", item)
        for item in accounts.accounts
        if item.key
    ]


def _account(user: LocalUser) -> Account:
    password = placeholder(user.password_hash) if user.password_hash is not None else None
    return Account(name=user.name, group=GROUPS[user.role], password=password, key=user.ssh_key)
