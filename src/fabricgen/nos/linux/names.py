"""Spell ports, bonds, tunnels and other devices as Linux names them."""

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
    return f"bond{number}"


def device_of(port: Interface) -> str:
    """Spell the port, bond or tagged share towards an external router."""
    if port.tunnel is not None and port.tag is not None:
        return gre_name(port.port.cage, port.tag)
    own = bond_name(port.lag) if port.lag is not None else port_name(port.port)
    return f"{own}.{port.tag}" if port.tag is not None else own


def gre_name(cage: int, key: int) -> str:
    """Spell a tunnel without a dot, because ifupdown2 treats names with a dot as VLANs."""
    return f"gre{cage}-{key}"


def below(port: Interface) -> str:
    assert port.tunnel is not None
    return device_of(replace(port, tag=port.tunnel.below, tunnel=None))


def vlan_name(vlan: int) -> str:
    return f"vlan{vlan}"


def tunnel_name(vni: int) -> str:
    return f"vni{vni}"


# With nexthop objects FRR 8.4 loses ECMP paths: the kernel drops a link's nexthops when the link
# goes down, and zebra, which assumes that they still exist, does not restore them when it comes up
# again. Seen in the lab (docs/evidence/lab.md); FRRouting/frr pull requests 13413 (for 9.0) and
# 18374 fix cases, and issue 14481 names this line as the workaround.
_NEXTHOP_OBJECTS = False
# packages.debian.org, source package frr: bookworm has 8.4.4-1.1~deb12u1, trixie 10.3-3.
_FRR_VERSIONS = {"debian12": "8.4.4", "debian13": "10.3"}
DEFAULT = "debian12"  # what the lab boots
RELEASES = tuple(_FRR_VERSIONS)
MULTIPATH = 256  # `show version` of Debian 12: --enable-multipath=256; debian/rules of FRR has it


@cache
def frr_names(release: str) -> FrrNames:
    """Return the names in frr.conf for a release of Debian; empty selects the default."""
    return FrrNames(
        port=port_name,
        loopback=LOOPBACK,
        version=_FRR_VERSIONS[release or DEFAULT],
        multipath=MULTIPATH,
        nexthop_objects=_NEXTHOP_OBJECTS,
        bundle=bond_name,
        moves=True,
        gateway=vlan_name,
        outward=device_of,
    )
