"""Derives from the design what the files of each port must configure for QoS.

Only this module uses the model. Ports with equal expectations share one `Wanted`: a fabric has a
handful, not one for each cable.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.model.fabric.interface import between_sites
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.redundancy import waits
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Port, Server, Switch


@record(eq=False, kw_only=True)
class Wanted:
    """Requirements of a port in use.

    `least`: bytes of headroom in the design. `alpha`: designed exponent of the threshold. `buffer`:
    bytes of a whole lossless buffer. All None if the model's memory is unknown, so that no file can
    state it either. `contract`: settings of the NIC; None for other ports and without RoCE. `rate`:
    maximum rate. `shut`: it waits. `ports`: ports in the layout of its switch.
    """

    qos: Qos
    mtu: int
    speed: BitsPerSecond
    length: Meters
    least: int | None
    alpha: int | None
    buffer: int | None
    to_server: bool
    ports: int
    contract: HostContract | None = None
    rate: BitsPerSecond | None = None
    shut: bool = False

    @property
    def sends(self) -> BitsPerSecond:
        """Return its maximum rate."""
        return self.rate if self.rate is not None else self.speed


End = tuple[Port, Wanted]
"""One end of a link: the port, and its requirements."""


@dataclass(slots=True)
class Expected:
    """Requirements of the ports of one fabric."""

    fabric: Fabric
    _made: dict[tuple[object, ...], Wanted] = field(default_factory=dict)
    _contracts: dict[HostPlan, HostContract | None] = field(default_factory=dict)

    def ends(self, switch: Switch) -> tuple[End, ...]:
        """Return every port of a switch on a path: between switches, or to a server."""
        qos, routed = self.fabric.qos_of(switch.role), self.fabric.addresses.nics is not None
        taken = routed or (qos is not None and qos.serves)
        if qos is None:
            return ()
        ends: list[End] = []
        own = self.fabric.in_state(switch.name, State.DRAINED)
        drained = own.because if own is not None else None
        mine: dict[tuple[int, int, HostPlan | None, bool, bool], Wanted] = {}
        for link in self.fabric.topology.links_at[switch.name]:
            to_server = link.to_server
            if link.of_pair or (to_server and not taken):
                continue  # a server without a class: its DSCPs are not trusted
            shut = waits(self.fabric, switch, link, drained) is not None
            kind = link.speed, link.length, self.plan(link), to_server, shut
            if kind not in mine:
                mine[kind] = self.wanted(switch, qos, *kind)
            port = link.upper_port if link.upper is switch else link.lower_port
            assert isinstance(port, Port)
            ends.append((port, mine[kind]))
        return (*ends, *self.to_sites(switch, qos))

    def to_sites(self, switch: Switch, qos: Qos) -> Iterator[End]:
        """Yield the ports of links to other sites, if they share by classes, too."""
        if qos.lossless or not qos.serves or self.fabric.overlay is None:
            return
        for link in self.fabric.overlay.edge.values():
            for item in link.ports if link.leaf == switch.name else ():
                if between_sites(item):
                    wanted = self.wanted(switch, qos, item.port.speed, item.length, None)
                    yield item.port, replace(wanted, mtu=item.mtu, rate=item.rate)

    def wanted(
        self,
        switch: Switch,
        qos: Qos,
        speed: BitsPerSecond,
        length: Meters,
        nics: HostPlan | None,
        to_server: bool = False,  # noqa: FBT001, FBT002 - a fact of the link, passed on as it is
        shut: bool = False,  # noqa: FBT001, FBT002 - the same
    ) -> Wanted:
        """Return the requirements of every port of this kind."""
        ports = switch.laid_out
        memory = self.memory(switch)
        key = (switch.model, memory, id(qos), speed, length, nics, to_server, shut, ports)
        wanted = self._made.get(key)
        if wanted is None:
            routing = self.fabric.routing
            plan = self.fabric.lossless.switches.get(switch.name) if self.fabric.lossless else None
            port = plan.port(speed, length) if plan else None
            wanted = self._made[key] = Wanted(
                qos=qos,
                mtu=routing.tenant_mtu if to_server and routing.overlay else routing.mtu,
                speed=speed,
                length=length,
                least=int(port.headroom) if port else None,
                alpha=plan.alpha if plan else None,
                buffer=int(port.headroom + port.below) if port else None,
                to_server=to_server,
                ports=ports,
                contract=self.contract(nics),
                shut=shut,
            )
        return wanted

    def plan(self, link: Link) -> HostPlan | None:
        """Return the plan of the NICs at the lower end of a link."""
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
            return self.fabric.plan_of(link.lower, link.lower_port.network)
        return None

    def contract(self, nics: HostPlan | None) -> HostContract | None:
        """Return the settings of NICs; one object for all equal plans."""
        if nics is not None and nics not in self._contracts:
            self._contracts[nics] = contract_of(
                self.fabric.qos, self.fabric.routing.tenant_mtu, nics
            )
        return self._contracts[nics] if nics is not None else None

    def memory(self, switch: Switch) -> int:
        """Return a key that distinguishes the memory plans of two switches."""
        lossless = self.fabric.lossless
        return id(lossless.switches.get(switch.name)) if lossless else 0
