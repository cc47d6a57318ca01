"""Reload or restart the services that read changed files and report failures.

A lab of namespaces does not run systemd as its first process. There the commands of fabricgen's
unit run directly. The other services stay unchanged, and the report says so.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from fabricgen.nos.shared.onswitch import disk, hidden
from fabricgen.nos.shared.onswitch.commands import run

UNIT = "etc/systemd/system/fabricgen.service"
_HOSTNAME = "etc/hostname"
_PASSWORDS = "etc/fabricgen/passwords"
_SPLIT = "fabricgen-breakout.service"
_UNITS = "etc/systemd/"
_TABLES = {
    "etc/fabricgen/management.nft": ("inet", "management"),
    "etc/fabricgen/zones.nft": ("inet", "zones"),
    "etc/fabricgen/marks.nft": ("netdev", "marks"),
}
_DAEMONS = "etc/frr/daemons"
_NAMES = "etc/udev/"
_RUN_BY_UNIT = ("etc/sysusers.d/", "etc/tmpfiles.d/", "etc/fabricgen/", UNIT)
_SPLITS = ("etc/fabricgen/breakout.sh", f"{_UNITS}system/{_SPLIT}")
_LLDP = "etc/lldpd.d/fabricgen.conf"
_READERS = (
    ("etc/lldpd.d/", "restart", "lldpd"),
    ("etc/chrony/", "restart", "chrony"),
    ("etc/rsyslog.d/", "restart", "rsyslog"),
    ("etc/snmp/", "restart", "snmpd"),
    ("etc/ssh/sshd_config.d/", "reload", "ssh"),
)
"""Readers of files, by Debian's names. Other files are read when needed: accounts' keys and the
banner by sshd, resolv.conf by the C library."""
_LONGEST = 180


def systemd() -> bool:
    """Return whether systemd is the first process (sd_booted(3))."""
    return (disk.ROOT / "run/systemd/system").is_dir()


def _touches(touched: Iterable[str], *starts: str) -> bool:
    return any(path.startswith(starts) for path in touched)


def before_interfaces(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Reload units in systemd, and split the cages; return problems and remarks."""
    problems: list[str] = []
    remarks: list[str] = []
    if _touches(touched, _NAMES):
        remarks.append("port names (udev) take effect at the next boot")
    if not systemd():
        return problems, remarks
    if _touches(touched, _UNITS):
        problems += _systemctl("daemon-reload")
    if _touches(touched, *_SPLITS) and (disk.ROOT / _SPLITS[1]).exists():
        problems += _systemctl("restart", _SPLIT)
    return problems, remarks


def hostname(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Set the host name of the running kernel to the file's."""
    path = disk.ROOT / _HOSTNAME
    if not _touches(touched, _HOSTNAME) or not path.exists():
        return [], []
    done = run(("hostname", "-F", str(path)))
    return [f"hostname: {done.reason}"] if done.status else [], []


def unit(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Run the unit of fabricgen: accounts, queues, DCB."""
    if not _touches(set(touched) - set(_SPLITS), *_RUN_BY_UNIT) or not (disk.ROOT / UNIT).exists():
        return [], []
    problems = [fault for path in _TABLES for fault in _opened(path, touched)]
    if problems:
        return problems, []
    if systemd():
        return _systemctl("restart", "fabricgen.service"), []
    return _commands()


def _opened(path: str, touched: Iterable[str]) -> list[str]:
    """Remove the rules of a deleted file from the kernel, because no service does."""
    if not _touches(touched, path) or (disk.ROOT / path).exists():
        return []
    done = run(("/usr/sbin/nft", "delete", "table", *_TABLES[path]))
    return [f"nft: {done.reason}"] if done.status and "No such file" not in done.reason else []


def _commands() -> tuple[list[str], list[str]]:
    """Run the unit's commands in order; a failure stops them, as in the unit.

    A lab boots with placeholders for password hashes, and restores them in the undo of a push.
    """
    remarks = []
    for line in (disk.ROOT / UNIT).read_text().splitlines():
        if not line.startswith("ExecStart="):
            continue
        if "chpasswd" in line and hidden.unresolved((disk.ROOT / _PASSWORDS).read_text()):
            remarks.append("passwords: not set, because the file has placeholders")
            continue
        words = shlex.split(line.partition("=")[2])
        done = run(words, _LONGEST)
        if done.status:
            return [f"{words[0]}: {done.reason}"], remarks
    return [], remarks


_RESTART = (
    "/usr/lib/frr/watchfrr.sh restart all > /run/frr/restart.log 2>&1; done=$?; "
    "cat /run/frr/restart.log >&2; exit $done"
)
"""Daemons of FRR 10 keep the output of their start: with a pipe it would never end."""


def daemons(touched: Iterable[str]) -> list[str]:
    """Restart FRR if its list of daemons changes, which it does not detect."""
    return restart() if _touches(touched, _DAEMONS) else []


def restart() -> list[str]:
    """Restart FRR, so that it runs exactly its file; return the errors."""
    if systemd():
        return _systemctl("restart", "frr")
    done = run(("sh", "-c", _RESTART), _LONGEST)
    return [f"watchfrr.sh: {done.reason}"] if done.status else []


def readers(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Reload the other services whose files changed."""
    wanted = [(verb, name) for start, verb, name in _READERS if _touches(touched, start)]
    if systemd():
        return [why for verb, name in wanted for why in _systemctl(verb, name)], []
    left = [(verb, name) for verb, name in wanted if name != "lldpd" or not _lldp_taken()]
    return [], [f"{name}: no {verb}, because there is no systemd" for verb, name in left]


def _lldp_taken() -> bool:
    """Let a running lldpd read its file by its client; return whether it did."""
    return run(("lldpcli", "-c", str(disk.ROOT / _LLDP))).status == 0


def _systemctl(*words: str) -> list[str]:
    done = run(("systemctl", *words), _LONGEST)
    return [f"systemctl {' '.join(words)}: {done.reason}"] if done.status else []
