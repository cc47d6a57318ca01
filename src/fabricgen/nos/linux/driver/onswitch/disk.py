"""Files of the switch: read as they are, written whole or not at all, and only where allowed."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import stat
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.nos.linux.driver.onswitch.refusal import CANDIDATE, Refusal

ROOT = Path("/")
RENDERED = (
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
"""What the platform `linux` writes; a candidate with another path is refused."""
SECRET = ("etc/fabricgen/passwords", "etc/snmp/snmpd.conf")
_PLAIN, _OWN = 0o644, 0o600
_OF_FRR = "etc/frr/"
_X = 0o111


class File(NamedTuple):
    """A file as it is, or as it shall be: then mode and owner may be left open."""

    data: bytes
    mode: int | None = None
    owner: tuple[int, int] | None = None
    runs: bool = False

    def is_like(self, other: File | None) -> bool:
        """Tell whether both say the same; who owns them is no part of a configuration."""
        return other is not None and (self.data, self.runs) == (other.data, other.runs)


def place(path: str) -> Path:
    """Return where a file of the configuration is; a Refusal when it may not be touched."""
    parts = path.split("/")
    known = any(
        fnmatch.fnmatchcase(path, each) and path.count("/") == each.count("/") for each in RENDERED
    )
    if not known or not all(parts) or {".", ".."} & set(parts):
        raise Refusal(CANDIDATE, f"{path!r} is no file that fabricgen writes on a switch")
    found = ROOT
    for part in parts:
        found = found / part
        if found.is_symlink():
            raise Refusal(CANDIDATE, f"/{path}: {found} is a symbolic link, and is not followed")
    if found.exists() and not found.is_file():
        raise Refusal(CANDIDATE, f"/{path} is there and is no file")
    return found


def found() -> list[str]:
    """Return what of the platform's files is on the switch."""
    there = {str(each.relative_to(ROOT)) for pattern in RENDERED for each in ROOT.glob(pattern)}
    return sorted(
        path for path in there if (ROOT / path).is_file() and not (ROOT / path).name.startswith(".")
    )


def read(path: str) -> File | None:
    """Return a file as it is; None when there is none."""
    where = place(path)
    try:
        with where.open("rb") as stream:
            facts = os.fstat(stream.fileno())
            mode = stat.S_IMODE(facts.st_mode)
            return File(stream.read(), mode, (facts.st_uid, facts.st_gid), bool(mode & 0o100))
    except FileNotFoundError:
        return None


def write(path: str, file: File) -> None:
    """Lay a file in place."""
    where, before = place(path), read(path)
    mode = file.mode
    if mode is None:
        mode = _fresh(path) if before is None or before.mode is None else before.mode
        mode = _OWN if path in SECRET else mode
        mode = mode | (mode & 0o444) >> 2 if file.runs else mode & ~_X
    owner = file.owner or (before.owner if before is not None else None)
    where.parent.mkdir(parents=True, exist_ok=True)
    if owner is None and path.startswith(_OF_FRR):
        facts = where.parent.stat()
        owner = (facts.st_uid, facts.st_gid)
    replace(where, file.data, mode, owner)


def _fresh(path: str) -> int:
    """Debian's frr package gives its files to frr alone."""
    return 0o640 if path.startswith(_OF_FRR) else _PLAIN


def remove(path: str) -> None:
    """Take a file away."""
    where = place(path)
    with contextlib.suppress(FileNotFoundError):
        where.unlink()
        sync(where.parent)


def replace(
    where: Path, data: bytes, mode: int = _OWN, owner: tuple[int, int] | None = None
) -> None:
    """Write a file so that a reader, and a power cut, find the old one or the new one."""
    new = where.with_name(f".{where.name}.fabricgen")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _OWN)
    with open(descriptor, "wb") as stream:  # noqa: PTH123 - an open descriptor
        stream.write(data)
        stream.flush()
        if owner is not None:
            os.fchown(descriptor, *owner)
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    new.replace(where)
    sync(where.parent)


def sync(folder: Path) -> None:
    """Make a change of names last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def own_folder(path: str) -> Path:
    """Return a folder that root alone may read."""
    where = ROOT / path
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    where.chmod(0o700)
    return where


def load(where: Path) -> Any:
    """Return what a JSON file says; None when there is none."""
    try:
        return json.loads(where.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def dump(where: Path, what: Any) -> None:
    """Write a JSON file."""
    replace(where, json.dumps(what).encode())
