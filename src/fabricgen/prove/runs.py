"""Lists every fact that a switch must show while it runs.

These are the facts of its files and facts that only a running switch has. The latter are the state
of links and sessions, the neighbor on each cable, and the egress ports of packets.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.compile.checks import ends
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import CHOSEN, GLOBAL, Attributes, Facts, Key, Topic, Value, merged
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.pinned import Instance, route_distinguisher
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import ANY_ASN
from fabricgen.nos.lowering import PORTS_ALONE, Heard, spell
from fabricgen.nos.sample import sampled
from fabricgen.nos.show import ENABLED, ESTABLISHED, UP, Part, Reader, Source
from fabricgen.prove.designed import MORE, Designed, Expectation, peer_of
from fabricgen.prove.running_overlay import SERVER, Around, in_hardware, running
from fabricgen.prove.running_qos import lossless_of, running_qos
from fabricgen.prove.underlay import Underlay


@record(kw_only=True)
class Expected:
    """Expected state of one switch.

    Attributes:
        designs: Purpose and reason of each object.
        ports: Port of the session with the next switch.
        optional: Objects that may be absent.
        samples: Kinds whose objects may be absent if no look has asked for them. Their set
            would exceed all other data.
        asked: Objects of these kinds that a look asks for.
        about: Part of each topic.
        sources: Place of each topic in the answers.
        others: Sorts and names of objects that custom or unmanaged lines name.
        segments: Server port-channels that another leaf has as well.
        release: Named release and its version, if any.
        paused: Priorities that PFC protects, by port.
        marked: Ports and classes with ECN.
    """

    switch: str
    platform: str
    facts: Facts
    designs: Mapping[Key, Designed]
    ports: Mapping[Key, str]
    optional: frozenset[Key]
    samples: tuple[str, ...] = ()
    asked: frozenset[Key] = frozenset()
    about: Mapping[Topic, Part]
    sources: Mapping[tuple[str, ...], Source] = field(default_factory=dict)
    others: frozenset[tuple[str, str]] = frozenset()
    segments: frozenset[str] = frozenset()
    release: tuple[str, str] = ("", "")
    paused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marked: frozenset[tuple[str, str]] = frozenset()

    def of(self, kind: str) -> dict[Key, Attributes]:
        """Return the required objects of a kind."""
        return {
            key: own for key, own in self.facts.items() if key[0] == kind and not self.may_lack(key)
        }

    def may_lack(self, key: Key) -> bool:
        """Return whether an object may be absent from a look."""
        return key in self.optional or (
            key[0] in self.samples and key not in self.asked and key in self.facts
        )

    def role(self, key: Key) -> str:
        """Return the purpose of an object as text, if the design of every platform has it."""
        role = self.designs[key].role if key in self.designs else MORE
        return "" if role == MORE else role

    def because(self, key: Key) -> Provenance | None:
        """Return the reason of an object."""
        return self.designs[key].because if key in self.designs else None

    def waits_for(self, session: Key) -> bool:
        """Return whether a session must come up: its peer is among the running switches."""
        return "state" in self.facts.get(session, {"state": UP})


def topic(key: Key, attribute: str) -> Topic:
    """Return the topic of a fact: `marking 1:3` of queues is about their marking."""
    return key[0], attribute.partition(" ")[0]


def strangers(designed: Value | None, heard: Value | None) -> list[tuple[str, ...]]:
    """Return unexpected LLDP neighbors of a cable; `designed` has the permitted ones."""
    right = {(end[0], port) for end in designed or () for port in end[1:]}
    ends = [(end[0].partition(".")[0], *end[1:]) for end in heard or ()]  # without its DNS domain
    return [end for end in ends if not any((end[0], port) in right for port in end[1:])]


def expected(
    switch_slice: SwitchSlice,
    ways: Underlay,
    reader: Reader,
    part: frozenset[str] | None = None,
    answered: Collection[tuple[str, str]] = (),
    heard: Heard = PORTS_ALONE,
    there: Around | None = None,
) -> Expected:
    """Return the expected state of a switch.

    `part`: the only running switches. `ways` are then the paths of this part. None: the whole site
    and its surroundings. `answered`: of a part, the running external peers, by switch and label.
    `heard`: LLDP neighbors of each cable. A session that may have any ASN shows the one that it
    has. `there`: the running leafs of its fabric. Without it, their routes are not expected.
    """
    more = [*_vnis(switch_slice), *_sessions(switch_slice, ways, part, answered)]
    more += [*_routes(switch_slice, ways), *_of_platform(switch_slice, reader)]
    more += _ports(switch_slice, part, heard)
    more += _running(switch_slice, reader, there, more)
    files = Expectation(reader.names, frozenset(reader.about)).objects(switch_slice)
    facts, designs = _joined((*files, *more), reader.about)
    for key in _outward(switch_slice, part):
        if "link" in facts[key]:
            facts[key] = facts[key] | {"link": ENABLED}
    optional = frozenset(each.key for each in more if each.role in (ANYONE, SERVER))
    asked = frozenset(key for kind in reader.samples for key in sampled(facts, kind))
    # A route that no look asks for needs no reason, and most objects of a large fabric are those.
    said = {k: each for k, each in designs.items() if k[0] not in reader.samples or k in asked}
    paused, marked = lossless_of(switch_slice)
    return Expected(
        switch=switch_slice.switch.name,
        platform=switch_slice.switch.platform,
        facts=facts,
        designs=said,
        ports=_session_ports(switch_slice),
        optional=optional | (reader.omits(facts) if reader.omits is not None else frozenset()),
        samples=reader.samples,
        asked=asked,
        about=reader.about,
        sources=reader.sources,
        segments=_segments(switch_slice, reader),
        release=_release(switch_slice.switch.release, reader),
        paused=paused,
        marked=marked,
    )


_NO_FACTS: Attributes = {}
"""The facts of an object are in `Expected.facts`; its reason keeps no second copy."""


def _joined(
    objects: Iterable[Designed], about: Mapping[Topic, Part]
) -> tuple[Facts, dict[Key, Designed]]:
    """Return the facts of all objects, and their reasons. Several places of one object add up."""
    facts: Facts = {}
    designs: dict[Key, Designed] = {}
    for each in objects:
        own = {
            n: v
            for n, v in each.attributes.items()
            if topic(each.key, n) in about and v not in (ANY_ASN, CHOSEN)
        }
        old = designs.get(each.key)
        facts[each.key] = own if old is None else merged(facts[each.key], own)
        if old is not None:
            role = old.role if each.role == MORE else each.role
            each = each._replace(role=role, because=each.because or old.because)  # noqa: PLW2901
        designs[each.key] = each._replace(key=(), attributes=_NO_FACTS)
    return facts, designs


def _running(
    switch_slice: SwitchSlice, reader: Reader, there: Around | None, routes: Iterable[Designed]
) -> Iterator[Designed]:
    """Yield the objects of every running switch, as far as its reader has their topics."""
    named = running(switch_slice, reader.names, there) if there is not None else ()
    facts = {each.key: each.attributes for each in routes if each.key[0] == "route"}
    chip = (Designed(MORE, key, own) for key, own in in_hardware(facts))
    for each in (*named, *chip, *running_qos(switch_slice)):
        if any(topic(each.key, name) in reader.about for name in each.attributes) or (
            not each.attributes and each.key[0] in {kind for kind, _ in reader.about}
        ):
            yield each


def _of_platform(switch_slice: SwitchSlice, reader: Reader) -> Iterator[Designed]:
    """Yield the facts that a running switch of the platform has, and its management port."""
    for key, own, why in reader.expects(switch_slice) if reader.expects is not None else ():
        yield Designed(MORE, key, own, why)
    yield Designed(ANYONE, ("cable", reader.names.management), {"far": ()})


def _release(name: str, reader: Reader) -> tuple[str, str]:
    return (name, reader.runs(name)) if name and reader.runs is not None else ("", "")


def _session_ports(switch_slice: SwitchSlice) -> dict[Key, str]:
    """Return the port of each session in the global VRF."""
    return {
        ("session", GLOBAL, peer_of(switch_slice, each)): spell(
            switch_slice.switch, each.interface.port
        )
        for each in switch_slice.sessions
        if each.interface is not None
    }


def _segments(switch_slice: SwitchSlice, reader: Reader) -> frozenset[str]:
    """Return the names of the port-channels that have an Ethernet segment."""
    lags = (lag for lag in switch_slice.lags if lag.segment is not None)
    return frozenset(reader.names.bundle(lag.number) for lag in lags)


ANYONE = "anyone"
"""The neighbor of such a port may lack LLDP, as a server (SERVER)."""


def _sessions(
    switch_slice: SwitchSlice,
    ways: Underlay,
    part: frozenset[str] | None,
    answered: Collection[tuple[str, str]],
) -> Iterator[Designed]:
    """Yield the sessions that come up. A loopback session needs a path as well."""
    bfd = switch_slice.routing.bfd
    near = frozenset(ways.routes.get(switch_slice.switch.name, ()))
    within = part & near if part is not None else near or None
    for each in switch_slice.sessions:
        lit = each.interface is None or not each.interface.silent
        up = lit and (within is None or each.peer.name in within)
        key = (GLOBAL, peer_of(switch_slice, each))
        watched = None if each.overlay else bfd
        yield from _session(each.peer.name, key, watched, each.because, up=up, ospf=each.ospf)
    for peer in switch_slice.peers:  # a server may be off
        key, watched = (peer.vrf, peer.remote.host), bfd if peer.bfd else None
        up = (part is None and not peer.inside) or (
            switch_slice.switch.name,
            peer.label,
        ) in answered
        yield from _session(peer.name, key, watched, peer.because, up=up)


def _session(
    name: str, key: Key, bfd: Bfd | None, why: Provenance, *, up: bool, ospf: bool = False
) -> Iterator[Designed]:
    """Yield the state of a session, and its BFD; its other facts are in the files.

    An OSPF adjacency has BFD alone here. The routes to loopbacks show whether it is there.
    """
    if not ospf:
        yield Designed(name, ("session", *key), {"state": ESTABLISHED} if up else {}, why)
    if bfd is not None:
        timers: Attributes = {"timers": f"{int(bfd.interval)} ms times {bfd.multiplier}"}
        yield Designed(name, ("bfd", *key), {**timers, **({"state": UP} if up else {})}, why)


def _vnis(switch_slice: SwitchSlice) -> Iterator[Designed]:
    if switch_slice.vtep is None or switch_slice.overlay is None:
        return
    known = {vrf.name for vrf in switch_slice.vrfs}
    rules, source = switch_slice.overlay, switch_slice.vtep.host

    def routed(of: Instance, layer: str, vrf: str, why: Provenance) -> Designed:
        own: Attributes = {"vlan": str(of.number), "source": source, "layer": layer, "vrf": vrf}
        own |= {"rd": route_distinguisher(switch_slice.loopback, of), **rules.targets(of)}
        return Designed("VNI", ("vni", str(of.vni)), own, why)

    for each in switch_slice.vlans:
        if each.vni is not None:  # without a gateway it has no interface that could be in a VRF
            vrf = each.vrf if each.gateways and each.vrf in known else None
            yield routed(each, "2", vrf or GLOBAL, each.because)
    for own in switch_slice.tunneled:
        yield routed(own, "3", own.name, own.because)


def _ports(
    switch_slice: SwitchSlice, part: frozenset[str] | None, heard: Heard
) -> Iterator[Designed]:
    """Yield the neighbor of each port, and whether LLDP must see it."""
    for item in switch_slice.interfaces:
        name, peer = spell(switch_slice.switch, item.port), item.peer
        far = peer.name if peer is not None else item.outside
        role = "unused port" if item.use is Use.UNUSED else f"port to {far}"
        yield Designed(role, ("interface", name), {})
        if item.use is Use.EXTERNAL:
            yield Designed(ANYONE, ("cable", name), {"far": ()})
        elif peer is not None and item.peer_port is not None and not item.shut:
            role = "switch" if isinstance(peer, Switch) else SERVER
            role = ANYONE if item.dark else role
            if part is None or peer.name in part or role != "switch":
                there: Attributes = {"far": (heard(peer, item.peer_port),)}
                yield Designed(role, ("cable", name), there, item.because)


def _outward(switch_slice: SwitchSlice, part: frozenset[str] | None) -> Iterator[Key]:
    """Yield open ports to absent switches, or of dead links, whose link state is unknown."""
    for item in switch_slice.interfaces:
        away = part is not None and isinstance(item.peer, Switch) and item.peer.name not in part
        if (away or item.dark) and not item.shut:
            yield ("interface", spell(switch_slice.switch, item.port))


def _routes(switch_slice: SwitchSlice, ways: Underlay) -> Iterator[Designed]:
    names = {
        ends.key(item.port): spell(switch_slice.switch, item.port)
        for item in switch_slice.interfaces
    }
    for origin, ports in ways.routes.get(switch_slice.switch.name, {}).items():
        leave: Attributes = {"ports": tuple(sorted(names[port] for port in ports))}
        for prefix in ways.prefixes[origin]:
            yield Designed(origin, ("route", GLOBAL, prefix), leave)
    for prefix in ways.links:  # any way is right: no packet of a server goes to a link
        yield Designed(ANYONE, ("route", GLOBAL, prefix), {})
