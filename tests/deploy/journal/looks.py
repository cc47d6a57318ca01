"""Looks at switches for the tests of the timeline."""

import time
from datetime import UTC, datetime

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.measures import Measure
from fabricgen.nos.show import Observed, Part
from fabricgen.operate.state.timeline.records import Identity, Lane
from fabricgen.operate.state.timeline.snapshot import Seen, Source, seen
from fabricgen.prove.catalogue.model import Finding, Outcome, Result, Severity

LANE = Lane(site="berlin1")
ABOUT = {
    ("session", "asn"): Part.BGP,
    ("session", "state"): Part.BGP,
    ("interface", "mtu"): Part.INTERFACES,
}
PEER = ("session", "default", "10.72.0.1")
PORT = ("interface", "Ethernet1")
SERIAL = ("identity",)


def facts(**values: str) -> Facts:
    """Return the facts of a small switch."""
    own = {"mtu": "9214", "asn": "65001", "state": "Established", "serial": "S1", **values}
    return {
        SERIAL: {"serial": own["serial"]},
        PORT: {"mtu": own["mtu"]},
        PEER: {"asn": own["asn"], "state": own["state"]},
    }


def look(
    own: Facts | None = None,
    *,
    numbers: dict[Measure, float] | None = None,
    unread: dict[Part, str] | None = None,
    clock: float | None = None,
    results: tuple[Result, ...] = (),
    partial: bool = False,
) -> Seen:
    """Return what is stored of a look at a switch."""
    observed = Observed(
        facts=facts() if own is None else own,
        measures=numbers or {},
        unread=unread or {},
        clock=clock,
    )
    return seen(observed, ABOUT, results, partial=partial)


def checked(*sentences: str, check: str = "SessionState", outcome: Outcome | None = None) -> Result:
    """Return the result of a check with a finding for each sentence."""
    severity = Severity.ERROR
    findings = tuple(
        Finding(
            switch="leaf1",
            check=check,
            outcome=Outcome.FAILED,
            severity=severity,
            sentence=f"leaf1: {each}",
            key=PEER,
            attribute="state",
        )
        for each in sentences
    )
    found = outcome or (Outcome.FAILED if findings else Outcome.PASSED)
    return Result(switch="leaf1", check=check, outcome=found, severity=severity, findings=findings)


def identity(source: Source = Source.VERIFY, taken: float | None = None) -> Identity:
    """Return the identity of a look that was taken now, or at a reading of time.monotonic."""
    moment = time.monotonic() if taken is None else taken
    return Identity(source=source, who="ann", host="ops1", taken=moment)


BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
