"""A leaf and the number of a cage in; its port, which nothing else needs, out."""

from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.access import WiredAccess
from fabricgen.compile.design.wiring.frontend import Wired
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean, dotted
from fabricgen.core.units import spans
from fabricgen.model.fabric.topology import Port, Switch


@dataclass(kw_only=True)
class Cages:
    """The cages of a fabric's leafs; taken: by leaf and cage, the key of the intent that has it."""

    wired: Wired | WiredAccess
    findings: Findings
    taken: dict[tuple[str, int], str] = field(default_factory=dict)

    @cached_property
    def leafs(self) -> dict[int, Switch]:
        """Leafs by the number that people give them."""
        return {leaf.index: leaf for leaf in self.wired.topology.switches if leaf.is_leaf}

    def leaf(self, number: int, path: IntentPath) -> Switch | None:
        """Return a leaf by its number, or say that there is none."""
        if number not in self.leafs:
            self.findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the {self.wired.topology.fabric} has no leaf {number}",
                path,
                did_you_mean(str(number), map(str, self.leafs)),
            )
        return self.leafs.get(number)

    def port(self, leaf: Switch, cage: int, path: IntentPath, where: IntentPath) -> Port | None:
        """Return the native port of a cage, or say what else the cage is for."""
        ports = {port.cage: port for port in leaf.ports}
        if cage not in ports:
            self.findings.error(
                Code.PORTS_EXHAUSTED,
                f"leaf {leaf.index} has no cage {cage}: a {leaf.model} has {max(ports)}",
                where,
                self.free(leaf),
            )
            return None
        other = self.taken.get((leaf.name, cage))
        use = f"for the external peer {other}" if other else self.use(leaf, ports[cage])
        if use:
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"cage {cage} of leaf {leaf.index} is already {use}",
                where,
                self.free(leaf),
            )
            return None
        self.taken[leaf.name, cage] = dotted(path)
        return ports[cage]

    def use(self, leaf: Switch, port: Port) -> str | None:
        """Say what a cage is kept for; None when it is free."""
        face = self.wired.faces[leaf.group]
        if port.service:
            return f"a service port of {port.speed}"
        if any(kept.cage == port.cage for kept in face.down):
            return f"for the servers of group {leaf.group}"
        if any(kept.cage == port.cage for kept in face.managed):
            return "for management ports"
        if any(kept.cage == port.cage for kept in face.up):
            return "kept for uplinks (spines, and those that growth reserves)"
        if any(kept.cage == port.cage for kept in face.peer):
            return "for links to the other leaf of its pair"
        return self.pinned(leaf, port)

    def pinned(self, leaf: Switch, port: Port) -> str | None:
        """Say what a cage is for that the law leaves free; None where nothing is pinned there."""
        topology = self.wired.topology
        notes = (topology.notes.get((leaf.name, own)) for own in (port.label, str(port.cage)))
        state = next((note.state for note in notes if note is not None), "")
        if state:
            return f"pinned as {state}"
        ends = (
            link.upper_port if link.upper.name == leaf.name else link.lower_port
            for link in topology.links_at.get(leaf.name, ())
        )
        if any(isinstance(end, Port) and end.cage == port.cage for end in ends):
            return "taken by a link whose own port is pinned"
        return None

    def free(self, leaf: Switch) -> str:
        cages = [
            port.cage
            for port in leaf.ports
            if (leaf.name, port.cage) not in self.taken and not self.use(leaf, port)
        ]
        return f"free cages: {spans(cages)}" if cages else "this leaf has no free cage"
