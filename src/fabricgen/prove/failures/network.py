"""Builds the graph of a group of server ports, and applies a failure to it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from fabricgen.model.fabric.topology import Link, Nic, Server, Switch, Topology
from fabricgen.prove.failures.groups import Group

# An endpoint has an address: a bond of a server, or a port without a bond. Endpoints with the same
# ports on the same leafs are one node with a size, because they are interchangeable. Every other
# node is a switch. Capacities are bit/s in each direction, summed over all links of two nodes.

Left = Callable[[int, int], int]
"""Capacity of one member of a node towards a neighbor, with or without a failure."""
Cable = tuple[int, int, int]
"""Two nodes, the smaller first, and the speed of one link between them."""
KINDLESS = -1
"""Instead of the GPUs of a server that its fabric's `servers` key defines."""
POD, ALL = 5, 6
"""Heights up to spines, and up to superspines."""


@dataclass(slots=True, eq=False, kw_only=True)
class Net:
    """The graph of one group. Node i is names[i]; a node of servers names several.

    `near`: of each node, its neighbors with the capacity between; of endpoints, of one of them
    towards the leaf. `height`: 0 endpoints, 2 leafs, 4 spines, 6 superspines; 3 for the upper of
    two joined leafs. `capacity`: what one endpoint of a node sends at once; 0 for switches. `tied`:
    bonds of several ports. `gpus`: of each server of a node. `ends`: the endpoints of each server,
    without those that only send in addition. `exits`: leafs by which it leaves the site. `origin`:
    nodes of separated endpoints.
    """

    names: list[tuple[str, ...]] = field(default_factory=list)
    near: list[dict[int, int]] = field(default_factory=list)
    height: list[int] = field(default_factory=list)
    capacity: list[int] = field(default_factory=list)
    tied: list[bool] = field(default_factory=list)
    gpus: list[int] = field(default_factory=list)
    node: dict[str, int] = field(default_factory=dict)
    ends: dict[str, dict[str, None]] = field(default_factory=dict)
    exits: frozenset[int] = frozenset()
    origin: dict[int, int] = field(default_factory=dict)
    _homes: dict[tuple[int, ...], list[str]] = field(default_factory=dict)
    _turns: dict[str, int] = field(default_factory=dict)

    def size(self, node: int) -> int:
        """Return the number of members of a node."""
        return len(self.names[node])

    def add(
        self,
        names: tuple[str, ...],
        height: int,
        capacity: int = 0,
        *,
        tied: bool = False,
        gpus: int = 0,
    ) -> int:
        """Add a node without neighbors and return its number."""
        number = len(self.names)
        self.names.append(names)
        self.near.append({})
        self.height.append(height)
        self.capacity.append(capacity)
        self.tied.append(tied)
        self.gpus.append(gpus)
        self.node.update(dict.fromkeys(names, number))
        return number

    def homes(self) -> dict[tuple[int, ...], list[str]]:
        """Return the servers of a complete graph by the nodes of their endpoints."""
        if not self._homes:
            for server in self.ends:
                self._homes.setdefault(self.home(server), []).append(server)
        return self._homes

    def home(self, server: str) -> tuple[int, ...]:
        """Return the nodes of a server's endpoints."""
        return tuple(sorted(self.node[name] for name in self.ends[server]))

    def _move(self, server: str, homes: dict[tuple[int, ...], list[str]]) -> None:
        """Take over the homes of all servers except one; homes are in the order of servers."""
        old = next(home for home, servers in homes.items() if server in servers)
        rest = [each for each in homes[old] if each != server]
        moved = {**homes, old: rest, self.home(server): [server]}
        turns = self._turns
        if not turns:
            turns.update((each, number) for number, each in enumerate(self.ends))
        order = sorted(filter(moved.get, moved), key=lambda home: turns[moved[home][0]])
        self._homes = {home: moved[home] for home in order}

    def endpoints(self) -> list[int]:
        """Return the nodes of endpoints."""
        return [node for node, height in enumerate(self.height) if not height]

    def apart(self, name: str, server: str) -> "Net":
        """Return the graph with one endpoint of a server as a separate node."""
        old = self.node[name]
        if self.size(old) == 1:
            return self
        new = Net(
            names=list(self.names),
            near=list(self.near),
            height=list(self.height),
            capacity=list(self.capacity),
            tied=list(self.tied),
            gpus=list(self.gpus),
            node=dict(self.node),
            ends=self.ends,
            exits=self.exits,
            origin=dict(self.origin),
            _turns=self._turns,
        )
        rest = tuple(each for each in self.names[old] if each != name)
        kind = (self.tied[old], self.gpus[old])
        alone = new.add((name,), 0, self.capacity[old], tied=kind[0], gpus=kind[1])
        new.origin[alone] = old
        new.names[old] = rest
        new.near[alone] = dict(self.near[old])
        for leaf, each in self.near[old].items():
            new.near[leaf] = {**self.near[leaf], old: len(rest) * each, alone: each}
        new._move(server, self.homes())
        return new

    def cable(self, link: Link) -> Cable | None:
        """Return a link as the graph has it; None if it is outside the group."""
        below = link.lower.name
        if isinstance(link.lower, Server):
            below = endpoint(link)
            if below not in self.ends.get(link.lower.name, ()):
                return None
        ends = self.node.get(below), self.node.get(link.upper.name)
        if ends[0] is None or ends[1] is None or ends[1] not in self.near[ends[0]]:
            return None
        return min(ends[0], ends[1]), max(ends[0], ends[1]), link.speed

    def peers(self, leaf: int) -> list[int]:
        """Return the other leaf of an MLAG pair, if it is one."""
        return [node for node in self.near[leaf] if self.height[node] == self.height[leaf]]

    def uplinks(self, leaf: int) -> list[int]:
        """Return the switches above a switch."""
        return [node for node in self.near[leaf] if self.height[node] > self.height[leaf]]

    def racks(self) -> list[int]:
        """Return the part of each node if only server links and MLAG pairs join nodes."""
        return self._parts(lambda low, high: low in (0, high))

    def pods(self) -> list[int]:
        """Return the part of each node if all links except those of superspines join nodes."""
        return self._parts(lambda _, high: high <= POD)

    def _parts(self, joins: Callable[[int, int], bool]) -> list[int]:
        part = list(range(len(self.names)))

        def root(node: int) -> int:
            while part[node] != node:
                part[node] = node = part[part[node]]
            return node

        for node, near in enumerate(self.near):
            for other in near:
                if joins(*sorted((self.height[node], self.height[other]))):
                    first, second = sorted((root(node), root(other)))
                    part[second] = first
        return [root(node) for node in range(len(part))]


def net_of(topology: Topology, group: Group) -> Net:
    """Return the graph of a group: its servers, their leafs, and the switches above."""
    net = Net()
    uppers = {
        link.upper.name
        for link in topology.links
        if isinstance(link.lower, Switch)
        and link.lower.role is link.upper.role
        and not link.of_pair
    }
    used = {link.upper.name for link in group.links} | group.exits
    for switch in topology.switches:
        if not switch.is_leaf or switch.name in used:
            net.add((switch.name,), 2 * switch.role.tier + (switch.name in uppers))
    net.exits = frozenset(net.node[leaf] for leaf in group.exits)
    for link in topology.links if group.joined else ():
        if isinstance(link.lower, Switch):
            _join(net, link)
    for link in group.links:
        net.ends.setdefault(link.lower.name, {})[endpoint(link)] = None
    _seat(net, (*group.links, *group.beside))
    return net


def _join(net: Net, link: Link) -> None:
    lower, upper = net.node.get(link.lower.name), net.node.get(link.upper.name)
    if lower is not None and upper is not None:
        for one, other in ((lower, upper), (upper, lower)):
            net.near[one][other] = net.near[one].get(other, 0) + link.speed


def _seat(net: Net, links: Sequence[Link]) -> None:
    """Add the endpoints: those with the same capacity, ports and GPUs are one node."""
    ports: dict[str, list[Link]] = {}
    for link in links:
        ports.setdefault(endpoint(link), []).append(link)
    alike: dict[tuple[int, bool, int, tuple[tuple[int, int], ...]], list[str]] = {}
    for name, mine in ports.items():
        leafs: Counter[int] = Counter()
        for link in mine:
            leafs[net.node[link.upper.name]] += link.speed
        key = (_capacity(mine), len(mine) > 1, _gpus(mine[0]), tuple(sorted(leafs.items())))
        alike.setdefault(key, []).append(name)
    for (capacity, tied, gpus, speeds), names in alike.items():
        node = net.add(tuple(names), 0, capacity, tied=tied, gpus=gpus)
        for leaf, speed in speeds:
            net.near[node][leaf] = speed
            net.near[leaf][node] = speed * len(names)


def endpoint(link: Link) -> str:
    """Return the endpoint of a server's port: the bond of its set, or the port."""
    nic = link.lower_port
    bond = nic.network if isinstance(nic, Nic) and nic.bond != "none" else nic.label
    return f"{link.lower.name}:{bond}"


def _gpus(link: Link) -> int:
    """Return the GPUs of a server by its kind; KINDLESS without one."""
    equipment = link.lower.equipment if isinstance(link.lower, Server) else None
    return equipment.gpus if equipment is not None else KINDLESS


def _capacity(links: Sequence[Link]) -> int:
    """Return the capacity of an endpoint: all its ports, or one of an active-backup bond."""
    speeds = [link.speed for link in links]
    backup = {getattr(link.lower_port, "bond", "") for link in links} == {"active-backup"}
    return max(speeds) if backup else sum(speeds)


@dataclass(slots=True, eq=False)
class Damage:
    """Lost nodes, and lost capacity between two others, the smaller first.

    A node with a lost link has one member, so all members of a node lose equally.
    """

    net: Net
    dead: frozenset[int] = frozenset()
    lost: Counter[tuple[int, int]] = field(default_factory=Counter)
    touched: frozenset[int] = field(init=False)
    """The nodes that fail or have a failed link."""

    def __post_init__(self) -> None:
        """Collect the touched nodes."""
        self.touched = self.dead.union(*self.lost) if self.lost else self.dead

    def left(self, node: int, other: int) -> int:
        """Return the remaining capacity of one member of a node towards a neighbor."""
        if node in self.dead or other in self.dead:
            return 0
        gone = self.lost[(node, other) if node < other else (other, node)] if self.lost else 0
        return self.net.near[node][other] - gone

    def hurts(self, node: int) -> bool:
        """Return whether a node has less capacity than before."""
        return node in self.touched or not self.dead.isdisjoint(self.net.near[node])

    def links(self, node: int) -> list[int]:
        """Return the neighbors to which a node has capacity left."""
        near = self.net.near[node]
        if self.hurts(node):
            return [other for other in near if self.left(node, other)]
        return [other for other, capacity in near.items() if capacity]

    def alive(self, node: int) -> bool:
        """Return whether servers of a node have a port left."""
        return bool(self.links(node))


def damage(net: Net, switches: Iterable[str], links: Iterable[Link]) -> Damage | None:
    """Return the failed elements in a graph; None if it contains none of them."""
    cables = [link for link in links if net.cable(link) is not None]
    for link in cables:
        if isinstance(link.lower, Server):
            net = net.apart(endpoint(link), link.lower.name)
    dead = frozenset(net.node[name] for name in switches if name in net.node)
    lost: Counter[tuple[int, int]] = Counter()
    for link in cables:
        one, other, speed = net.cable(link) or (0, 0, 0)
        lost[one, other] += speed
    return Damage(net, dead, lost) if dead or lost else None
