"""Define how the Linux platform runs in containerlab, in a Debian image with FRR and ifupdown2."""

from typing import Any

from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.containerlab import LAB_IMAGE, START, Kind, Wired, nothing
from fabricgen.nos.linux.names import port_name


def _spelled(switch: Switch, port: Port, number: int) -> str:
    del switch, number
    return port_name(port)


def _linux(wired: Wired) -> dict[str, Any]:
    return {
        "binds": [f"{wired.folder}/etc:/fabricgen/etc:ro", f"{START}:/fabricgen/start:ro"],
        "exec": ["sh /fabricgen/start"],
    }


KIND = Kind(
    name="linux",
    image=LAB_IMAGE,
    wire=_spelled,
    node=_linux,
    beside=nothing,
    unchanged="The rendered /etc overlays the container's /etc; sysctl, ifreload, FRR and tc then "
    "read it. The image is built from image/Dockerfile: Debian 12 with its FRR 8.4.4 and "
    "ifupdown2.",
    differs=(
        "Ports without a cable are dummy devices, so that the interfaces file finds them.",
        "Without systemd, sshd, chrony, lldpd, rsyslog and snmpd do not start.",
        "Accounts do not exist: log in with `docker exec`.",
        "Limits of the neighbor table are the machine's; a veth pair has no PFC and no DCB.",
    ),
)
