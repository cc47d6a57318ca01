"""Finds the servers that a change hits, what they lose, for how long, and whether drains help."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Change, Risk
from fabricgen.core.units import natural
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.review.claims import Claim, Claims, Kind
from fabricgen.review.losses import Losses
from fabricgen.review.model import Hit, Loss
from fabricgen.review.moves import Moves, links_of
from fabricgen.review.networks import tenants_of
from fabricgen.review.places import Places
from fabricgen.review.touched import touched_by

_AT_ONCE = "all changes at once would take the network; the batches of a plan prevent it"


def hits(before: Site, after: Site, changes: Mapping[str, Sequence[Change]]) -> tuple[Hit, ...]:
    """Return the losses of servers by a change, the worst first.

    One switch changes at a time, with all its changes at once.

    Args:
        before: Side A, whose servers run.
        after: Side B.
        changes: Classified changes by folder of a switch or server, such as `frontend/fe-leaf01`.
    """
    claims = Claims()
    moves = Moves(before=before, after=after, changes=changes, claims=claims)
    moves.add()
    later = {fabric.name: fabric for fabric in after.fabrics}
    found: list[tuple[Kind, Claim]] = list(claims.items())
    losses: dict[str, Losses] = {}
    for fabric in before.fabrics:
        mine = Losses(site=before, fabric=fabric, claims=Claims())
        _add_switches(mine, later.get(fabric.name), changes)
        losses[fabric.name] = mine
        found += _uncovered(mine.claims, fabric.name, moves)
    return _merged(found, _People(before, moves, losses))


def _add_switches(
    losses: Losses, later: Fabric | None, changes: Mapping[str, Sequence[Change]]
) -> None:
    """Add the losses by all changed switches of a fabric."""
    old, new = _switches(losses.fabric), _switches(later)
    slicers = [Slicer(fabric) for fabric in (losses.fabric, later) if fabric is not None]
    for name, switch in old.items():
        folder = f"{losses.fabric.name}/{name}"
        mine = changes.get(folder, ())
        if worst(mine) is Risk.HITLESS:
            continue
        both = (switch, new[name]) if name in new else (switch,)
        sides = [Places(*each) for each in zip(both, slicers, strict=False)]
        losses.add(touched_by(folder, losses.fabric, sides, mine))


def _switches(fabric: Fabric | None) -> dict[str, Switch]:
    return {it.name: it for it in fabric.topology.switches} if fabric is not None else {}


def _uncovered(claims: Claims, network: str, moves: Moves) -> Iterator[tuple[Kind, Claim]]:
    """Yield losses by switches without the servers that lose the network by their own change."""
    own = {server for server, fabric in moves.covered if fabric == network}
    for kind, claim in claims.items():
        if not own.isdisjoint(claim.servers):
            claim.servers -= own
        if claim.servers:
            yield kind, claim


@dataclass(eq=False)
class _People:
    """Facts about servers: GPUs, tenants, jobs and networks."""

    site: Site
    moves: Moves
    losses: Mapping[str, Losses]

    @cached_property
    def jobs(self) -> dict[str, list[str]]:
        """Return the jobs of each server."""
        found: dict[str, list[str]] = {}
        for job in self.site.jobs:
            for server in job.servers:
                found.setdefault(server, []).append(job.name)
        return found

    @cached_property
    def gpus(self) -> dict[str, int]:
        """Return the GPUs of each server."""
        found: dict[str, int] = {}
        for mine in self.losses.values():
            for name, gpus in mine.gpus.items():
                found[name] = max(gpus, found.get(name, 0))
        return found

    def tenants(self, servers: Iterable[str], network: str) -> set[str]:
        """Return the tenants of servers in one fabric, or in all."""
        fabrics = [it for it in self.site.fabrics if network in ("", it.name)]
        tenanted = [it for it in fabrics if it.overlay is not None]
        return {
            tenant
            for fabric in tenanted
            for server in servers
            for tenant in tenants_of(fabric, links_of(fabric, server))
        }

    def has_other_network(self, server: str) -> bool:
        """Return whether a server is in more than one fabric."""
        return len(self.moves.fabrics[server]) > 1


def _merged(found: Iterable[tuple[Kind, Claim]], people: _People) -> tuple[Hit, ...]:
    made = [_hit(kind, servers, claim, people) for kind, servers, claim in _split(found, people)]
    return tuple(
        sorted(made, key=lambda it: (-it.loss, -len(it.servers), it.network, it.text, it.lasts))
    )


def _split(
    found: Iterable[tuple[Kind, Claim]], people: _People
) -> Iterator[tuple[Kind, set[str], Claim]]:
    """Yield the losses; servers with more than one outcome are separate.

    A server that loses its only network loses all. A server that loses the network only if all
    switches change at once gets a sentence about it.
    """
    every = list(found)
    at_once = {name: losses.together() for name, losses in people.losses.items()}
    for kind, claim in every:
        if kind.loss in (Loss.NETWORK, Loss.SERVER):
            names = claim.servers if not kind.network else ()
            for network, lost in at_once.items():
                gone = claim.servers if kind.network == network else names
                at_once[network] = lost.difference(gone)
    for kind, claim in every:
        rest = set(claim.servers)
        if kind.loss is Loss.NETWORK and kind.text.startswith(f"loses {kind.network}"):
            alone = {name for name in rest if not people.has_other_network(name)}
            if alone:
                yield replace(kind, loss=Loss.SERVER, network=""), alone, claim
            rest -= alone
        both = rest & at_once.get(kind.network, frozenset())
        if both:
            yield replace(kind, text=f"{kind.text}; {_AT_ONCE}"), both, claim
        rest -= both
        if rest:
            yield kind, rest, claim


def _hit(kind: Kind, servers: set[str], claim: Claim, people: _People) -> Hit:
    jobs = {job for server in servers for job in people.jobs.get(server, ())}
    keeps = None if claim.unknown or claim.keeps is None else float(claim.keeps)
    return Hit(
        loss=kind.loss,
        network=kind.network,
        servers=tuple(natural(servers)),
        gpus=sum(people.gpus.get(server, 0) for server in servers),
        tenants=tuple(sorted(people.tenants(servers, kind.network))),
        jobs=tuple(sorted(jobs)),
        rails=tuple(sorted(claim.rails)),
        keeps=keeps,
        text=kind.text,
        lasts=kind.lasts,
        drain=kind.drain,
        by=tuple(natural(claim.by)),
        why=claim.why,
    )
