"""Build the VRFs, tunnels and gateways of a Linux switch."""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import spans
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Multicast, Vlan
from fabricgen.nos.linux.names import BRIDGE, tunnel_name
from fabricgen.nos.linux.view import (
    Gateways,
    Snooping,
    Transits,
    Tunnel,
    Tunnels,
    VrfDevice,
    VrfDevices,
)

# ifupdown2 uses tables 1001 to 5000 (addons/vrf.py VRF_TABLE_START, VRF_TABLE_END). Tenants have
# 1001 to 1999 because a VRF id ends at 999, so the management VRF has the next one.
TENANT_TABLES = 1000
MANAGEMENT_TABLE = 2000


def table(vrf: Vrf) -> int:
    """Return the routing table of a VRF."""
    return TENANT_TABLES + vrf.id


def vrf_devices(vrfs: tuple[Vrf, ...], leaf: Switch) -> VrfDevices:
    probes = (vrf.diagnostics for vrf in vrfs)
    return _vrf_devices(vrfs, tuple(each and str(each.address(leaf)) for each in probes))


@lru_cache(maxsize=256)
def _vrf_devices(vrfs: tuple[Vrf, ...], addresses: tuple[str | None, ...]) -> VrfDevices:
    return VrfDevices(tuple(map(_vrf_device, vrfs, addresses)))


def _vrf_device(vrf: Vrf, address: str | None) -> VrfDevice:
    """Return the device of a VRF. Its address is a loopback's: no device is behind it."""
    why, probes = vrf.because, vrf.diagnostics
    if probes is not None:
        paths = (*why.paths, *probes.because.paths)
        why = Provenance(paths, f"{why.rule}; {probes.because.rule}")
    return VrfDevice(
        name=vrf.name, table=table(vrf), because=why, alias=vrf.description, address=address
    )


@lru_cache(maxsize=256)
def tunnels(vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...], mtu: int) -> Tunnels | None:
    """Return one VXLAN device per VNI, because FRR 8.4 does not support a single device."""
    devices = [
        Tunnel(
            name=tunnel_name(vlan.vni),
            vni=vlan.vni,
            vlan=vlan.id,
            suppress="on",
            because=vlan.because,
            alias=vlan.description if not vlan.gateways else None,
        )
        for vlan in vlans
        if vlan.vni is not None
    ]
    devices += [
        Tunnel(
            name=tunnel_name(vrf.vni),
            vni=vrf.vni,
            vlan=vrf.transit_vlan,
            suppress="off",
            because=vrf.because,
        )
        for vrf in vrfs
    ]
    return Tunnels(mtu, tuple(devices)) if devices else None


@lru_cache(maxsize=256)
def snooping(vlans: tuple[Vlan, ...], every: tuple[int, ...]) -> Snooping | None:
    """Return the VLANs with snooping. `every`: numbers of all VLANs in the bridge.

    A tunnel is a router port: other leafs receive the reports, and all group traffic of local
    servers.
    """
    mine = [vlan for vlan in vlans if vlan.multicast is Multicast.SNOOPED]
    if not mine:
        return None
    asked = tuple((vlan.id, tunnel_name(vlan.vni) if vlan.vni else None) for vlan in mine)
    rest = spans(set(every) - {vlan.id for vlan in mine})
    cited = tuple((*vlan.because.main, "multicast") for vlan in mine)
    why = Provenance(cited, "servers report their groups when they are queried")
    flooded = tuple(rest.split(",")) if rest else ()
    return Snooping(bridge=BRIDGE, asked=asked, flooded=flooded, because=why)


@lru_cache(maxsize=256)
def gateways(vlans: tuple[Vlan, ...], mac: str | None, mtu: int) -> Gateways | None:
    own = tuple(vlan for vlan in vlans if vlan.gateways)
    return Gateways(mtu=mtu, mac=mac, vlans=own) if own else None


@lru_cache(maxsize=256)
def transits(vrfs: tuple[Vrf, ...], mtu: int) -> Transits | None:
    return Transits(mtu, vrfs) if vrfs else None
