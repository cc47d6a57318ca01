"""What a change of a Linux switch's files does to its traffic: rules by file, each with its source.

The change is taken to be applied by ifreload -a, frr-reload.py, sysctl --system and the units of
fabricgen, which run what they are given again as a whole.
"""

import re
from collections.abc import Iterable

from fabricgen.nos.shared.description import MOVED, moves
from fabricgen.nos.shared.frr import risk as frr
from fabricgen.tree.risk import ADDED, CAUTION, CHANGED, USE, Dialect, Risk, Rule, grows
from fabricgen.tree.settings import Path, Settings, ini, lines, script, sections

HITLESS, SESSION, LOSSLESS, REBOOT = Risk

_IFRELOAD = "ifreload(8): applied without taking the interface down, unless the kernel needs it"
_TC = "tc(8): replace is a remove and an add, and a qdisc that goes drops what waits in it"
_CUMULUS = (
    "NVIDIA Cumulus Linux, Quality of Service (the same ASICs: changes of PFC or of the buffers "
    "modify the ASIC's buffer: momentary loss)"
)
_SYSCTL = "docs.kernel.org/networking/ip-sysctl.html"

_LIST = re.compile(r"(bridge-vids|bridge-ports|bond-slaves) (.+)")


def _fold(line: str) -> Iterable[Path]:
    """Take lists apart, so that one more is one more."""
    match = _LIST.fullmatch(line)
    return [(match[1], word) for word in match[2].split()] if match else [(line,)]


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether a port is kept down, before or after."""
    down = (path[0], "link-down yes")
    return down in before or down in after


def _more(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether a line only adds: an interface, or an address or member of a list."""
    del before, after
    word = path[1].split(" ")[0] if len(path) > 1 else "address"
    return word in ("address", "bridge-vids", "bridge-ports", "bond-slaves", "pre-up")


INTERFACES = (
    Rule(
        r"iface \S+(?: \S+ \S+)? > alias (?P<value>.*)",
        SESSION,
        MOVED,
        USE,
        CHANGED,
        when=moves,
    ),
    Rule(r"iface \S+(?: \S+ \S+)? > alias (?P<value>.*)", HITLESS, "a remark", USE),
    Rule(
        r"iface eth0(?: > .*)?|auto eth0|iface mgmt(?: > .*)?|auto mgmt",
        HITLESS,
        "management only; a wrong address loses the way to the switch, not traffic",
        USE,
    ),
    Rule(r"iface \S+ > link-down yes", SESSION, "the link goes down", USE, ADDED),
    Rule(
        r"iface swp\S+(?: > .*)?",
        HITLESS,
        "the port is kept down, or was: no traffic runs over it",
        USE,
        when=_rests,
    ),
    Rule(
        r"iface \S+(?: \S+ \S+)? > mtu (?P<value>\d+)",
        HITLESS,
        "set on the running interface",
        _IFRELOAD,
        when=grows,
    ),
    Rule(
        r"iface \S+(?: \S+ \S+)? > mtu (?P<value>\d+)",
        SESSION,
        "the interface stays up, but packets larger than the new MTU are lost until every sender "
        "keeps to it",
        _IFRELOAD,
    ),
    Rule(
        r"(?:auto|iface) .*",
        HITLESS,
        "an interface, address, VLAN or member more",
        _IFRELOAD,
        ADDED,
        when=_more,
    ),
    Rule(
        r"iface \S+(?: \S+ \S+)? > (?:address|gateway|vrf|hwaddress|vxlan-local-tunnelip)"
        r" (?P<value>.*)",
        SESSION,
        "sessions, tunnels and hosts that use the old one lose it",
        _IFRELOAD,
    ),
    Rule(
        r"iface \S+ > bond-\S+ (?P<value>.*)",
        SESSION,
        "some attributes of a bond need it taken down",
        _IFRELOAD,
    ),
    Rule(
        r"iface \S+ > (?:bridge-access|bridge-pvid) (?P<value>.*)",
        SESSION,
        "frames of the port change their VLAN",
        USE,
    ),
    Rule(
        r"(?:auto|iface) .*",
        SESSION,
        "an interface, VLAN, tunnel or member goes, or is made anew",
        _IFRELOAD,
    ),
)
QUEUES = (
    Rule(
        r"script",
        LOSSLESS,
        "the file is run as a whole: every port's root qdisc is replaced, and what waits in it is "
        "dropped",
        _TC,
    ),
)
ASIC = (
    Rule(
        r"script",
        LOSSLESS,
        "the file is run as a whole: DSCP table, PFC and lossless buffers of the ports are set",
        _CUMULUS,
    ),
)
CAGES = (
    Rule(
        r"script",
        SESSION,
        "a cage that is split loses its port, and gets others",
        "devlink-port(8), port split",
    ),
)
SYSCTLS = (
    Rule(
        r"net\.ipv[46]\.(?:ip_forward|conf\.all\.forwarding) ?= ?(?P<value>.*)",
        SESSION,
        "forwarding begins or ends",
        _SYSCTL,
    ),
    Rule(
        r"-?net\.ipv[46]\.fib_multipath_hash_.*",
        LOSSLESS,
        "flows are spread anew: packets in flight overtake each other, which RDMA takes for loss",
        CAUTION,
    ),
    Rule(
        r".*? = (?P<value>.*)",
        HITLESS,
        "holds from the next packet or neighbour on. What is taken out of the file holds until "
        "the next boot",
        _SYSCTL,
    ),
)
DAEMONS = (
    Rule(
        r".*",
        SESSION,
        "FRR restarts to start or stop a daemon: every session ends",
        "docs.frrouting.org, Basic Setup, Daemons Configuration File",
    ),
)
UNITS = (
    Rule(
        r"\[Service\] > ExecStart=.*",
        LOSSLESS,
        "the unit is restarted to run it, and with it tc.batch and dcb.sh run again",
        _TC,
    ),
    Rule(r".*", HITLESS, "holds from the next start of the unit on", "systemd.unit(5)"),
)
NAMES = (Rule(r".*", REBOOT, "ports are named when they appear: at the next boot", "udev(7)"),)
SERVICES = (
    Rule(r".*", HITLESS, "accounts, time, logs and names: forwarding does not know them", USE),
)
UNKNOWN = Rule(
    r".*", LOSSLESS, "not known: no rule speaks of it, so the switch is to be drained", CAUTION
)


def _interfaces(text: str) -> Settings:
    return sections(text, fold=_fold)


_SERVICE_FILES = (
    r"etc/(?:hostname|issue\.net|resolv\.conf|chrony/.*|lldpd\.d/.*|snmp/.*|rsyslog\.d/.*|ssh/.*|"
    r"sysusers\.d/.*|tmpfiles\.d/.*|fabricgen/passwords)"
)
_FILES = (
    (r"etc/network/interfaces", _interfaces, INTERFACES),
    (r"etc/fabricgen/tc\.batch", script, QUEUES),
    (r"etc/fabricgen/dcb\.sh", script, ASIC),
    (r"etc/fabricgen/breakout\.sh", script, CAGES),
    (r"etc/sysctl\.d/.*", lines, SYSCTLS),
    (r"etc/frr/daemons", lines, DAEMONS),
    (r"etc/systemd/.*", ini, UNITS),
    (r"etc/udev/.*", lines, NAMES),
    (_SERVICE_FILES, lines, SERVICES),
    (r".*", lines, ()),
)
DIALECTS = (
    frr.dialect(r"etc/frr/frr\.conf"),
    *(
        Dialect(file=re.compile(file), read=read, rules=rules, unknown=UNKNOWN)
        for file, read, rules in _FILES
    ),
)
