"""Checks in the rendered files of a site that every rail path is lossless.

Each process reads one switch after the other and keeps only a verdict. A verdict has one small
table of ports, shared by all switches with the same text. Links are checked at the end over all
verdicts, each distinct pair of ends once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import cast

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, IntentPath, Severity, shortened
from fabricgen.core.record import record
from fabricgen.model.fabric.port_qos import DSCPS, Lack, PortQos, QosState
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.registry import nos
from fabricgen.prove.qos.expected import End, Expected, Wanted
from fabricgen.prove.qos.nics import disagreements
from fabricgen.prove.qos.rules import broken, paused_for_nothing

# A path is a row of hops and links. By symmetry each distinct pair of states is checked once:
# ingress and egress of a switch (a hop), and the two ends of a link. 100,000 cables of a fabric
# reduce to a handful of pairs.

_SHOWN = 3  # differences of one pair of ends


@lru_cache(maxsize=4096)
def judge_hop(ingress: PortQos, egress: PortQos, qos: Qos) -> tuple[str, ...]:
    """Check the path through one switch: a stopped class must make the switch pause its sender.

    If a pause of priority 3 stops a queue, the waiting packets must make this switch send pauses of
    priority 3, and must not stop packets of another class.
    """
    faults: dict[str, list[int]] = {}
    for item in qos.classes:
        for dscp in item.dscps:
            queue = egress.queue(ingress.classes[dscp])
            stops, sends = egress.stopped_by(queue), ingress.sent_for(dscp)
            if stops != item.paused or sends not in (item.paused, None):
                text = f"is stopped by a pause of {stops} and sends one of {sends}"
                faults.setdefault(f"{text}; it must be {item.paused}", []).append(dscp)
    return tuple(f"DSCP {dscps[0]} {text}" for text, dscps in faults.items())


@lru_cache(maxsize=4096)
def judge_link(lower: PortQos, upper: PortQos) -> tuple[str, ...]:
    """Check a cable: both ends pause and stop the same priorities, and classify equally."""
    faults = []
    if lower.paused != upper.paused:
        one, other = sorted(lower.paused), sorted(upper.paused)
        faults.append(f"has PFC for {one}, the other end for {other}; pauses must go both ways")
    if lower.mtu != upper.mtu:
        faults.append(f"has MTU {lower.mtu}, but the other end {upper.mtu}; they must be equal")
    for dscp in DSCPS:
        for sender, receiver in ((lower, upper), (upper, lower)):
            queue = sender.queue(sender.classes[dscp])
            stops, sends = sender.stopped_by(queue), receiver.sent_for(dscp)
            if sends is not None and stops != sends:
                faults.append(
                    f"has DSCP {dscp} in a queue that priority {stops} stops, but one end pauses "
                    f"{sends} for it; both must be equal"
                )
    return tuple(faults[:_SHOWN])


Spell = Callable[[Switch, Port], str]

NAME, NOUN = "lossless-chain", "ports read back"

Ends = dict[str, "PortQos"]
"""Ports by their neutral label."""


@record()
class PortVerdict:
    """Checked ports of a switch: every fault, and the state of ports without one.

    A fault has the name of its port, or an empty one.
    """

    faults: tuple[tuple[str, str], ...]
    ends: Ends


@record(kw_only=True)
class Verdict:
    """One checked switch. None for its ports if its platform is not read back."""

    fabric: str
    switch: str
    platform: str
    ports: PortVerdict | None
    paths: tuple[tuple[IntentPath, str], ...] = ()
    objects: int = 0


def verify(
    site: Site, rendered: Iterable[tuple[Switch, Mapping[str, str]]], spell: Spell
) -> Examined:
    """Read every switch's files, by their paths below its folder, and check all paths."""
    proof = Readback(site, spell)
    for switch, files in rendered:
        proof.take(proof.judge(switch, files))
    return proof.result()


class Readback:
    """Checks the files of switch after switch, then all paths over the verdicts."""

    def __init__(self, site: Site, spell: Spell) -> None:
        """Prepare for one site; `spell` names a port as its platform does."""
        self._spell = spell
        self._fabrics = {fabric.name: fabric for fabric in site.fabrics}
        self._expected = {name: Expected(fabric) for name, fabric in self._fabrics.items()}
        self._known: dict[object, PortVerdict] = {}
        self._ends: dict[tuple[str, str], Ends] = {}
        self._faults: dict[tuple[IntentPath, str], list[str]] = {}
        self._unread: dict[str, str] = {}
        self.objects = 0

    def judge(self, switch: Switch, files: Mapping[str, str]) -> Verdict:
        """Read and check one switch; only `take` stores the result."""
        fabric = self._fabrics[switch.fabric]
        reader = nos(switch.platform).qos
        if reader is None:
            return Verdict(
                fabric=fabric.name, switch=switch.name, platform=switch.platform, ports=None
            )
        ends = self._expected[switch.fabric].ends(switch)
        state = reader.load()(switch.model, files)
        key = (switch.platform, state, switch.model, switch.ports, ends)
        ports = self._known.get(key)
        if ports is None:
            ports = self._known[key] = self.ports(switch, fabric, state, ends)
        return Verdict(
            fabric=fabric.name,
            switch=switch.name,
            platform=switch.platform,
            ports=ports,
            paths=tuple(self.paths(fabric, switch, files)),
            objects=len(ends),
        )

    def take(self, verdict: Verdict) -> None:
        """Store the verdict of a switch, from here or another process."""
        if verdict.ports is None:
            self._unread.setdefault(verdict.platform, verdict.switch)
            return
        self._ends[verdict.fabric, verdict.switch] = verdict.ports.ends
        self.objects += verdict.objects
        for path, fault in verdict.paths:
            self._faults.setdefault((path, fault), []).append(verdict.switch)
        for port, fault in verdict.ports.faults:
            self.say(self._fabrics[verdict.fabric], verdict.switch, port, fault)

    def paths(
        self, fabric: Fabric, switch: Switch, files: Mapping[str, str]
    ) -> Iterator[tuple[IntentPath, str]]:
        """Check how a switch distributes traffic over ECMP paths."""
        balancing = fabric.balancing[switch.role] if fabric.balancing else None
        late = nos(switch.platform).paths
        if balancing is None or late is None:
            return
        paths = late.load()
        written = paths.read(switch.model, files)
        for fault in paths.differences(written, balancing):
            yield balancing.because.main, fault

    def ports(
        self, switch: Switch, fabric: Fabric, state: QosState, ends: tuple[End, ...]
    ) -> PortVerdict:
        """Check every port of a switch, then each path through it between sound ports."""
        faults: list[tuple[str, str]] = [("", fault) for fault in state.faults]
        sound: Ends = {}
        judged: dict[tuple[PortQos, Wanted], tuple[str, ...]] = {}
        for port, wanted in ends:
            name = self._spell(switch, port)
            qos = state.ports.get(name)
            if qos is None:
                faults.append((name, "is not in the file, but a path runs over it"))
                continue
            if (qos, wanted) not in judged:
                judged[qos, wanted] = _port(qos, wanted, state.lacks)
            faults += [(name, fault) for fault in judged[qos, wanted]]
            if not judged[qos, wanted]:
                sound[port.label] = qos
        for name in (self._spell(switch, port) for port in _others(switch, ends)):
            qos = state.ports.get(name)
            faults += [(name, fault) for fault in paused_for_nothing(qos)] if qos else []
        faults += [("", fault) for fault in _hops(fabric, set(sound.values()))]
        return PortVerdict(tuple(faults), sound)

    def say(self, fabric: Fabric, switch: str, port: str, fault: str) -> None:
        """Record a fault with its port; equal faults are one finding."""
        where = f"{switch}:{port}" if port else switch
        self._faults.setdefault((_path(fabric), fault), []).append(where)

    def result(self) -> Examined:
        """Check the links with two known ends, and return everything."""
        for fabric in self._fabrics.values():
            self.links(fabric)
        faults = [_finding(path, fault, where) for (path, fault), where in self._faults.items()]
        unread = [_unread(name, first) for name, first in self._unread.items()]
        findings = (*shortened(faults, "faults in rendered files"), *unread)
        return Examined(check=NAME, objects=self.objects, noun=NOUN, findings=findings)

    def links(self, fabric: Fabric) -> None:
        """Compare the two ends of every cable with sound ports, each pair of states once."""
        fine: set[tuple[int, int]] = set()
        ends = self._ends
        for link in fabric.topology.links:
            if not isinstance(link.lower_port, Port):
                continue
            lower = ends.get((fabric.name, link.lower.name), {}).get(link.lower_port.label)
            upper = ends.get((fabric.name, link.upper.name), {}).get(link.upper_port.label)
            if lower is None or upper is None or (id(lower), id(upper)) in fine:
                continue
            faults = judge_link(lower, upper)
            if not faults:
                fine.add((id(lower), id(upper)))
            for fault in faults:
                lower_switch = cast("Switch", link.lower)
                name = self._spell(lower_switch, link.lower_port)
                self.say(fabric, lower_switch.name, name, fault)


def _port(qos: PortQos, wanted: Wanted, lacks: frozenset[Lack]) -> tuple[str, ...]:
    """Check one kind of port; if it is sound, with its NIC."""
    faults = broken(qos, wanted, lacks)
    if faults or wanted.contract is None:
        return faults
    return tuple(disagreements(wanted.contract, qos, wanted.length))


def _hops(fabric: Fabric, ports: set[PortQos]) -> list[str]:
    if fabric.qos is None:
        return []
    faults = (
        fault for one, other in product(ports, ports) for fault in judge_hop(one, other, fabric.qos)
    )
    return list(dict.fromkeys(faults))


def _others(switch: Switch, ends: tuple[End, ...]) -> list[Port]:
    """Return the ports without a path, in faceplate order."""
    used = {port for port, _ in ends}
    return [port for port in switch.ports if port not in used]


def _path(fabric: Fabric) -> IntentPath:
    return fabric.qos.because.main if fabric.qos is not None else fabric.place


def _finding(path: IntentPath, fault: str, where: list[str]) -> Diagnostic:
    more = f" (and {len(where) - 1:,} more)" if len(where) > 1 else ""
    return Diagnostic(Code.LOSSLESS_CHAIN, f"{where[0]} {fault}{more}", path=path)


def _unread(platform: str, first: str) -> Diagnostic:
    return Diagnostic(
        Code.LOSSLESS_CHAIN,
        f"{platform} files are not read back, so nothing is proven about {first} and similar "
        "switches",
        severity=Severity.WARNING,
    )
