"""Paths of the rendered files in; what a lab does not do with them, and why, out."""

from collections.abc import Iterable

from fabricgen.lab.plan import Skipped

# What a file is for, by the end of its path, and why the lab leaves it. Everything else is used.
_LEFT = (
    ("etc/fabricgen/passwords", "passwords", "secrets stay references; log in with the lab's key"),
    ("etc/chrony/chrony.conf", "time", "no NTP server is in the lab; the clock is this machine's"),
    ("etc/rsyslog.d/fabricgen.conf", "syslog", "no collector is in the lab"),
    ("etc/snmp/snmpd.conf", "SNMP", "snmpd is not started"),
    ("etc/resolv.conf", "DNS", "no resolver is in the lab"),
    ("etc/fabricgen/dcb.sh", "PFC and DCB", "a veth pair has no pause frames and no DCB"),
    ("etc/fabricgen/breakout.sh", "breakout", "the ports are made as they are after the split"),
    ("etc/udev/rules.d/", "udev rules", "the ports are made with their names"),
    ("etc/fabricgen/nics.sh", "NIC QoS", "a virtual NIC has no RoCE; addresses and routes are set"),
    ("etc/nccl.conf", "NCCL", "there is no GPU"),
)


def skipped_by(paths: Iterable[str]) -> tuple[Skipped, ...]:
    """Name what is left out, once for all switches."""
    inner = [path.split("/", 2)[-1] for path in paths]
    return tuple(
        Skipped(what, why)
        for mark, what, why in _LEFT
        if any(path.startswith(mark) for path in inner)
    )
