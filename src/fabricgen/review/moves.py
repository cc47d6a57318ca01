"""Finds the losses of servers whose own place, network or files differ between two sides."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.compile.compiler import HOSTS
from fabricgen.core.tree.risk import Change, Risk
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Server
from fabricgen.review.claims import Claims, Kind
from fabricgen.review.losses import NO_DRAIN
from fabricgen.review.model import Loss
from fabricgen.review.networks import Attached, attached
from fabricgen.review.places import words_of
from fabricgen.review.touched import reason

_GOOD = "for good"
_MOVING = "not known: while its cables move and its links come up"
_ACTIVE = "not known: until the switches and the server have the new setting"
_FILE = "not known: until the new file is active on the server"
_PART = re.compile(r"[/:_-]|\.(?:network|netdev|link|nmconnection|yaml|conf)$")


def links_of(fabric: Fabric | None, server: str) -> list[Link]:
    """Return the links of a server that carry traffic; none if it is absent."""
    if fabric is None:
        return []
    return [
        link
        for link in fabric.topology.links_at.get(server, ())
        if link.standing is None and getattr(link.lower, "standing", None) is None
    ]


@dataclass(eq=False, kw_only=True)
class Moves:
    """Losses of the servers of side A that change by themselves.

    Attributes:
        changes: Changes by folder of the device.
        covered: Server and fabric with such a loss. Changes of switches for it are no other loss.
    """

    before: Site
    after: Site
    changes: Mapping[str, Sequence[Change]]
    claims: Claims
    covered: set[tuple[str, str]] = field(default_factory=set)

    @cached_property
    def fabrics(self) -> dict[str, list[Fabric]]:
        """Return the fabrics of each present server of side A."""
        found: dict[str, list[Fabric]] = {}
        for fabric in self.before.fabrics:
            for name in dict.fromkeys(
                link.lower.name
                for link in fabric.topology.links
                if isinstance(link.lower, Server)
                if link.standing is None and link.lower.standing is None
            ):
                found.setdefault(name, []).append(fabric)
        return found

    @cached_property
    def _later(self) -> dict[str, Fabric]:
        return {fabric.name: fabric for fabric in self.after.fabrics}

    @cached_property
    def _remaining(self) -> dict[str, Server]:
        return {it.name: it for fab in self.after.fabrics for it in fab.topology.servers}

    def add(self) -> None:
        """Add the losses of servers that are removed, moved, reassigned or configured again."""
        for name, fabrics in self.fabrics.items():
            left = self._remaining.get(name)
            if left is None or left.standing is not None:
                state = "" if left is None or left.standing is None else left.standing.state.value
                self._leaves(name, state)
                continue
            near = [fabric for fabric in fabrics if self._is_near(name, fabric)]
            if near:
                self._moves(name, fabrics, near)
            if changes := self.changes.get(f"{HOSTS}/{name}"):
                self._files(name, changes)

    def _is_near(self, server: str, fabric: Fabric) -> bool:
        """Return whether files of a server or of its switches change in a fabric."""
        if f"{HOSTS}/{server}" in self.changes:
            return True
        links = (*links_of(fabric, server), *links_of(self._later.get(fabric.name), server))
        return any(f"{fabric.name}/{link.upper.name}" in self.changes for link in links)

    def _leaves(self, server: str, state: str) -> None:
        text = f"gets the state {state}" if state else "is removed from the site"
        self._claim(Loss.SERVER, "", server, text, _GOOD, f"{HOSTS}/{server} ({text})")

    def _moves(self, server: str, fabrics: Sequence[Fabric], near: Iterable[Fabric]) -> None:
        """Add the losses of a server by its ports, and by its networks where its ports remain."""
        off: dict[str, str] = {}
        for fabric in near:
            old, new = (
                _ends(links_of(it, server)) for it in (fabric, self._later.get(fabric.name))
            )
            gone = {key for key, end in old.items() if new.get(key) != end}
            if len(gone) == len(old):
                off[fabric.name] = _MOVING if new else _GOOD
            elif gone:
                text = f"loses {len(gone)} of {len(old)} ports of {fabric.name} while they move"
                why = f"{HOSTS}/{server}: {_place(old)} (its ports change)"
                rails = {rail for _, _, rail in gone if rail}
                self._claim(Loss.LEG, fabric.name, server, text, _MOVING, why, rails)
            if fabric.name not in off:
                self._reassigned(server, fabric)
        moving = all(lasts == _MOVING for lasts in off.values())
        text = "is off the network while it moves" if moving else "loses its cables"
        for name in [""] if len(off) == len(fabrics) else off:
            lasts = off[name] if name else (_MOVING if moving else _GOOD)
            ends = _place(
                _ends(links_of(next(it for it in fabrics if name in ("", it.name)), server))
            )
            why = f"{HOSTS}/{server}: {ends} (its ports change)"
            loss = Loss.NETWORK if name else Loss.SERVER
            self._claim(loss, name, server, text, lasts, why)

    def _reassigned(self, server: str, fabric: Fabric) -> None:
        """Add the loss of a server whose tenant, VLANs or VRF in a fabric change."""
        later = self._later[fabric.name]
        old = attached(fabric, links_of(fabric, server))
        new = attached(later, links_of(later, server))
        if old.continues_in(new):
            return
        self._claim(
            Loss.NETWORK,
            fabric.name,
            server,
            _reassigned(fabric.name, old, new),
            _ACTIVE,
            f"{HOSTS}/{server}: {fabric.name} ({old.label} -> {new.label})",
        )

    def _files(self, server: str, changes: Sequence[Change]) -> None:
        """Add the losses by changed files of a server, each loss of a fabric once."""
        known: set[tuple[Loss, str]] = set()
        for change in changes:
            if change.risk is Risk.HITLESS:
                continue
            networks = self._networks(server, change)
            cuts = change.risk is not Risk.LOSSLESS_DISRUPTIVE or not change.known
            if not networks or change.risk is Risk.REBOOT or not change.known:
                networks = [fabric.name for fabric in self.fabrics[server]]
            every = cuts and len(networks) == len(self.fabrics[server]) > 1
            for network in [""] if every else networks:
                loss = Loss.SERVER if not network else Loss.NETWORK if cuts else Loss.BANDWIDTH
                covered = (server, network) in self.covered and (loss, network) not in known
                if covered or (loss, network) in known:
                    continue
                known.add((loss, network))
                where = network or "all its networks"
                text = (
                    f"its files for {where} change: connections may break"
                    if cuts
                    else f"its NICs in {where} are set again: packets may be lost"
                )
                why = reason(f"{HOSTS}/{server}", change)
                self._claim(loss, network, server, text, _FILE, why)

    def _networks(self, server: str, change: Change) -> list[str]:
        """Return the fabrics whose device a change names; none if it names no device."""
        text = " ".join((change.file, *change.where, change.before, change.after))
        words = {part.partition(".")[0] for word in words_of(text) for part in _PART.split(word)}
        return [
            fabric.name
            for fabric in self.fabrics[server]
            if any(
                isinstance(nic := link.lower_port, Nic) and not words.isdisjoint(_devices(nic))
                for link in links_of(fabric, server)
            )
        ]

    def _claim(
        self,
        loss: Loss,
        network: str,
        server: str,
        text: str,
        lasts: str,
        why: str,
        rails: Iterable[int] = (),
    ) -> None:
        kind = Kind(loss=loss, network=network, text=text, lasts=lasts, drain=NO_DRAIN)
        self.claims.add(kind, (server,), by=server, why=why, rails=rails)
        if loss >= Loss.NETWORK:
            names = [network] if network else [it.name for it in self.fabrics[server]]
            self.covered.update((server, name) for name in names)


def _devices(nic: Nic) -> Iterator[str]:
    yield nic.name
    if nic.network:
        yield nic.network


Ends = dict[tuple[str, str, int], tuple[str, str, int]]
"""Leaf, port and speed by network, name and rail of a server's port."""


def _ends(links: Iterable[Link]) -> Ends:
    return {
        (nic.network, nic.name, nic.rail): (it.upper.name, it.upper_port.label, int(it.speed))
        for it in links
        if isinstance(nic := it.lower_port, Nic)
    }


def _place(ends: Ends) -> str:
    """Return the switch ports of a server as text."""
    return ", ".join(f"{leaf}:{port}" for leaf, port, _ in ends.values())


def _reassigned(network: str, old: Attached, new: Attached) -> str:
    if old.tenants == new.tenants:
        return f"its VLANs or VRF in {network} change: its network is interrupted"
    if not new.tenants:
        return f"leaves tenant {', '.join(sorted(old.tenants))}: it loses its network in {network}"
    there = ", ".join(sorted(new.tenants))
    return f"moves to tenant {there}: its network in {network} is interrupted"
