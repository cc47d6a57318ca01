"""Rates the effect of a change of a server's files on its jobs by sourced rules for each file.

netplan, networkctl or nmcli apply the change, and the units of fabricgen restart. A change that a
running job does not notice until its restart is hitless.
"""

import re

from fabricgen.core.tree.risk import CAUTION, USE, Dialect, Risk, Rule
from fabricgen.core.tree.settings import ini, lines, script, sections

HITLESS, SESSION, LOSSLESS, _ = Risk

_MLX5 = "Linux 0696d60853d5 (net/mlx5e: receive buffers and xoff follow PFC, cable length and MTU)"

NICS = (
    Rule(
        r"script",
        LOSSLESS,
        "the NIC's DSCP table, PFC, buffers and congestion control are set on every rail",
        _MLX5,
    ),
)
FIRMWARE = (
    Rule(
        r"script",
        LOSSLESS,
        "written, it waits for a reset of the NIC, so the server is to be drained",
        "mstfwreset(1): driver restart and PCI reset, or a reboot",
    ),
)
NETWORK = (
    Rule(
        r".*(?:mtu: |MTUBytes=|mtu=)(?P<value>\d+)",
        LOSSLESS,
        "the NIC's lossless buffers follow the MTU, and queue pairs keep the old one",
        _MLX5,
    ),
    Rule(
        r".*(?:parameters: > |\[[Bb]ond\] > ).*",
        SESSION,
        "an option of a bond is set while it is down: its ports are for a moment",
        "docs.kernel.org/networking/bonding, Configuring Bonding Manually via Sysfs",
    ),
    Rule(
        r".*",
        SESSION,
        "an address, a route, a rule, a VLAN or a bond: connections over it may break",
        "netplan-apply(8), networkctl(1): the interface is configured anew",
    ),
)
PEERING = (
    Rule(
        r".*",
        SESSION,
        "what speaks BGP is told anew: routes of the server may go and come back",
        "docs.frrouting.org, frr-reload; docs.cilium.io, BGP Control Plane; docs.tigera.io, BGP",
    ),
)
JOBS = (
    Rule(
        r".*",
        HITLESS,
        "NCCL reads it when it starts: the next job has it",
        "docs.nvidia.com, NCCL, Environment Variables (/etc/nccl.conf)",
    ),
)
SYSCTLS = (
    Rule(
        r".*? = (?P<value>.*)",
        HITLESS,
        "holds from the next packet or ARP request on",
        "docs.kernel.org/networking/ip-sysctl.html",
    ),
)
UNITS = (
    Rule(
        r"\[Service\] > ExecStart=.*",
        LOSSLESS,
        "the unit is restarted to run it: the NICs are set again",
        _MLX5,
    ),
    Rule(r".*", HITLESS, "holds from the next start of the unit on", "systemd.unit(5)"),
)
CLOCK = (Rule(r".*", HITLESS, "the server's clock alone, when ptp4l is started again", "ptp4l(8)"),)
EVENTS = (Rule(r".*", HITLESS, "holds from the next device that appears on", "udev(7)"),)
CHECKS = (Rule(r".*", HITLESS, "read by the check only, which changes nothing", USE),)
UNKNOWN = Rule(
    r".*", LOSSLESS, "not known: no rule speaks of it, so the server is to be drained", CAUTION
)

_FILES = (
    (r"etc/fabricgen/nics\.sh", script, NICS),
    (r"etc/fabricgen/firmware\.sh", script, FIRMWARE),
    (r"etc/fabricgen/check", script, CHECKS),
    (r"etc/fabricgen/(?:rails|routed|links)", lines, CHECKS),
    (r"etc/frr/.*|etc/fabricgen/(?:cilium|calico)\.yaml", sections, PEERING),
    (r"etc/nccl\.conf", lines, JOBS),
    (r"etc/fabricgen/ptp4l\.conf", lines, CLOCK),
    (r"etc/systemd/system/(?:fabricgen-p.*|.*/fabricgen-ptp)\.(?:service|conf)", ini, CLOCK),
    (r"etc/sysctl\.d/.*", lines, SYSCTLS),
    (r"etc/netplan/.*", sections, NETWORK),
    (r"etc/(?:systemd/network|NetworkManager/system-connections)/.*", ini, NETWORK),
    (r"etc/(?:systemd/system|tmpfiles\.d)/.*", ini, UNITS),
    (r"etc/udev/rules\.d/.*", lines, EVENTS),
    (r".*", lines, ()),
)
DIALECTS = tuple(
    Dialect(file=re.compile(file), read=read, rules=rules, unknown=UNKNOWN)
    for file, read, rules in _FILES
)
