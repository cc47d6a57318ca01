"""Works out for how long a failure of each kind stops traffic, from timers and stated figures.

An element fails and its links go down, or it is silent and they stay up. Neighbors notice it by
lost light, BFD or LACP. Then a route is withdrawn and the FIB changes. A time without a source has
no upper bound here. No measurement of a lab counts, since its switches have no ASIC.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

from fabricgen.core.record import record
from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.failures import Fails, Figures
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Server
from fabricgen.prove.failures.failures import Failure

SHORT, LONG = 3_000, 90_000
"""Silence after which LACP gives up: Short_Timeout_Time and Long_Timeout_Time of IEEE 802.1AX."""
MONITORED = 100
"""Interval in which bonds of server files look at their links (`miimon`)."""


@record(kw_only=True)
class Step:
    """One step in the worst case: `least` ms for sure, `most` at the most, None if not known.

    `of`: platforms without a figure.
    """

    what: str
    least: float
    most: float | None
    of: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the step with its time."""
        if self.least == inf:
            return f"never ({self.what})"
        if self.most is None:
            return f"not known: {' '.join([self.what, *self.of])}"
        return f"{'' if self.least == self.most else 'at most '}{self.most:,} ms ({self.what})"


@record(kw_only=True)
class Recovery:
    """The steps of one kind of failure. Those in `notice` overlap, those in `then` do not."""

    notice: tuple[Step, ...]
    then: tuple[Step, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return all steps."""
        return (*self.notice, *self.then)

    @property
    def least(self) -> float:
        """Return the milliseconds that it takes for sure in the worst case."""
        return max(each.least for each in self.notice) + sum(each.least for each in self.then)

    @property
    def most(self) -> float | None:
        """Return the milliseconds that it takes at most; None if a step is not known."""
        if any(each.most is None for each in self.steps):
            return None
        return max(each.most or 0 for each in self.notice) + sum(
            each.most or 0 for each in self.then
        )

    @property
    def text(self) -> str:
        """Return the total if it is known, else the slowest notice and the unknown steps."""
        slowest = max(self.notice, key=lambda it: (it.least == inf, it.most or 0, it.least))
        if self.least == inf:
            return slowest.text
        if self.most is not None:
            names = (slowest.what, *(each.what for each in self.then))
            return Step(what=" + ".join(names), least=self.least, most=self.most).text
        unknown = [each for each in self.steps if each.most is None]
        platforms = sorted({name for each in unknown for name in each.of})
        of = f" of {', '.join(platforms)}" if platforms else ""
        seen = [slowest.text] if slowest.most is not None else []
        return ", ".join([*seen, f"not known: {', '.join(each.what for each in unknown)}{of}"])


@dataclass(eq=False)
class Clock:
    """Times of one fabric. `figures`: by platform, with a source."""

    fabric: Fabric
    figures: Mapping[str, Figures]

    def of(self, failure: Failure, *, silent: bool) -> Recovery | None:
        """Return the slowest recovery of the failed elements; None without another path."""
        roles = {each.name: each.role for each in self.fabric.topology.switches}
        kinds = {Fails(roles[name].value) for name in failure.switches}
        kinds |= {Fails.SERVER_LINK if link.to_server else Fails.LINK for link in failure.links}
        found = [one for kind in kinds if (one := self.kind(kind, silent=silent)) is not None]
        return max(
            found, key=lambda one: (one.least, one.most is None, one.most or 0), default=None
        )

    def kind(self, kind: Fails, *, silent: bool) -> Recovery | None:
        """Return the recovery from one kind of failure."""
        if kind is Fails.SERVER_LINK and not self._bonds:
            return None
        notice: list[Step] = []
        if kind is not Fails.SERVER_LINK:
            notice.append(self._session(silent=silent))
        if kind in (Fails.LEAF, Fails.SERVER_LINK):
            notice += self._bonded(kind, silent=silent)
        return Recovery(notice=tuple(notice), then=tuple(self._then(kind)))

    @cached_property
    def _bonds(self) -> list[Link]:
        return [
            link
            for link in self.fabric.topology.links
            if isinstance(link.lower_port, Nic) and link.lower_port.bond != "none"
        ]

    def _session(self, *, silent: bool) -> Step:
        """Return the time until a switch misses its neighbor. BFD: RFC 5880 section 6.8.4."""
        bfd = self.fabric.routing.bfd
        limit = int(bfd.interval) * bfd.multiplier if bfd is not None else None
        if not silent:
            light = self._figure("link_down", "loss of light")
            if light.most is not None or limit is None:
                return light
            return Step(what=f"loss of light, else {_bfd(self.fabric)}", least=0, most=limit)
        if limit is None:
            timer = "OSPF dead interval" if self.fabric.routing.ospf else "BGP hold time"
            return Step(what=f"{timer}, as BFD is off", least=0, most=None)
        return Step(what=_bfd(self.fabric), least=limit, most=limit)

    def _bonded(self, kind: Fails, *, silent: bool) -> Iterator[Step]:
        """Yield the times until the ends of a bond miss each other."""
        modes = {link.lower_port.bond for link in self._bonds if isinstance(link.lower_port, Nic)}
        if not silent:
            if modes:
                yield Step(what="link monitoring of bonds", least=MONITORED, most=MONITORED)
            if kind is Fails.SERVER_LINK:
                yield self._figure("link_down", "loss of light")
            return
        if "lacp" in modes:
            yield Step(what="LACP of servers, 3 x 1 s", least=SHORT, most=SHORT)
        if "lacp" in modes and kind is Fails.SERVER_LINK:
            yield Step(what="LACP of leafs", least=self._rate[0], most=self._rate[1])
        if "active-backup" in modes:
            yield Step(what="an active-backup bond sees links alone", least=inf, most=None)

    @cached_property
    def _rate(self) -> tuple[int, int]:
        """Return the shortest and the longest LACP timeout of leafs: a platform has a default."""
        rates = {
            link.lower_port.settings.lacp_rate
            for link in self._bonds
            if isinstance(link.lower_port, Nic) and link.lower_port.bond == "lacp"
        }
        return (
            LONG if "slow" in rates else SHORT,
            SHORT if rates == {"fast"} else LONG,
        )

    def _then(self, kind: Fails) -> Iterator[Step]:
        top = max(each.role.tier for each in self.fabric.topology.switches)
        roles = {Fails(each.role.value): each.role for each in self.fabric.topology.switches}
        alone = kind in roles and roles[kind].tier == top  # all neighbors have another path
        if self.fabric.routing.ospf and kind is not Fails.SERVER_LINK:
            yield self._figure("withdrawal", "OSPF flooding and SPF")
        elif not alone and (kind is not Fails.SERVER_LINK or self._spread):
            yield self._figure("withdrawal", "withdrawal")
        yield self._figure("fib_update", "FIB update")

    @cached_property
    def _spread(self) -> bool:
        """Return whether a bond has ports on leafs that only EVPN or routes join."""
        leafs: dict[tuple[str, str], set[str]] = {}
        for link in self._bonds:
            if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
                domain = link.upper.domain
                name = domain.name if domain is not None else link.upper.name
                leafs.setdefault((link.lower.name, link.lower_port.network), set()).add(name)
        return any(len(names) > 1 for names in leafs.values())

    def _figure(self, key: str, what: str) -> Step:
        """Return the largest stated time of the fabric's platforms; not known if one has none."""
        told: dict[str, Milliseconds | None] = {
            name: getattr(self.figures.get(name), key, None)
            for name in sorted({each.platform for each in self.fabric.present})
        }
        missing = tuple(name for name, time in told.items() if time is None)
        if missing:
            return Step(what=what, least=0, most=None, of=missing)
        time = max(time for time in told.values() if time is not None)
        return Step(what=what, least=time, most=time)


def _bfd(fabric: Fabric) -> str:
    bfd = fabric.routing.bfd
    return f"BFD {bfd.multiplier} x {bfd.interval} ms" if bfd is not None else ""
