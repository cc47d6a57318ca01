"""Reports the lossless design of a site: headroom, packet memory and ECN points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.core.diagnostics import Code, Diagnostic, did_you_mean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.api.whatif import Change, PortGroup, WhatIf
    from fabricgen.compile.reports.lossless import Common, SwitchKind
    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.model.lossless.marking import Points


@record(kw_only=True)
class LosslessReport:
    """Lossless switches, one row for each kind, with every term of each number.

    Attributes:
        kinds: Switches with the same plan of their packet memory.
        commons: Values that all switches and NICs of a fabric share.
        fabrics: The lossless fabrics.
    """

    kinds: tuple[SwitchKind, ...]
    commons: tuple[Common, ...]
    fabrics: tuple[Fabric, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the report as data."""
        from fabricgen.compile.reports.lossless import as_data
        from fabricgen.compile.reports.ratios import ratios

        ratios_of = {fabric.name: ratios(fabric.topology) for fabric in self.fabrics}
        return as_data(self.kinds, self.commons) | {"oversubscription": ratios_of}

    def __repr__(self) -> str:
        """Return the number of kinds of switches."""
        return f"<LosslessReport of {len(self.kinds):,} kinds of switches>"

    def pictures(self) -> Iterator[tuple[str, str]]:
        """Yield, for each kind of switch, the name of its first switch and the memory as SVG."""
        from fabricgen.compile.reports.buffer_picture import picture

        for kind in self.kinds:
            speed = max(port.speed for port, _ in kind.buffers.ports)
            plans = {name: plan for name, plan in self._plans(kind) if plan.speed == speed}
            yield kind.names[0], picture(kind.title, kind.buffers, plans)

    def groups(self, switch: str) -> tuple[PortGroup, ...]:
        """Return the groups of ports of a lossless switch, for `what_if`."""
        from fabricgen.api.whatif import groups

        return groups(self.fabrics, switch)

    def what_if(self, switch: str, change: Change) -> WhatIf:
        """Plan the packet memory and marking of a switch after a change.

        The design uses the same arithmetic, so an unchanged point has the numbers of the design.

        Args:
            switch: Name of a lossless switch.
            change: Other length, MTU, speed or number of ports of one group of ports.

        Raises:
            UnknownName: No lossless switch or group of ports has this name.
        """
        from fabricgen.api.whatif import what_if

        return what_if(self.fabrics, switch, change)

    def what_if_grids(self) -> dict[str, Any]:
        """Return headroom and marking for many lengths, MTUs and speeds as data, by fabric."""
        from fabricgen.api.whatif import grids

        return grids(self.fabrics)

    def _plans(self, kind: SwitchKind) -> tuple[tuple[str, Points], ...]:
        """Return the ECN points of a kind of switch, each with the name of its class."""
        fabric = next(item for item in self.fabrics if item.name == kind.fabric)
        assert fabric.lossless is not None
        first = next(item for item in fabric.topology.switches if item.name == kind.names[0])
        return tuple((item.value, plan) for item, plan in fabric.lossless.plans_of(first.role))

    def _repr_html_(self) -> str:
        return "".join(svg for _, svg in self.pictures())


def lossless_report(site: Site, switch: str | None = None) -> LosslessReport:
    """Return the report of a site, or of one switch.

    Raises:
        UnknownName: The site has no lossless fabric, or the switch has no lossless class.
    """
    from fabricgen.compile.reports.lossless import commons, kinds

    found = kinds(site, switch)
    if not found:
        from fabricgen.api.errors import UnknownName

        raise UnknownName(_nothing(site, switch))
    lossless = tuple(fabric for fabric in site.fabrics if fabric.lossless is not None)
    return LosslessReport(kinds=tuple(found), commons=tuple(commons(site)), fabrics=lossless)


def _nothing(site: Site, switch: str | None) -> Diagnostic:
    """Return the finding that explains the missing report, with the nearest switch name."""
    if switch is None:
        hint = "it needs a backend with roce.enabled and switch models of known packet memory"
        return Diagnostic(Code.NO_SUCH_OBJECT, "the site has no lossless fabric", hint=hint)
    for fabric in site.fabrics:
        if any(item.name == switch for item in fabric.topology.switches):
            sentence = (
                f"switch {switch} of {fabric.name} has no lossless class or unknown packet memory"
            )
            return Diagnostic(Code.NO_SUCH_OBJECT, sentence)
    names = [
        name for fabric in site.fabrics if fabric.lossless for name in fabric.lossless.switches
    ]
    sentence = f"no lossless switch {switch!r}"
    return Diagnostic(Code.NO_SUCH_OBJECT, sentence, hint=did_you_mean(switch, names))
