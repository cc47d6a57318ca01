"""List the files that the platform writes, their managed parts and their secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from fabricgen.nos.linux.driver.onswitch import own_files
from fabricgen.nos.shared.onswitch import disk, hidden
from fabricgen.nos.shared.onswitch.frr import Frr
from fabricgen.nos.shared.onswitch.store import Tree

Like = Callable[[str, disk.File, "disk.File | None"], bool]
FRR = Frr()
FRR_CONF = "etc/frr/frr.conf"
_RENDERED = (
    "etc/frr/frr.conf",
    "etc/frr/daemons",
    "etc/network/interfaces",
    "etc/sysctl.d/90-fabricgen*.conf",
    "etc/hostname",
    "etc/lldpd.d/fabricgen.conf",
    "etc/chrony/chrony.conf",
    "etc/rsyslog.d/90-fabricgen.conf",
    "etc/resolv.conf",
    "etc/snmp/snmpd.conf",
    "etc/issue.net",
    "etc/ssh/sshd_config.d/fabricgen.conf",
    "etc/ssh/authorized_keys.d/*",
    "etc/sysusers.d/fabricgen.conf",
    "etc/tmpfiles.d/fabricgen.conf",
    "etc/fabricgen/*",
    "etc/udev/rules.d/10-fabricgen.rules",
    "etc/systemd/system/fabricgen*.service",
    "etc/systemd/system/networking.service.d/fabricgen.conf",
)
"""Files that the platform `linux` writes. Another path is a custom file, or refused."""
PASSWORDS = "etc/fabricgen/passwords"
_INTERFACES = "etc/network/interfaces"
_SNMP = "etc/snmp/snmpd.conf"
FILES = disk.Files(
    allowed=_RENDERED, secret=(PASSWORDS, _SNMP), frr="etc/frr/", own=own_files.is_own
)
SECRETS = {
    PASSWORDS: re.compile(r"^([^:\n]*:)(.+)$", re.MULTILINE),
    _SNMP: re.compile(
        r"^(\s*(?:(?:ro|rw)community6?|createUser|com2sec6?|trapcommunity|trap2?sink|informsink|"
        r"trapsess)"
        r"[ \t]+)(\S.*)$",
        re.MULTILINE | re.IGNORECASE,
    ),
    FRR_CONF: hidden.ROUTING,
    _INTERFACES: own_files.SECRET,
}


def hide(path: str, text: str) -> str:
    """Return the text of a file without its secrets."""
    pattern = SECRETS.get(path) if not path or FILES.renders(path) else own_files.SECRET
    return text if pattern is None else hidden.masked(pattern, text)


def running() -> Tree:
    """Return the files on the switch that an earlier push wrote, or that a push would write."""
    managed = disk.load(_managed())
    return Tree(_read(managed if managed is not None else FILES.present()), managed)


def _read(paths: Iterable[str]) -> dict[str, disk.File]:
    return {path: file for path in paths for file in [FILES.read(path)] if file is not None}


def before(now: Tree, paths: Iterable[str]) -> dict[str, disk.File]:
    """Return the running files, and existing files of other paths."""
    return _read(sorted({*now.files, *paths}))


def changed(now: Tree, after: Tree, like: Like) -> list[str]:
    """Return the paths that would be written or removed. `like`: compares two files."""
    gone = set(now.managed or ()) - set(after.files)
    written = {
        path
        for path, file in after.files.items()
        if not like(path, file, now.files.get(path) or FILES.read(path))
    }
    return sorted(written | {path for path in gone if path in now.files})


def lay(after: Tree, touched: Iterable[str]) -> None:
    """Write and remove files, and note the managed ones."""
    for path in touched:
        file = after.files.get(path)
        if file is None:
            FILES.remove(path)
        else:
            FILES.write(path, _closed(path, file))
    if after.managed is None:
        _managed().unlink(missing_ok=True)
    else:
        disk.dump(_managed(), after.managed)


def _closed(path: str, file: disk.File) -> disk.File:
    """Restrict a custom file with secrets to root."""
    secret = not FILES.renders(path) and own_files.SECRET.search(file.text)
    return file._replace(mode=0o600) if secret and file.mode is None else file


def _managed() -> Path:
    return disk.own_folder("var/lib/fabricgen") / "files.json"
