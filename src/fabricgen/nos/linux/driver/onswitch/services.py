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
"""Who reads which file, by Debian's names. The rest is read anew by each that needs it: accounts'
keys and the banner by sshd, resolv.conf by the C library."""
_LONGEST = 180


def systemd() -> bool:
    """Return whether systemd is the first process (sd_booted(3))."""
    return (disk.ROOT / "run/systemd/system").is_dir()


def _touches(touched: Iterable[str], *starts: str) -> bool:
    return any(path.startswith(starts) for path in touched)


def before_interfaces(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Let systemd read its units anew, and split the cages; problems and remarks come back."""
    problems: list[str] = []
    remarks: list[str] = []
    if _touches(touched, _NAMES):
        remarks.append("names of ports (udev) hold from the next boot")
    if not systemd():
        return problems, remarks
    if _touches(touched, _UNITS):
        problems += _systemctl("daemon-reload")
    if _touches(touched, *_SPLITS) and (disk.ROOT / _SPLITS[1]).exists():
        problems += _systemctl("restart", _SPLIT)
    return problems, remarks


def hostname(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Let the kernel call the switch as its file does, now and not from the next boot."""
    path = disk.ROOT / _HOSTNAME
    if not _touches(touched, _HOSTNAME) or not path.exists():
        return [], []
    done = run(("hostname", "-F", str(path)))
    return [f"hostname: {done.reason}"] if done.status else [], []


def unit(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Let the unit of fabricgen run: accounts, queues, DCB."""
    if not _touches(set(touched) - set(_SPLITS), *_RUN_BY_UNIT) or not (disk.ROOT / UNIT).exists():
        return [], []
    problems = [fault for path in _TABLES for fault in _opened(path, touched)]
    if problems:
        return problems, []
    if systemd():
        return _systemctl("restart", "fabricgen.service"), []
    return _commands()


def _opened(path: str, touched: Iterable[str]) -> list[str]:
    """Take the rules of a file from the kernel where it is gone: nothing else would."""
    if not _touches(touched, path) or (disk.ROOT / path).exists():
        return []
    done = run(("/usr/sbin/nft", "delete", "table", *_TABLES[path]))
    return [f"nft: {done.reason}"] if done.status and "No such file" not in done.reason else []


def _commands() -> tuple[list[str], list[str]]:
    """Run what the unit names, in its order; as there, a failure ends it.

    A lab boots with placeholders where the hashes belong, and gets them back when a push is undone.
    """
    remarks = []
    for line in (disk.ROOT / UNIT).read_text().splitlines():
        if not line.startswith("ExecStart="):
            continue
        if "chpasswd" in line and hidden.unresolved((disk.ROOT / _PASSWORDS).read_text()):
            remarks.append("passwords: none set, as the file has placeholders")
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
"""Daemons of FRR 10 keep the output that they are started with: with a pipe it would never end."""


def daemons(touched: Iterable[str]) -> list[str]:
    """Start FRR anew when other daemons shall run: it does not start or stop one by itself."""
    return restart() if _touches(touched, _DAEMONS) else []


def restart() -> list[str]:
    """Start FRR anew, which makes it run its file and nothing else; what went wrong comes back."""
    if systemd():
        return _systemctl("restart", "frr")
    done = run(("sh", "-c", _RESTART), _LONGEST)
    return [f"watchfrr.sh: {done.reason}"] if done.status else []


def readers(touched: Iterable[str]) -> tuple[list[str], list[str]]:
    """Let every other service read its file anew."""
    wanted = [(verb, name) for start, verb, name in _READERS if _touches(touched, start)]
    if systemd():
        return [why for verb, name in wanted for why in _systemctl(verb, name)], []
    left = [(verb, name) for verb, name in wanted if name != "lldpd" or not _lldp_taken()]
    return [], [f"{name}: not told to {verb}, as there is no systemd" for verb, name in left]


def _lldp_taken() -> bool:
    """Let a running lldpd take its file as words of its own client; tell whether it did."""
    return run(("lldpcli", "-c", str(disk.ROOT / _LLDP))).status == 0


def _systemctl(*words: str) -> list[str]:
    done = run(("systemctl", *words), _LONGEST)
    return [f"systemctl {' '.join(words)}: {done.reason}"] if done.status else []
