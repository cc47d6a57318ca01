"""Apply the pinned ports and cables of the intent to a wired fabric.

It changes pinned links and each link that gives way. All others keep the place of the design rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from fabricgen.compile.design.wiring.pinned_ports import Bench, ends
from fabricgen.compile.design.wiring.pinned_speeds import run_at_speeds
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean, dotted
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.port_pins import LinkPin
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.topology import Link, Port, Server, Switch, Topology

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.wiring.faceplate import Faceplate
    from fabricgen.intent.model.intent import AnyFabric

_RULES = {
    State.PLANNED: "a planned link is not installed yet",
    State.DRAINED: (
        "both ends of a drained link advertise every path over it as longer than any other"
    ),
    State.DEAD: "a push does not wait for a dead link",
}


def with_pins(
    words: AnyFabric, topology: Topology, faces: Iterable[Faceplate], findings: Findings
) -> Topology:
    """Return the topology with its pins. faces: ports that are reserved for growth."""
    topology = _attended(topology)
    told = {
        switch.name: said
        for switch in topology.switches
        for said in (words.switches.get(switch.key),)
        if said is not None and (said.ports or said.links)
    }
    if not told:
        return topology
    every = (chain(face.down, face.up, face.peer, face.managed) for face in faces)
    switches = {switch.name: switch for switch in topology.switches}
    bench = Bench(
        words=words,
        switches=switches,
        kept={id(port) for ports in every for port in ports},
        links=list(topology.links),
        findings=findings,
    )
    cables = _Cables(bench=bench, at=_links_at(bench.links))
    for name, said in told.items():
        bench.note(name, said.ports)
        run_at_speeds(bench, name, said.ports)
        cables.loosen(name, said.links)
    for name, said in told.items():
        bench.clear(name, said.ports)
    cables.fasten()
    return bench.result(topology)


def _links_at(links: Iterable[Link | None]) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, link in enumerate(links):
        if link is not None and isinstance(link.lower, Switch):
            for name in {*_names(link)}:
                found[name].append(number)
    return found


def _attended(topology: Topology) -> Topology:
    """Return the topology with the pinned state and name of each server on its links."""
    if not any(server.standing or server.pin for server in topology.servers):
        return topology
    return replace(topology, links=tuple(map(_attends, topology.links)))


def _attends(link: Link) -> Link:
    server = link.lower
    if not isinstance(server, Server) or not (server.standing or server.pin):
        return link
    because = link.because
    if server.pin is not None and server.pin.hostname:
        paths = (*because.paths, (*server.pin.path, "hostname"))
        because = Provenance(paths, f"{because.rule}; the server name is pinned")
    return replace(link, standing=server.standing, because=because)


@dataclass(slots=True, kw_only=True)
class _Cables:
    """Links that are absent or moved.

    loose: links with a new end that is still free. `gone`: absent links, with the pin. at: numbers
    of the links between switches at each switch, before any is moved.
    """

    bench: Bench
    loose: list[tuple[int, LinkPin, IntentPath]] = field(default_factory=list)
    gone: list[tuple[Link, IntentPath]] = field(default_factory=list)
    at: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def loosen(self, name: str, pins: Mapping[str, str | LinkPin]) -> None:
        """Remove absent links, and the upper ends of moved links."""
        for key, pin in pins.items():
            path = self.bench.place(name, "links", key)
            elsewhere = isinstance(pin, LinkPin) and pin.to is not None
            if elsewhere and not key[0].isdigit():
                self.refuse("name one port, because a pin moves the cable of a single port", path)
                continue
            for number in self.between(name, self.bench.named(key), path):
                if elsewhere or not isinstance(pin, LinkPin):
                    self.take_out(name, number, pin, path)
                if isinstance(pin, LinkPin) and pin.state is not None:
                    self.stand(number, State(pin.state), path)

    def stand(self, number: int, state: State, path: IntentPath) -> None:
        """Give a link the state that one end sets."""
        link = self.bench.links[number]
        assert link is not None
        if link.standing is not None:
            self.twice(link.standing, path)
            return
        standing = Standing(state=state, because=Provenance(((*path, "state"),), _RULES[state]))
        self.bench.links[number] = replace(link, standing=standing)

    def twice(self, standing: Standing, path: IntentPath) -> None:
        """Report that a link has a state already."""
        self.bench.findings.spoil(
            Code.NO_SUCH_LINK,
            f"this link is already {standing.state} by another pin",
            path,
            "set it once, at either end",
        )

    def take_out(self, name: str, number: int, pin: str | LinkPin, path: IntentPath) -> None:
        """Take a link away, or its far end alone."""
        link, used = self.bench.links[number], self.bench.used
        assert link is not None
        self.bench.odd.setdefault((link.lower.name, link.upper.name), path)
        if not isinstance(pin, LinkPin):
            if link.standing is not None:
                self.twice(link.standing, path)
            self.bench.links[number] = None
            self.gone.append((link, path))
        elif any(other == number for other, _, _ in self.loose):
            self.refuse("its other end is pinned, too", path)
            return
        else:
            self.loose.append((number, pin, path))
        for end in ends(link):
            if end[0] != name or not isinstance(pin, LinkPin):
                used.pop(end, None)

    def between(self, name: str, key: str, path: IntentPath) -> list[int]:
        """Return the links to switches at a port, or to a switch; say where there are none."""
        own = {number: self.bench.links[number] for number in self.at.get(name, ())}
        found = [number for number, link in own.items() if link and _meant(link, name, key)]
        gone = next((said for link, said in self.gone if _meant(link, name, key)), None)
        if not found and gone is not None:
            self.bench.findings.spoil(
                Code.NO_SUCH_LINK,
                f"this link is already absent by {dotted(gone)}",
                path,
                "set it once, at either end",
            )
        elif not found:
            ports = [
                f"{_own_end(link, name)[1].label} to {_names(link)[link.lower.name == name]}"
                for link in own.values()
                if link is not None
            ]
            self.bench.findings.spoil(
                Code.NO_SUCH_LINK,
                f"{name} has no link to a switch at {key!r}",
                path,
                f"its links by port: {', '.join(ports[:8])}" if ports else "",
            )
        return found

    def fasten(self) -> None:
        """Plug links into their new ports, after all moved links are removed."""
        for number, pin, path in self.loose:
            link = self.bench.links[number]
            assert link is not None
            said, _, label = (pin.to or "").partition(" port ")
            name = self.bench.named(said)
            self.bench.links[number] = None
            here, port = _own_end(link, self.bench.named(str(path[-3])))
            far = self.far(name, label, port, path)
            if far is None or not self.straight(here, self.bench.switches[name], link, path):
                continue
            new = self.ordered(link, (here, port), (self.bench.switches[name], far), path)
            self.bench.links[number] = new
            self.bench.odd.setdefault((new.lower.name, new.upper.name), path)
            for end in ends(new):
                if self.bench.used.setdefault(end, number) != number:
                    other = self.bench.links[self.bench.used[end]]
                    self.refuse(
                        f"{end[0]} port {end[1]} has the cable {_told(other)}",
                        path,
                        "choose a free port, or also pin that cable",
                    )

    def far(self, name: str, label: str, near: Port, path: IntentPath) -> Port | None:
        """Return the port where a link goes, or say why it cannot."""
        if name not in self.bench.switches:
            self.bench.findings.spoil(
                Code.NO_SUCH_LINK,
                f"the {self.bench.words.name} has no switch {name!r}",
                (*path, "to"),
                did_you_mean(name, self.bench.switches),
            )
            return None
        found = self.bench.ports(name, (label,), (*path, "to"))
        if found and (len(found) > 1 or found[0].speed != near.speed):
            speeds = ", ".join(sorted({str(port.speed) for port in found}))
            self.refuse(
                f"{name} port {label} is of {speeds}, but this end is of {near.speed}", path
            )
        elif found and self.pinned(name, found[0]):
            self.refuse(f"{name} port {label} is pinned as {self.pinned(name, found[0])}", path)
        return found[0] if found else None

    def straight(self, here: Switch, there: Switch, link: Link, path: IntentPath) -> bool:
        """Return whether a link still connects the same two tiers, or report the wrong ones."""
        far = link.upper if link.lower.name == here.name else link.lower
        assert isinstance(far, Switch)
        if there.role is not far.role or there.name == here.name:
            self.refuse(
                f"it connects a {here.role} to a {far.role}, but {there.name} is not one",
                path,
            )
        return there.role is far.role and there.name != here.name

    def refuse(self, what: str, path: IntentPath, hint: str = "") -> None:
        """Report why a link cannot go where it shall."""
        self.bench.findings.spoil(
            Code.NO_SUCH_LINK, f"this link cannot go there: {what}", (*path, "to"), hint
        )

    def ordered(
        self, link: Link, here: tuple[Switch, Port], there: tuple[Switch, Port], path: IntentPath
    ) -> Link:
        """Return the link with the end nearer to the servers as the lower one."""
        low, up = (here, there) if link.lower.name == here[0].name else (there, here)
        return replace(
            link,
            lower=low[0],
            lower_port=low[1],
            upper=up[0],
            upper_port=up[1],
            because=Provenance((*link.because.paths, path), "the cable goes to the pinned port"),
        )

    def pinned(self, name: str, port: Port) -> str:
        """Return the state of a port that shall have no cable."""
        note = self.bench.notes.get((name, port.label))
        return note.state if note is not None else ""


def _meant(link: Link, name: str, key: str) -> bool:
    """Return whether a pin selects a link by its own port, or by the switch at its far end."""
    if not isinstance(link.lower, Switch) or link.of_pair:
        return False
    by_port = any(end == (name, key) for end in ends(link))
    return by_port or (name != key and {name, key} == {link.lower.name, link.upper.name})


def _names(link: Link) -> tuple[str, str]:
    return link.lower.name, link.upper.name


def _own_end(link: Link, name: str | int) -> tuple[Switch, Port]:
    if link.upper.name == name:
        return link.upper, link.upper_port
    assert isinstance(link.lower, Switch)
    assert isinstance(link.lower_port, Port)
    return link.lower, link.lower_port


def _told(link: Link | None) -> str:
    if link is None:
        return "of another pin"
    return (
        f"{link.lower.name} port {link.lower_port.label} to "
        f"{link.upper.name} port {link.upper_port.label}"
    )
