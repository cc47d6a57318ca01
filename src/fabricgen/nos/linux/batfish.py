"""Join the files of a Linux switch to the one file that Batfish reads as Cumulus Linux.

The file has host name, interfaces, ports and frr.conf in this order (pybatfish
docs/source/formats.md, Cumulus configuration files). The bridge gets the one name that Batfish's
reader knows. Of the interfaces, only keywords of batfish CumulusInterfacesParser.g4@0083db57
remain. Batfish does not use the other settings of ifupdown2, such as VXLAN timers and `pre-up`
commands.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.nos.nos import Export

BRIDGE = "bridge"
_OURS = re.compile(r"\bbr0\b")
_KNOWN = frozenset(
    {
        "auto",
        "iface",
        "address",
        "alias",
        "bond-lacp-rate",
        "bond-miimon",
        "bond-min-links",
        "bond-mode",
        "bond-slaves",
        "bridge-access",
        "bridge-arp-nd-suppress",
        "bridge-learning",
        "bridge-ports",
        "bridge-pvid",
        "bridge-vids",
        "bridge-vlan-aware",
        "gateway",
        "hwaddress",
        "mtu",
        "vlan-id",
        "vlan-raw-device",
        "vrf",
        "vrf-table",
        "vxlan-id",
        "vxlan-local-tunnelip",
    }
)


def snapshot(switch: str, files: Mapping[str, str]) -> Export:
    """Return the file of a snapshot by its path."""
    parts = (
        switch,
        "# This file describes the network interfaces",
        *_interfaces(files["etc/network/interfaces"]),
        "# ports.conf --",
        files["etc/frr/frr.conf"],
    )
    return Export({f"configs/{switch}.cfg": "\n".join(parts)})


def _interfaces(text: str) -> Iterator[str]:
    """Yield the lines that Batfish reads, with its name of the bridge in names of interfaces."""
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word == "alias" or not word:
            yield line
        elif word in _KNOWN:
            yield _OURS.sub(BRIDGE, line)
