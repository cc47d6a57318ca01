"""Spell ports, loopbacks, speeds and neighbors as EOS names them."""

from collections.abc import Mapping
from functools import lru_cache

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.pair import PEER_BUNDLE
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.topology import Port

LOOPBACK, VTEP, MANAGEMENT = "Loopback0", "Loopback1", "Management1"
PEER_LINK = f"Port-Channel{PEER_BUNDLE}"
MAX_VLAN_NAME = 32  # characters; from memory of the EOS manual, no public text was found

# Speed words of the plain `speed` command: schema of pyavd 6.4.0, ethernet_interfaces[].speed.
# From 50G up they contain lane counts.
SPEEDS = frozenset(
    {"1g", "10g", "25g", "40g", "50g-1", "50g-2", "100g-1", "100g-2", "100g-4"}
    | {"200g-1", "200g-2", "200g-4", "400g-2", "400g-4", "400g-8", "800g-4", "800g-8", "1.6t-8"}
)
_WITHOUT_LANES = 40 * 10**9


@lru_cache(maxsize=64)
def _lanes(model: SwitchModel) -> Mapping[int, int]:
    return {cage.number: cage.lanes for cage in model.cages}


def port_name(model: SwitchModel, port: Port) -> str:
    """Return `Ethernet3/5` for the interface on lanes 5.. of cage 3, `Ethernet65` for an SFP cage.

    The number after the slash is the first lane: edge-core/sonic-buildimage@64500e14
    device/arista/x86_64-arista_7050cx3_32s/Arista-7050CX3-32S-D48C8/port_config.ini has
    Ethernet1/1 and Ethernet1/3 for 2x50G.
    """
    if _lanes(model).get(port.cage, port.lanes) == 1:
        return f"Ethernet{port.cage}"
    return f"Ethernet{port.cage}/{port.lane + 1}"


def outward_name(model: SwitchModel, item: Interface) -> str:
    """Spell the port, port-channel or tagged share towards an external router."""
    own = f"Port-Channel{item.lag}" if item.lag is not None else port_name(model, item.port)
    return f"{own}.{item.tag}" if item.tag is not None else own


@lru_cache(maxsize=1024)
def speed_word(speed: BitsPerSecond, lanes: int) -> str:
    """Return the word of the `speed` command: 400g-4, 25g."""
    word = str(speed).lower()
    return word if speed <= _WITHOUT_LANES else f"{word}-{lanes}"


def neighbor(address: Ip, vlan: int) -> str:
    """Return BGP's name of a neighbor in a VLAN. Link-local addresses have a zone, `%Vl3001`.

    aristanetworks/avd, eos_cli_config_gen, router-bgp-v4-v6-evpn: `neighbor fe80::b%Vl4094`.
    """
    return address.host if address.version == 4 else f"{address.host}%Vl{vlan}"


def diagnostic_source(vrf: Vrf) -> str:
    """Return the loopback with a VRF's diagnostic address: Loopback1001 to 1999, by its id.

    AVD takes any from 2 to 2100 (its schema of vtep_diagnostic.loopback).
    """
    return f"Loopback{1000 + vrf.id}"


def relay_source(relay: Relay) -> str:
    """Return the source loopback of a VRF's DHCP relay: Loopback2 to 1000, by its id."""
    return f"Loopback{relay.number + 1}"


def password_of(neighbor: str, reference: str) -> str:
    """Return EOS's reference to a password: by its neighbor or peer group.

    PyAVD 6.4.0, `bgp_encrypt`: its key is `<PEER_GROUP_NAME>` or `<NEIGHBOR_IP>`.
    """
    return f"bgp7:{neighbor}@{reference}"
