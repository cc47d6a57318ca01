"""Write alert rules for lossless traffic, FEC, optics and links between sites.

A bound follows from the design where possible. The speed of a port gives how long PFC holds it, and
the end of marking gives the maximum queue depth. The other bounds are starting values.
"""

from collections.abc import Iterator
from typing import Any

from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos
from fabricgen.nos.telemetry import MARKED
from fabricgen.operate.export.lossy_rules import lossy_rules
from fabricgen.operate.export.rule import Rule
from fabricgen.operate.export.site_links import Reached, site_link_rules

_QUANTA = 65_535 * 512
"""Longest wait of a sender after one PFC frame, in bits (IEEE 802.1Qbb, 802.3 annex 31B)."""
_PAUSED = 0.1
"""Share of time that a port may be paused before an alert."""
_MARKED = 0.05
"""Share of packets: DCQCN needs marked packets, so some are normal."""
_WEAKEST = -10.3
"""dBm on a lane: the minimum of 100GBASE-SR4 (IEEE 802.3 clause 95), below that of 400GBASE."""
_DARK = -30
"""dBm: no light, which the state of the port already reports."""


def alerts(site: Site, reached: Reached) -> dict[str, Any]:
    """Return the groups of rules; a group without rules is left out."""
    groups = {
        "lossy": list(lossy_rules(site)),
        "lossless": list(_lossless(site)),
        "links": list(_links()),
        "sites": list(site_link_rules(site, reached)),
    }
    return {
        "groups": [
            {"name": name, "rules": [rule.data for rule in rules]}
            for name, rules in groups.items()
            if rules
        ]
    }


def _links() -> Iterator[Rule]:
    at = "{{ $labels.source }} {{ $labels.port }}"
    yield Rule(
        "FecUncorrected",
        "rate(port_fec_uncorrected[15m]) > 0",
        5,
        f"{at}: frames that FEC cannot repair: replace the cable or the optic",
    )
    yield Rule(
        "OpticWeak",
        f"optic_received_dbm < {_WEAKEST} and optic_received_dbm > {_DARK}",
        15,
        f"{at}{{{{ $labels.component_name }}}}: the optic receives only {{{{ $value }}}} dBm",
    )
    yield Rule("CollectorDown", "up == 0", 5, "{{ $labels.instance }} does not answer the scrape")


def _lossless(site: Site) -> Iterator[Rule]:
    """Yield the rules of each lossless class, for its slowest port and deepest queue."""
    classes: dict[int, list[TrafficClass]] = {}
    speeds: set[int] = set()
    for fabric in site.fabrics:
        for item in fabric.qos.lossless if fabric.qos is not None else ():
            classes.setdefault(item.number, []).append(item)
            speeds |= {int(speed) for speed in item.marking or ()}
    marks = _counts_marks(site)
    for number, items in sorted(classes.items()):
        deepest = _deepest(items)
        yield from _class(number, items[0].paused, min(speeds, default=0), deepest)
        if deepest and marks:
            yield _marked(number)


def _counts_marks(site: Site) -> bool:
    """Check whether a switch with a lossless class has a counter for marked packets."""
    switches = {
        (switch.platform, switch.release)
        for fabric in site.fabrics
        if fabric.qos is not None and fabric.qos.lossless
        for switch in fabric.topology.switches
    }
    for platform, release in switches:
        runs = nos(platform)
        if runs.telemetry is not None and runs.telemetry.load().counts(
            MARKED, runs.branch(release)
        ):
            return True
    return False


def _deepest(items: list[TrafficClass]) -> int:
    """Return the queue depth in bytes where marking ends, the largest of all speeds."""
    return max((int(m.maximum) for each in items for m in (each.marking or {}).values()), default=0)


def _class(number: int, priority: int | None, speed: int, deepest: int) -> Iterator[Rule]:
    at = "{{ $labels.source }} {{ $labels.port }}"
    held = _PAUSED * speed / _QUANTA
    on = f'{{queue="{number}"}}'
    yield Rule(
        f"LosslessDropped{number}",
        f"rate(queue_dropped{on}[5m]) > 0",
        1,
        f"{at}: queue {number} is lossless but drops packets",
    )
    if speed:
        yield Rule(
            f"Paused{number}",
            f'rate(port_pfc_received{{priority="{priority}"}}[5m]) > {held:.0f}',
            5,
            f"{at}: the neighbor pauses priority {priority} for up to {_PAUSED:.0%} of the time",
        )
    if deepest:
        yield Rule(
            f"QueueDeep{number}",
            f"queue_watermark_bytes{on} > {deepest}",
            5,
            f"{at}: queue {number} exceeds {deepest:,} bytes, where ECN marking ends",
        )


def _marked(number: int) -> Rule:
    on = f'{{queue="{number}"}}'
    return Rule(
        f"Marked{number}",
        f"rate({MARKED}{on}[5m]) > {_MARKED} * rate(queue_packets{on}[5m])",
        10,
        f"{{ $labels.source }} {{ $labels.port }}: more than {_MARKED:.0%} of queue {number} "
        "is ECN-marked",
    )
