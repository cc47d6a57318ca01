"""Check whether a custom file may be placed at a path.

The intent and, on the switch, the candidate use the same check.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

ROOTS = ("etc/", "srv/", "usr/local/etc/", "usr/local/share/")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]*")
_RUNS = "what is there is run, at a start or an event: own files run no program"
_OPENS = "it says who may log in and what they may do: the intent has keys for that"
_KERNEL = "it sets the kernel or what starts, as files that are rendered do"
_OURS = "fabricgen writes files there: keys of the intent and own lines say what is in them"
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
"""Where an own file has secrets: a word of them begins the line, or stands before `:` or `=`."""


def refusal(path: str) -> str:
    """Say why no own file may be there; nothing where one may. path: without the first slash."""
    parts = path.split("/")
    if not path.startswith(ROOTS):
        return f"own files are below {', '.join(f'/{each}' for each in ROOTS)}"
    if not all(_PART.fullmatch(part) for part in parts):
        return "a part of a path begins with a letter, a digit or `_`"
    fenced = (why for words, why in _FENCE.items() if _any(parts[1], words))
    return next(fenced, "") if parts[0] == "etc" else ""


def _any(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, each) for each in patterns.split())


def is_own(path: str) -> bool:
    """Return whether an own file may be there."""
    return not refusal(path)
