"""Build the lab host of a server from its files, and the `ip` commands that configure it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.nos.hosts.readback.network import Device, Network, Route, Rule


@record(kw_only=True)
class HostInterface:
    """One interface of a host.

    members: ports of a bond. vlan: VLAN id of a tagged interface on `parent`. options: bond options
    of the kernel.
    """

    name: str
    mtu: int
    addresses: tuple[str, ...] = ()  # 172.16.0.1/31
    members: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    parent: str = ""
    vlan: int = 0


@record(kw_only=True)
class Endpoint:
    """Address of a host that can be reached, and its group.

    Attributes:
        gateway: First router of the address.
        group: VRF of a tenant, or rail of a NIC.
        segment: VLAN, or leaf.
        `beside`: Other segments that the host reaches without a router.
        vrf: VRF of the server on rails; empty without tenants.
    """

    name: str
    host: str
    fabric: str
    device: str
    address: str
    gateway: str
    group: str
    segment: str
    leaf: str
    mtu: int
    beside: tuple[str, ...] = ()
    vrf: str = ""

    @property
    def version(self) -> int:
        """Return the IP version of its address."""
        return 6 if ":" in self.address else 4


@dataclass(slots=True, kw_only=True)
class AttachedHost:
    """One server; a server in two fabrics is one host.

    Attributes:
        routed: Whether it has routed ports.
        cabled: Its ports, and the leaf of each.
        speaker: Its files of FRR, by path.
    """

    name: str
    fabrics: list[str] = field(default_factory=list)
    interfaces: list[HostInterface] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    endpoints: list[Endpoint] = field(default_factory=list)
    cabled: dict[str, str] = field(default_factory=dict)
    routed: bool = False
    speaker: dict[str, str] = field(default_factory=dict)

    def take(self, network: Network) -> None:
        """Record the interfaces that the files define on ports with a cable."""
        for name, each in sorted(network.devices.items(), key=lambda item: _stage(item[1])):
            members = tuple(sorted(each.members & self.cabled.keys()))
            if name in self.cabled or members or self.of(each.link):
                self.interfaces.append(_interface_of(name, each, members))
        self.routes += [route for route in network.routes if self.of(route.device)]
        tables = {route.table for route in self.routes}
        self.rules += [rule for rule in network.rules if rule.table in tables]

    def of(self, name: str) -> HostInterface | None:
        """Return the interface of that name."""
        return next((each for each in self.interfaces if each.name == name), None)

    def leaf(self, device: str) -> str:
        """Return the leaf behind an interface; for a bond, the leaf of its preferred port."""
        own = self.of(device)
        if own is None or device in self.cabled:
            return self.cabled[device]
        return self.leaf(own.parent or own.options.get("primary") or own.members[0])


def _stage(device: Device) -> int:
    """Order interfaces by dependency: ports, bonds, VLANs."""
    return 2 if device.link else int(bool(device.members))


def _interface_of(name: str, device: Device, members: tuple[str, ...]) -> HostInterface:
    """Return it with the members that are there; a preferred one that is not, is not preferred."""
    options = {
        key: value for key, value in device.options.items() if key != "primary" or value in members
    }
    return HostInterface(
        name=name,
        mtu=device.mtu,
        addresses=device.addresses,
        members=members,
        options=options,
        parent=device.link,
        vlan=device.vlan,
    )


def commands(host: AttachedHost) -> Iterator[str]:
    """Yield the `ip` commands that configure a host."""
    bundled = {member for each in host.interfaces for member in each.members}
    for each in host.interfaces:
        if each.name not in bundled:
            yield from _interface(each)
    for route in host.routes:
        yield _route(route)
    for rule in host.rules:
        yield _rule(rule)


def _interface(each: HostInterface) -> Iterator[str]:
    if each.members:
        options = " ".join(f"{word} {value}" for word, value in each.options.items())
        yield f"ip link add {each.name} type bond {options}"
        for member in each.members:
            yield f"ip link set {member} down"
            yield f"ip link set {member} master {each.name}"
    if each.vlan:
        yield f"ip link add link {each.parent} name {each.name} type vlan id {each.vlan}"
    yield f"ip link set {each.name} mtu {each.mtu} up"
    for address in each.addresses:
        yield f"ip address add {address} dev {each.name}"


def _route(route: Route) -> str:
    words = [_ip(f"{route.via}{route.prefix}"), "route add"]
    words += ["unreachable"] if route.unreachable else []
    words += [route.prefix]
    if not route.unreachable:
        words += [f"via {route.via}"] if route.via else []
        words += [f"dev {route.device}"]
        words += [] if route.via else ["scope link"]
    words += [f"metric {route.metric}"] if route.metric else []
    words += [f"table {route.table}"] if route.table else []
    return " ".join(words)


def _rule(rule: Rule) -> str:
    words = [_ip(f"{rule.source}{rule.to}"), "rule add from", rule.source or "all"]
    words += [f"to {rule.to}"] if rule.to else []
    return " ".join([*words, f"table {rule.table} priority {rule.priority}"])


def _ip(about: str) -> str:
    return "ip -6" if ":" in about else "ip"
