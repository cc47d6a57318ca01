"""List all checks in the order of their codes, followed by the checks of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol, cast

from fabricgen.compile.checks.addresses import Addresses
from fabricgen.compile.checks.asns import Asns
from fabricgen.compile.checks.balancing import PacketOrder, Polarisation, TooFewFlows
from fabricgen.compile.checks.cables import Cables
from fabricgen.compile.checks.clocks import Clocks
from fabricgen.compile.checks.coverage import Coverage
from fabricgen.compile.checks.deadlock import Deadlock
from fabricgen.compile.checks.isolation import Isolation
from fabricgen.compile.checks.links import Bundles, Links, Mtu
from fabricgen.compile.checks.odd_speeds import OddSpeeds
from fabricgen.compile.checks.plant import Plant
from fabricgen.compile.checks.ports import Ports
from fabricgen.compile.checks.queues import Queues
from fabricgen.compile.checks.redundancy import DrainedLinks, Pairs, SinglePoint
from fabricgen.compile.checks.route_targets import RouteTargets
from fabricgen.compile.checks.segments import Segments
from fabricgen.compile.checks.sessions import Sessions
from fabricgen.compile.checks.shape import Mesh, Oversubscription, Rails
from fabricgen.compile.checks.tunnels import Tunnels
from fabricgen.compile.checks.vnis import Vnis
from fabricgen.compile.checks.zones import ZonesHold
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Failure
from fabricgen.core.extensions import CHECKS as SEAM
from fabricgen.core.extensions import Extension, extensions, spoken
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice


class Check(Protocol):
    """Interface of a check: it gets the site, then every slice, then returns its result."""

    name: str

    def __init__(self, site: Site) -> None:
        """Prepare for one site."""

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check one switch."""

    def result(self) -> Examined:
        """Return the examined objects and the findings."""


def judged(result: Examined) -> Examined:
    """Return the result, with an error if the check examined nothing."""
    if result.objects:
        return result
    empty = Diagnostic(
        Code.NOTHING_EXAMINED,
        f"the check {result.check!r} examined no {result.noun}, so it proves nothing",
    )
    return Examined(
        check=result.check, objects=0, noun=result.noun, findings=(*result.findings, empty)
    )


# An exception becomes a finding that names the package, and so does a finding with a code that is
# reserved for this project.

OURS = "FG"
"""First letters of every code of this project."""


class Outside:
    """One check of another package. It is not called again after it has failed."""

    def __init__(self, extension: Extension, site: Site) -> None:
        self._extension = extension
        self._failed: Diagnostic | None = None
        with self._guarded():
            self._check: Check = cast("type[Check]", extension.load())(site)

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Pass one switch to the check."""
        if self._failed is None:
            with self._guarded():
                self._check.see(fabric, switch_slice)

    def result(self) -> Examined:
        """Return its result, or the error that it raised."""
        examined = Examined(check=self._extension.name, objects=0, noun="objects", findings=())
        if self._failed is None:
            with self._guarded():
                result = judged(self._check.result())
                examined = replace(result, findings=tuple(map(self._own, result.findings)))
        return replace(examined, findings=(self._failed,)) if self._failed else examined

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Failure as failure:
            self._failed = failure.diagnostic
        except Exception as error:  # noqa: BLE001 - whatever it raises is said, and is no end of us
            self._failed = self._extension.fault(f"the check raised {spoken(error)}")

    def _own(self, finding: Diagnostic) -> Diagnostic:
        """Replace a finding with a reserved code by an error that quotes it."""
        if not finding.code.startswith(OURS) or finding.code == Code.NOTHING_EXAMINED:
            return finding
        fault = self._extension.fault(
            f"the check uses the code {finding.code}, which is reserved for fabricgen: "
            f"{finding.message}"
        )
        return replace(fault, path=finding.path)


# A new check of this project adds one line here.

CHECKS: tuple[type[Check], ...] = (
    Clocks,
    Addresses,
    Asns,
    Vnis,
    RouteTargets,
    Ports,
    Links,
    Sessions,
    Cables,
    Coverage,
    Rails,
    Mesh,
    Oversubscription,
    Isolation,
    Mtu,
    Queues,
    Deadlock,
    PacketOrder,
    Polarisation,
    TooFewFlows,
    SinglePoint,
    Segments,
    Pairs,
    Bundles,
    ZonesHold,
    Tunnels,
    OddSpeeds,
    Plant,
    DrainedLinks,
)


class Checks:
    """All checks of one site; each slice is passed to all checks once."""

    def __init__(self, site: Site) -> None:
        """Create the checks of this project and of other packages."""
        self._ours = [kind(site) for kind in CHECKS]
        self._others = [Outside(each, site) for each in extensions(SEAM)]
        everyone: list[Check | Outside] = [*self._ours, *self._others]
        self._looks = [check.see for check in everyone]

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        for look in self._looks:
            look(fabric, switch_slice)

    def results(self) -> list[Examined]:
        ours = (judged(check.result()) for check in self._ours)
        return [*ours, *(each.result() for each in self._others)]
