"""Collects losses of servers and merges equal ones."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.review.model import Loss


@record(kw_only=True)
class Kind:
    """Loss that servers can have in common. A Hit has the same fields."""

    loss: Loss
    network: str
    text: str
    lasts: str
    drain: str


@dataclass(slots=True, kw_only=True)
class Claim:
    """Servers with one loss, and its causes.

    Attributes:
        keeps: Least share of bandwidth that a server keeps, or None.
        unknown: Whether the share of a server is not known.
    """

    servers: set[str] = field(default_factory=set)
    by: set[str] = field(default_factory=set)
    rails: set[int] = field(default_factory=set)
    why: str = ""
    keeps: Fraction | None = None
    unknown: bool = False
    _seen: dict[int, Iterable[str]] = field(default_factory=dict)

    def add(self, servers: Iterable[str]) -> None:
        """Add servers; a large set that several switches share is added once."""
        if id(servers) not in self._seen:
            self._seen[id(servers)] = servers
            self.servers.update(servers)


class Claims(dict[Kind, Claim]):
    """Claims by their kind of loss."""

    def add(
        self,
        kind: Kind,
        servers: Iterable[str],
        *,
        by: str,
        why: str,
        rails: Iterable[int] = (),
        keeps: Fraction | None = None,
    ) -> None:
        """Add servers with a loss and its cause."""
        claim = self.setdefault(kind, Claim())
        claim.add(servers)
        claim.by.add(by)
        claim.rails.update(rails)
        claim.why = min(claim.why or why, why)
        if keeps is None:
            claim.unknown = True
        elif claim.keeps is None or keeps < claim.keeps:
            claim.keeps = keeps
