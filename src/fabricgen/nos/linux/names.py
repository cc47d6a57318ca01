"""Spells ports, bonds, tunnels and other devices as Linux names them."""

from dataclasses import replace
from functools import cache

from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.shared.frr.names import FrrNames

LOOPBACK = "lo"
BRIDGE = "br0"
MANAGEMENT_PORT = "eth0"


def port_name(port: Port) -> str:
    """Spell a port as Cumulus does, and as udev does for mlxsw: swp1, broken out swp1s0.

    The rule is NAME="sw$attr{phys_port_name}" (Mellanox/mlxsw wiki, Switch Port Configuration); the
    driver's phys_port_name is p1 or p1s0.
    """
    return f"swp{port.cage}" if port.subs == 1 else f"swp{port.cage}s{port.sub}"


def bond_name(number: int) -> str:
    """Spell a bundle."""
    return f"bond{number}"


def device_of(port: Interface) -> str:
    """Spell the port, bond or tagged share of one by which something outside is reached."""
    if port.tunnel is not None and port.tag is not None:
        return gre_name(port.port.cage, port.tag)
    own = bond_name(port.lag) if port.lag is not None else port_name(port.port)
    return f"{own}.{port.tag}" if port.tag is not None else own


def gre_name(cage: int, key: int) -> str:
    """Spell a tunnel; ifupdown2 takes what has a dot in its name for a VLAN."""
    return f"gre{cage}-{key}"


def below(port: Interface) -> str:
    """Spell the device that a tunnel's packets leave by."""
    assert port.tunnel is not None
    return device_of(replace(port, tag=port.tunnel.below, tunnel=None))


def vlan_name(vlan: int) -> str:
    """Spell the routed interface of a VLAN."""
    return f"vlan{vlan}"


def tunnel_name(vni: int) -> str:
    """Spell the VXLAN device of a VNI."""
    return f"vni{vni}"


# With nexthop objects FRR 8.4 loses equal paths: the kernel drops a link's nexthops when the link
# goes down, and zebra, which thinks it has them still, does not put them back when it comes up
# again. Seen in the lab (docs/evidence/lab.md). FRRouting/frr pull requests 13413 (for 9.0) and
# 18374 repair cases of it, issue 14481 names this line as a workaround.
_NEXTHOP_OBJECTS = False
# packages.debian.org, source package frr: bookworm has 8.4.4-1.1~deb12u1, trixie 10.3-3.
_FRR_VERSIONS = {"debian12": "8.4.4", "debian13": "10.3"}
DEFAULT = "debian12"  # what the lab boots
RELEASES = tuple(_FRR_VERSIONS)
MULTIPATH = 256  # `show version` of Debian 12: --enable-multipath=256; debian/rules of FRR has it


@cache
def frr_names(release: str) -> FrrNames:
    """Return how a release of Debian spells what frr.conf names; the default's when empty."""
    return FrrNames(
        port=port_name,
        loopback=LOOPBACK,
        version=_FRR_VERSIONS[release or DEFAULT],
        multipath=MULTIPATH,
        nexthop_objects=_NEXTHOP_OBJECTS,
        bundle=bond_name,
        gateway=vlan_name,
        outward=device_of,
    )
