"""Check whether a custom file may be placed at a path.

The intent and, on the switch, the candidate use the same check.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

ROOTS = ("etc/", "srv/", "usr/local/etc/", "usr/local/share/")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]*")
_RUNS = "programs run the files there at a start or an event: custom files must not do that"
_OPENS = "the file controls logins and permissions: use the keys of the intent"
_KERNEL = "the file configures the kernel or boot, as rendered files do"
_OURS = "fabricgen writes files there: use keys of the intent or custom config"
_FENCE = {
    # Manual pages crontab(5), anacron(8), at.allow(5), systemd.unit(5), init(8), and Debian Policy
    # 9.3; of events udev(7), ifplugd(8), pppd(8), dhclient-script(8), resolvconf(8), acpid(8).
    "cron* anacron* at.* systemd init* rc* udev ifplugd ppp dhcp* resolvconf default": _RUNS,
    "networkd-dispatcher acpi hotplug* smartd* smartmontools": _RUNS,
    # A login, by bash(1), zsh(1), useradd(8), update-motd(5) and the XDG autostart specification.
    "profile* bash* zsh* zprofile zlogin zlogout csh* skel inputrc update-motd.d xdg X11": _RUNS,
    # A package or kernel, by apt.conf(5), dpkg.cfg(5), logrotate(8), modprobe.d(5) and
    # initramfs-tools(7).
    "apt dpkg logrotate* kernel initramfs-tools modprobe* needrestart grub.d": _RUNS,
    "dbus-1 alternatives python* perl": _RUNS,
    # Accounts, by passwd(5), shadow(5), sudoers(5), pam(8), sshd_config(5) and polkit(8).
    "passwd* shadow* group* gshadow* subuid* subgid* sudo* doas* pam.* security ssh": _OPENS,
    "sysusers.d polkit-1 nsswitch.conf shells securetty login.* hosts.allow hosts.deny": _OPENS,
    # The kernel, by ld.so(8), sysctl.d(5), modules-load.d(5), binfmt.d(5), tmpfiles.d(5), fstab(5)
    # and nft(8).
    "ld.so* environment* sysctl* modules* binfmt.d tmpfiles.d fstab crypttab mdadm lvm": _KERNEL,
    "machine-id nftables* iptables* iproute2": _KERNEL,
    "network NetworkManager netplan frr snmp fabricgen": _OURS,
}
_WORD = (
    r"[\w.-]*(?:passw|passphrase|secret|token|psk|community|(?:api|private|wireless)[_-]?key)[\w-]*"
)
SECRET = re.compile(
    rf"^([ \t]*{_WORD}[ \t]+(?![:=])|"
    rf"(?:.*?[\s\"'{{,])??[\"']?{_WORD}[\"']?[ \t]*[:=][ \t]*)(\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)
"""Secrets in a custom file: such a word begins the line, or is before `:` or `=`."""


def refusal(path: str) -> str:
    """Return why a path is not allowed, or an empty text. `path`: without the first slash."""
    parts = path.split("/")
    if not path.startswith(ROOTS):
        return f"custom files must be below {', '.join(f'/{each}' for each in ROOTS)}"
    if not all(_PART.fullmatch(part) for part in parts):
        return "each part of the path must begin with a letter, a digit or `_`"
    fenced = (why for words, why in _FENCE.items() if _any(parts[1], words))
    return next(fenced, "") if parts[0] == "etc" else ""


def _any(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, each) for each in patterns.split())


def is_own(path: str) -> bool:
    """Return whether a custom file may be at a path."""
    return not refusal(path)
