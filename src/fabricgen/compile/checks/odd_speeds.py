"""Check that a kind of servers has the port speeds that such servers usually have.

An unusual speed is legal and works, so the finding is a note. It is mostly a mistake: a speed of
another kind, or a missing set of ports. Correct `speed`, add the set, or acknowledge the note.

The check examines kinds in `servers`. The intent has no other ports for servers that a leaf group
counts, so their purpose is unknown.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, IntentPath, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Equipment, Nic, Server

FAST = BitsPerSecond.parse("400G")
"""From this speed on, a tenants' port of a server without GPUs and without storage is odd.

A DGX BasePOD has its management servers on SN4600C, whose ports have 100G at most:
docs.nvidia.com/dgx-basepod/reference-architecture-infrastructure-foundation-enterprise-ai/latest/reference-architectures.html
NVIDIA's site controllers have ports of 25G or 100G, and a DPU with two ports of 200G:
nvidia.github.io/ncx-infra-controller-core/manuals/site-reference-arch.html
Newer designs allow cards that also exist with 400G, so this is a note.
"""
SLOW = BitsPerSecond.parse("25G")
"""Below this speed, the fastest port of a GPU server for its data is odd.

A GPU server has two ports of 200G for storage, management and users:
docs.nvidia.com/enterprise-reference-architectures/hgx-ai-factory-h100-h200-b200/latest/network-logical-architecture.html
With B300 the two ports have 400G:
docs.nvidia.com/enterprise-reference-architectures/hgx-ai-factory/latest/network-logical-architecture.html
No source gives a lowest speed. 25G is an eighth of the smaller one, and sites in `intent` have it.
"""
CONTROLLER = BitsPerSecond.parse("10G")
"""Above this speed, the out-of-band port of a server is odd.

All devices of a DGX SuperPOD join the out-of-band network with 1 GbE, for IPMI and Redfish:
docs.nvidia.com/dgx-superpod/reference-architecture/scalable-infrastructure-rubinx86/latest/management-servers.html
No source gives a highest speed. 10G leaves room for a faster controller.
"""


class _Network(Enum):
    """The network that a set of ports is on."""

    RAILS = auto()
    ROUTED = auto()
    TENANTS = auto()
    OUT_OF_BAND = auto()
    CONTROLLERS = auto()  # out of band, in the VLAN of BMCs or power units


@dataclass(slots=True, kw_only=True)
class _Ports:
    """One set of ports of a kind.

    Attributes:
        path: Place of the speed in the intent.
        network: Network of the ports.
        has_storage: Storage has a fabric or a traffic class there.
        slowest: Speed of the slowest port.
        fastest: Speed of the fastest port.
    """

    path: IntentPath
    network: _Network
    has_storage: bool
    slowest: BitsPerSecond
    fastest: BitsPerSecond


class _Odd(NamedTuple):
    """One unusual speed: the place of the set, the sentence and the hint."""

    path: IntentPath
    text: str
    hint: str


class OddSpeeds(Tallied):
    """Sets of ports of each kind, compared with usual speeds."""

    name, code, noun = "odd speeds", Code.ODD_SPEED, "switches"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.kinds: dict[str, dict[str, _Ports]] = defaultdict(dict)
        self.equipment: dict[str, Equipment] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the speeds of the servers' ports on one switch."""
        self.tally.objects += 1
        for interface in switch_slice.interfaces:
            server, nic = interface.peer, interface.peer_port
            if isinstance(server, Server) and isinstance(nic, Nic) and server.equipment is not None:
                self.equipment[server.kind] = server.equipment
                self.port(fabric, interface, server, nic)

    def port(self, fabric: Fabric, interface: Interface, server: Server, nic: Nic) -> None:
        """Record the speed of one port."""
        speed, sets = interface.port.speed, self.kinds[server.kind]
        ports = sets.get(nic.network)
        if ports is None:
            network = _network(fabric, interface, server, nic)
            ports = sets[nic.network] = _Ports(
                path=(*server.because.main, "ports", nic.network, "speed"),
                network=network,
                has_storage=_has_storage(fabric, network),
                slowest=speed,
                fastest=speed,
            )
        ports.slowest, ports.fastest = min(ports.slowest, speed), max(ports.fastest, speed)

    def result(self) -> Examined:
        """Report the unusual speeds of each kind."""
        fabrics = {fabric.name for fabric in self.site.fabrics}
        for kind, equipment in self.equipment.items():
            if not equipment.fabrics <= fabrics:
                continue  # an error left a fabric out, which may be the one for storage
            sets = self.kinds[kind]
            data = _slow_data if equipment.gpus else _fast_tenants
            for odd in (*data(kind, sets), *_fast_controllers(kind, sets)):
                self.tally.add("odd speeds", odd.text, odd.path, odd.hint, Severity.NOTE)
        return self.tally.result()


def _network(fabric: Fabric, interface: Interface, server: Server, nic: Nic) -> _Network:
    """Return the network that a port is on."""
    end, managed = (server.name, nic.network), fabric.managed
    if managed is not None and end in managed.ports:
        return _Network.CONTROLLERS
    if managed is not None and end in managed.ends:
        return _Network.OUT_OF_BAND
    if interface.use is not Use.NIC:
        return _Network.TENANTS
    plan = fabric.plan_of(server, nic.network)
    return _Network.RAILS if plan is not None and plan.railed else _Network.ROUTED


def _has_storage(fabric: Fabric, network: _Network) -> bool:
    """Return whether a fabric is for storage: it is routed, or has a class for storage."""
    if network is _Network.ROUTED or fabric.qos is None:
        return network is _Network.ROUTED
    kinds = {each.kind for each in fabric.qos.classes}
    return Kind.STORAGE in kinds or (network is _Network.TENANTS and Kind.LOSSLESS in kinds)


def _fast_tenants(kind: str, sets: Mapping[str, _Ports]) -> Iterator[_Odd]:
    """Report tenants' ports of 400G and more on servers without GPUs and storage."""
    if any(ports.has_storage or ports.network is _Network.RAILS for ports in sets.values()):
        return
    for name, ports in sets.items():
        if ports.network is _Network.TENANTS and ports.slowest >= FAST:
            yield _Odd(
                ports.path,
                f"ports {name} of {kind} run at {ports.slowest}, but servers without GPUs and "
                "without a storage network have 25G to 200G in reference designs",
                "set `speed: 200G` or less, set `gpus` if they have some, or acknowledge the "
                "note for storage servers",
            )


def _slow_data(kind: str, sets: Mapping[str, _Ports]) -> Iterator[_Odd]:
    """Report GPU servers whose fastest port for data is slower than 25G."""
    ways = [
        (ports.fastest, name, ports)
        for name, ports in sets.items()
        if ports.has_storage or ports.network is _Network.TENANTS
    ]
    speed, name, ports = max(ways, key=lambda way: way[0], default=(SLOW, "", None))
    if ports is not None and speed < SLOW:
        yield _Odd(
            ports.path,
            f"ports {name} of {kind} run at {speed}, and its GPUs have no faster port for data; "
            "reference designs have two ports of 200G or 400G",
            f"set `speed: {SLOW}` or more, or add a set of ports on a storage fabric",
        )


def _fast_controllers(kind: str, sets: Mapping[str, _Ports]) -> Iterator[_Odd]:
    """Report BMCs with more than 10G. A kind that is only out of band serves that network."""
    out_of_band = (_Network.OUT_OF_BAND, _Network.CONTROLLERS)
    if all(ports.network in out_of_band for ports in sets.values()):
        return
    for name, ports in sets.items():
        if ports.network is _Network.CONTROLLERS and ports.slowest > CONTROLLER:
            yield _Odd(
                ports.path,
                f"ports {name} of {kind} are out of band and run at {ports.slowest}, but a BMC "
                "has 1G",
                "set `speed: 1G` here and on the out-of-band fabric, whose leafs then have ports "
                "of 1G",
            )
