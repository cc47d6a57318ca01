"""Words the losses of servers by the interruptions of one switch: what, how long, and drains."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.core.tree.judge import GONE
from fabricgen.core.tree.risk import Change
from fabricgen.model.fabric.failures import ONE_THING, Fails
from fabricgen.model.fabric.redundancy import traffic_without_path
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Server, Switch
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import nos_of
from fabricgen.prove.failures.groups import FABRIC, TENANT
from fabricgen.prove.failures.network import endpoint
from fabricgen.prove.failures.recovery import Clock
from fabricgen.prove.failures.survey import gpus_each
from fabricgen.prove.failures.verdicts import percent
from fabricgen.review.claims import Claims, Kind
from fabricgen.review.model import Loss
from fabricgen.review.outages import Case, Harm, Outages
from fabricgen.review.touched import Cut, Touched

NO_DRAIN = "no drain avoids it"
_SESSION = "not known: until the change is active and its sessions and links are up again"
_FORWARDS = "not known: until the switch forwards again"
_REMOVED = "for good: the switch is removed"
_SHUT = "for good: the port stays shut after the change"
_QUEUES = "not known: while the queues and buffers are set again"
_RULES = "until a rule permits them again"


@dataclass(eq=False, kw_only=True)
class Losses:
    """Losses of the servers of one fabric of side A."""

    site: Site
    fabric: Fabric
    claims: Claims
    outages: Outages = field(init=False)
    _drains: dict[str, str] = field(default_factory=dict)
    _recoveries: dict[tuple[Fails, bool], str] = field(default_factory=dict)
    _parts: dict[int, tuple[frozenset[str], tuple[frozenset[str], frozenset[str]]]] = field(
        default_factory=dict
    )
    _touched: list[Touched] = field(default_factory=list)
    _all_cuts: dict[str, dict[Link, Cut]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare the failure analysis, which starts when a switch needs it."""
        self.outages = Outages(fabric=self.fabric)

    @cached_property
    def _clock(self) -> Clock:
        return Clock(self.fabric, self.site.failures.figures)

    def _recovery(self, kind: Fails, *, silent: bool) -> str:
        """Return the time until traffic uses other paths."""
        if (kind, silent) not in self._recoveries:
            found = self._clock.kind(kind, silent=silent)
            self._recoveries[kind, silent] = found.text if found is not None else "not known"
        return self._recoveries[kind, silent]

    def add(self, touched: Touched) -> None:
        """Add the losses by one switch."""
        if touched.switch.name in self.fabric.idle:  # it carries no traffic
            return
        self._touched.append(touched)
        found = [(it, self.outages.harms(it)) for it in self.outages.cases(touched)]
        harms = [(case, harm) for case, mine in found for harm in mine]
        lost_all = {name for _, it in harms if it.group.kind == FABRIC for name in it.lost}
        lost_all |= self._ports(touched, lost_all)
        for case, harm in harms:
            self._harm(touched, case, harm, lost_all)
        self._exits(touched)
        self._packets(touched, lost_all)

    def together(self) -> frozenset[str]:
        """Return the servers that lose the fabric if all switches change at once."""
        if len(self._touched) < 2:
            return frozenset()
        by_ports = {
            server
            for server, cuts in self._all_cuts.items()
            if all(_is_lost(links, cuts) for links in self._endpoints(server))
        }
        return self.outages.lost_together(self._touched).union(by_ports)

    # Ports of servers

    def _ports(self, touched: Touched, lost_all: AbstractSet[str]) -> set[str]:
        """Add the losses of servers with an interrupted port on the switch.

        lost_all: servers that lose the fabric anyway. Returns the servers that lose all ports.
        """
        cuts: dict[Link, Cut] = {link: it for link, it in touched.cuts.items() if link.to_server}
        if touched.whole is not None:
            down = touched.down is not None
            for link in self._attached(touched.switch):
                cuts[link] = Cut(change=touched.whole, down=down)
        mine: dict[str, dict[Link, Cut]] = {}
        for link, cut in cuts.items():
            mine.setdefault(link.lower.name, {})[link] = cut
        return {
            server
            for server, each in mine.items()
            if self._server(touched, server, each, without=server in lost_all)
        }

    def _attached(self, switch: Switch) -> Iterable[Link]:
        links = self.fabric.topology.links_at.get(switch.name, ())
        return (link for link in links if _carries(link))

    def _server(
        self, touched: Touched, server: str, cuts: Mapping[Link, Cut], *, without: bool
    ) -> bool:
        """Add the loss of one server, and return whether it loses all its ports.

        without: the server loses the fabric anyway, so no other loss is added.
        """
        ends = self._endpoints(server)
        lost = [links for links in ends if _is_lost(links, cuts)]
        number = sum(map(len, ends))
        cut = min(cuts.values(), key=lambda it: (it.partial, it.down, it.stays))
        rails = {nic.rail for link in cuts if isinstance(nic := link.lower_port, Nic) and nic.rail}
        complete = len(lost) == len(ends)
        text = self._text(cut, len(cuts), number, complete=complete)
        self._all_cuts.setdefault(server, {}).update(cuts)
        if without:
            return complete
        kind = Kind(
            loss=Loss.NETWORK if complete else Loss.LEG,
            network=self.fabric.name,
            text=text,
            lasts=_until_up(touched, cut) if lost else self._until_moved(touched, cut),
            drain=NO_DRAIN if cut.partial or cut.stays else self._drain(touched.switch),
        )
        why = touched.why(cut.change)
        self.claims.add(kind, (server,), by=touched.switch.name, why=why, rails=rails)
        return complete

    def _endpoints(self, server: str) -> list[list[Link]]:
        """Return the links of each bond or port of a server."""
        ends: dict[str, list[Link]] = {}
        for link in self.fabric.topology.links_at[server]:
            if _carries(link):
                ends.setdefault(endpoint(link), []).append(link)
        return list(ends.values())

    def _text(self, cut: Cut, some: int, number: int, *, complete: bool) -> str:
        name = self.fabric.name
        if not complete:
            return f"loses {some} of {number} ports of {name}"
        if cut.partial:
            ports = f" on {some} of {number} ports" if some < number else ""
            return f"its VLANs or VRFs in {name} are interrupted{ports}"
        if some < number:
            return (
                f"loses {name}: {some} of {number} ports stay up without a path, "
                "so its bond does not move the traffic"
            )
        return f"loses {name}"

    def _until_moved(self, touched: Touched, cut: Cut) -> str:
        """Return how long a port is missing, and the time until a bond uses its other ports."""
        kind = Fails.LEAF if touched.whole is not None else Fails.SERVER_LINK
        moved = self._recovery(kind, silent=False)
        until = _until_up(touched, cut)
        return f"{until}, and packets are lost until traffic uses other ports: {moved}"

    # Paths through the fabric

    def _harm(self, touched: Touched, case: Case, harm: Harm, lost_all: AbstractSet[str]) -> None:
        """Add the losses that the failure analysis found for one group.

        lost_all: servers that lose the fabric, which tenants and bandwidth follow.
        """
        change = touched.whole or next(touched.cuts[link].change for link in touched.uplinks)
        by, why = touched.switch.name, touched.why(change)
        cut = Cut(change=change, down=touched.down is not None)
        stays = not touched.whole and all(touched.cuts[it].stays for it in touched.uplinks)
        drain = NO_DRAIN if stays else self._drain_for(touched)
        name = self.fabric.name
        complete = harm.group.kind == FABRIC
        what = f"loses {name}" if complete else "loses the network of a tenant"
        exits = "loses its external connection"
        lost = harm.lost if complete else _without(harm.lost, lost_all)
        for servers, text in ((lost, what), (_without(harm.shut_in, lost_all), exits)):
            if servers:
                lasts = _SHUT if stays else _until_up(touched, cut)
                kind = Kind(loss=Loss.NETWORK, network=name, text=text, lasts=lasts, drain=drain)
                self.claims.add(kind, servers, by=by, why=why)
        for share, every in harm.shares.items():
            servers = _without(every, lost_all)
            known = "" if share is not None else ", or the network: too many different failures"
            kind = Kind(
                loss=Loss.BANDWIDTH,
                network=name,
                text=f"loses a part of its bandwidth in {name}{known}",
                lasts=self._less(touched, case, change, stays=stays),
                drain=drain,
            )
            if servers:
                self.claims.add(kind, servers, by=by, why=why, keeps=share)

    def _less(self, touched: Touched, case: Case, change: Change, *, stays: bool) -> str:
        """Return how long bandwidth is missing, and packets are lost until paths change."""
        cuts = [touched.cuts[link] for link in touched.uplinks]
        down = touched.down is not None or (touched.reset is None and all(it.down for it in cuts))
        kind = case.failure.kind if case.failure.kind in ONE_THING else Fails.LINK
        moved = self._recovery(kind, silent=not down)
        if stays or change.rule is GONE:
            until = "for good"
        elif touched.down is not None:
            until = _FORWARDS
        else:
            until = _SESSION
        return f"{until}, and packets are lost until traffic uses other paths: {moved}"

    # Parts of the traffic

    def _exits(self, touched: Touched) -> None:
        """Add the servers whose VRF loses an external connection."""
        if not touched.exits or touched.whole is not None:
            return
        for one in self.outages.survey.groups:
            change = touched.exits.get(one.group.within) if one.group.kind == TENANT else None
            if change is None:
                continue
            others = one.group.exits - {touched.switch.name}
            kind = Kind(
                loss=Loss.BANDWIDTH if others else Loss.NETWORK,
                network=self.fabric.name,
                text="loses one of several external connections of its VRF"
                if others
                else "loses its external connection",
                lasts=_SESSION,
                drain=NO_DRAIN,
            )
            servers = {link.lower.name for link in one.group.links}
            self.claims.add(kind, servers, by=touched.switch.name, why=touched.why(change))

    def _packets(self, touched: Touched, lost_all: AbstractSet[str]) -> None:
        """Add the servers whose packets may be lost while queues or filters change."""
        lossless = self.fabric.qos is not None and bool(self.fabric.qos.lossless)
        plain = (
            "packets of lossless classes may be lost"
            if lossless
            else f"packets in queues of {self.fabric.name} may be lost"
        )
        rdma = f"{plain}: RoCE flows of its GPUs may lose packets" if lossless else plain
        drain = self._drain(touched.switch)
        for links, texts, lasts, drained in (
            (touched.dropping, (plain, rdma), _QUEUES, drain),
            (touched.filtering, ("connections that no rule permits any more end",) * 2, _RULES, ""),
        ):
            if not links:
                continue
            why = touched.why(next(iter(links.values())))
            for text, servers in zip(texts, self._over(touched.switch, links), strict=True):
                kind = Kind(
                    loss=Loss.BANDWIDTH,
                    network=self.fabric.name,
                    text=text,
                    lasts=lasts,
                    drain=drained or NO_DRAIN,
                )
                if rest := _without(servers, lost_all):
                    self.claims.add(kind, rest, by=touched.switch.name, why=why)

    def _over(self, switch: Switch, links: Iterable[Link]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the servers without and with GPUs whose traffic crosses some links of a switch."""
        if all(link.to_server for link in links):
            return self._parted(frozenset(link.lower.name for link in links))
        return self._parted(self.outages.below(switch))  # includes all servers at its ports

    def _parted(self, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the servers without and with GPUs; a set that switches share is parted once."""
        if id(names) not in self._parts:
            parts = names - self.with_gpus, names & self.with_gpus
            self._parts[id(names)] = names, parts
        return self._parts[id(names)][1]

    @cached_property
    def with_gpus(self) -> frozenset[str]:
        """Return the servers with GPUs."""
        return frozenset(name for name, gpus in self.gpus.items() if gpus)

    @cached_property
    def gpus(self) -> dict[str, int]:
        """Return the GPUs of each server."""
        other = gpus_each(self.fabric)
        return {
            it.name: it.equipment.gpus if it.equipment is not None else other
            for it in self.fabric.topology.servers
        }

    # Drains

    def _drain_for(self, touched: Touched) -> str:
        """Return whether a drain of the switch above, or of the switch, avoids a loss of links."""
        above = {link.upper.name: link.upper for link in touched.uplinks}
        if touched.whole is None and len(above) == 1:
            (upper,) = above.values()
            found = self._drain(upper)
            if upper is not touched.switch and not found.startswith(NO_DRAIN):
                return found.replace("the switch", "the switch above")
        return self._drain(touched.switch)

    def _drain(self, switch: Switch) -> str:
        """Return whether a drain of a switch avoids a loss by its change."""
        if switch.name not in self._drains:
            self._drains[switch.name] = self._drained(switch)
        return self._drains[switch.name]

    def _drained(self, switch: Switch) -> str:
        fabric = self.fabric
        answer = nos_of(switch).answer(Feature.DRAIN, switch.release)
        if isinstance(answer, Unsupported):
            return f"{NO_DRAIN}: {answer.why}"
        if traffic_without_path(fabric, switch, {switch.name, *fabric.idle}):
            other = "servers or external routes have no other leaf"
            return f"{NO_DRAIN}: {other if switch.is_leaf else 'no switch is redundant with it'}"
        harms = self.outages.harms(self.outages.whole(switch))
        if any(harm.lost or harm.shut_in or None in harm.shares for harm in harms):
            return f"{NO_DRAIN}: servers would lose a network without the switch"
        kept = [it.keeps for it in harms if it.group.kind == FABRIC and it.keeps is not None]
        rest = percent(min(kept)) if kept else "100 %"
        how = ": bonds use the other leaf" if switch.is_leaf else ""
        return f"a drain of the switch before avoids it{how}; {fabric.name} keeps {rest} meanwhile"


def _without(names: frozenset[str], lost_all: AbstractSet[str]) -> frozenset[str]:
    """Return some servers without others; the same set if both have no common server."""
    return names if lost_all.isdisjoint(names) else names - lost_all


def _carries(link: Link) -> bool:
    """Return whether a link leads to a present server and carries traffic."""
    lower = link.lower
    return isinstance(lower, Server) and link.standing is None and lower.standing is None


def _is_lost(links: Iterable[Link], cuts: Mapping[Link, Cut]) -> bool:
    """Return whether an endpoint has no path left.

    A bond with a port that stays up without a path sends traffic there, so it counts as lost.
    """
    found = [cuts.get(link) for link in links]
    return all(found) or any(cut is not None and not cut.down for cut in found)


def _until_up(touched: Touched, cut: Cut) -> str:
    """Return how long a server without another path loses its network."""
    if cut.change.rule is GONE:
        return _REMOVED
    if cut.stays:
        return _SHUT
    return _FORWARDS if touched.down is not None else _SESSION
