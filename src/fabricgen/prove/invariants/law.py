"""Defines a law over read facts, and the breach of one."""

from collections.abc import Callable, Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Topic
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch


@record(eq=False)
class Spot:
    """A fact in the files of a switch: an object, and the attributes that may name its line."""

    switch: Switch
    key: Key
    attributes: tuple[str, ...] = ()


@record(eq=False, kw_only=True)
class Breach:
    """A broken law.

    Attributes:
        said: A sentence that names both sides.
        spots: The facts that contradict the law, the main one first.
        severity: A warning where the network may still forward packets.
    """

    said: str
    spots: tuple[Spot, ...]
    severity: Severity = Severity.ERROR


@record(eq=False, kw_only=True)
class Law:
    """One law.

    Attributes:
        name: What must hold, as a noun phrase.
        code: The diagnostic of a breach.
        source: The document that makes it a law.
        needs: Facts of which a grammar must know one; without it the law cannot be checked.
        breaches: Finds the breaches in a network.
        alone: One switch suffices to check it.
        closed: It asks for a peer, which may be outside of a site.
    """

    name: str
    code: Code
    source: str
    needs: frozenset[Topic]
    breaches: Callable[[AnyNetwork], Iterator[Breach]]
    alone: bool = False
    closed: bool = False

    @property
    def is_of_lines(self) -> bool:
        """Tell whether the facts of one switch suffice, without the reader of its queues."""
        return self.alone and bool(self.needs)


def breach(said: str, *spots: Spot, severity: Severity = Severity.ERROR) -> Breach:
    """Return a breach."""
    return Breach(said=said, spots=spots, severity=severity)
