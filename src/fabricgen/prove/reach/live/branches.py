"""List the equal-cost branches between two endpoints from the model alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from ipaddress import ip_address, ip_network

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.reach.live.steps import Branch, Step
from fabricgen.prove.reach.matrix import Case
from fabricgen.prove.runs import Expected
from fabricgen.prove.walk.packet import Address, End

MOST = 64
"""Maximum number of listed branches. Every hop of all branches is compared."""
_DEEPEST = 16
"""Maximum number of switches on a branch; a fabric has at most nine."""


class NotFollowed(ValueError):  # noqa: N818 - it is an answer
    """The path of this packet is not followed; the text is the reason."""


@record(eq=False, kw_only=True)
class Ground:
    """The model that branches follow.

    Attributes:
        expected: State of each running switch.
        slices: Design of each switch.
        cables: Cables between switches, from end to end.
        known: Indexed underlay routes.
    """

    expected: Mapping[str, Expected]
    slices: Mapping[str, SwitchSlice]
    cables: Mapping[End, End]
    known: dict[str, "Underlay"] = field(default_factory=dict)

    def underlay(self, name: str) -> "Underlay":
        """Return the designed underlay routes of a switch, which are indexed once."""
        if name not in self.known:
            self.known[name] = Underlay(self.expected[name])
        return self.known[name]


def steps(ground: Ground, case: Case) -> tuple[list[Step], list[Branch], int]:
    """Return every hop by its distance, the first branches, and the number of all branches.

    Raises:
        NotFollowed: The path leaves the fabric, or uses a switch that is not running.
    """
    starts, ends = case.one.station.ends, case.other.station.ends
    if case.one.fabric is not case.other.fabric or not starts or not ends:
        raise NotFollowed("the path leaves the fabric, or leads to a network behind a router")
    after: dict[Step, tuple[Step, ...]] = {}
    first = [step for end in starts for step in _from(ground, case, end, ends)]
    front = first
    while front:
        for step in front:
            after.setdefault(step, tuple(_next(ground, step, ends)))
        front = list(dict.fromkeys(n for s in front for n in after[s] if n not in after))
    every = sorted(after, key=lambda each: each.depth)
    places = {step: place for place, step in enumerate(every)}
    listed = [tuple(places[step] for step in row) for row in _rows(first, after)]
    return every, listed, _count(first, after)


def _from(ground: Ground, case: Case, end: End, ends: Sequence[End]) -> Iterator[Step]:
    """Yield the hops on the leaf of the sender."""
    leafs = list(dict.fromkeys(far.switch for far in ends))
    if end.switch in leafs:
        leafs = [end.switch]
    for leaf in leafs:
        tunneled = case.one.vlan is not None or case.one.vrf is not None
        target = _endpoint(ground, leaf) if tunneled else str(case.packet.target)
        if tunneled and not target and leaf != end.switch:
            raise NotFollowed(f"{leaf} has no tunnel endpoint")
        yield from _at(ground, end.switch, end.port, 0, target, leaf, ends)


def _endpoint(ground: Ground, leaf: str) -> str:
    """Return the address of a leaf's tunnel endpoint. Empty without one."""
    vtep = _slice(ground, leaf).vtep
    return vtep.host if vtep is not None else ""


def _slice(ground: Ground, name: str) -> SwitchSlice:
    if name not in ground.expected:
        raise NotFollowed(f"{name} is not among the running switches, or has no state reader")
    return ground.slices[name]


def _at(
    ground: Ground, name: str, enters: str, depth: int, target: str, last: str, ends: Sequence[End]
) -> Iterator[Step]:
    """Yield the hops of a packet on one switch: one for each port that it may leave by."""
    _slice(ground, name)
    if depth > _DEEPEST:
        raise NotFollowed(f"the route to {target} does not end")
    if name == last:
        ports: Sequence[str] = [end.port for end in ends if end.switch == name]
        target = ""
    else:
        ports = ground.underlay(name).next_hops(target)
        if not ports:
            raise NotFollowed(f"the model has no route of {name} to {target}")
    for port in ports:
        yield Step(switch=name, enters=enters, leaves=port, depth=depth, target=target, last=last)


class Underlay:
    """Designed underlay routes of one switch, by prefix length."""

    def __init__(self, expected: Expected) -> None:
        """Index the routes, also those outside the sample of a look."""
        self._ports: dict[tuple[int, int], dict[int, tuple[str, ...]]] = {}
        for key, own in expected.facts.items():
            if key[:2] == ("route", GLOBAL) and "ports" in own:
                prefix = ip_network(key[2])
                known = self._ports.setdefault((prefix.version, prefix.prefixlen), {})
                known[int(prefix.network_address)] = tuple(map(str, own["ports"]))
        self._lengths = sorted(self._ports, key=lambda each: -each[1])

    def next_hops(self, target: str) -> tuple[str, ...]:
        """Return the ports of the longest prefix around an address."""
        address = ip_address(target)
        for version, length in self._lengths:
            low = address.max_prefixlen - length
            value = int(address) >> low << low
            if version == address.version and value in self._ports[version, length]:
                return self._ports[version, length][value]
        return ()


def holds(prefix: str, address: Address) -> bool:
    """Return whether a prefix contains an address; a switch may report other texts as well."""
    try:
        network = ip_network(prefix, strict=False)
    except ValueError:
        return False
    return network.version == address.version and address in network


def _next(ground: Ground, step: Step, ends: Sequence[End]) -> Iterator[Step]:
    """Yield the hops on the switch behind a port."""
    if step.is_last:
        return
    far = ground.cables.get(End(step.switch, step.leaves))
    if far is None:
        raise NotFollowed(f"{step.switch} {step.leaves} leads to no switch")
    yield from _at(ground, far.switch, far.port, step.depth + 1, step.target, step.last, ends)


def _rows(first: Sequence[Step], after: Mapping[Step, Sequence[Step]]) -> list[list[Step]]:
    """Return the first branches, depth first."""
    rows: list[list[Step]] = []
    stack = [[step] for step in reversed(first)]
    while stack and len(rows) < MOST:
        row = stack.pop()
        more = after[row[-1]]
        if not more:
            rows.append(row)
        stack += [[*row, step] for step in reversed(more)]
    return rows


def _count(first: Sequence[Step], after: Mapping[Step, Sequence[Step]]) -> int:
    """Return the number of branches without listing them."""
    counts: dict[Step, int] = {}
    for step in sorted(after, key=lambda each: -each.depth):
        counts[step] = sum(counts[each] for each in after[step]) or 1
    return sum(counts[step] for step in first)
