"""The traffic classes of a fabric in, QoS maps, profiles and the PFC watchdog of EOS out.

Headroom, priority-group thresholds and the MMU profile are no part of this: they follow from
cable lengths and the ASIC and have their own arithmetic. Multicast queues keep their defaults.
Nor is `bandwidth guaranteed`, which the EOS 4.36 manual (quoted second-hand) wants on queues that
the watchdog watches and documents for Trident II alone: a line that a model refuses would stop
the whole replacement (aristanetworks/avd issue 1304 shows such a refusal).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.catalog.switches import switch_model
from fabricgen.fabric.qos import reason
from fabricgen.fabric.switch import SwitchSlice, Use
from fabricgen.nos.eos.view import qos as view

if TYPE_CHECKING:
    from fabricgen.fabric.qos import Marking, Qos, TrafficClass
    from fabricgen.units import BitsPerSecond, Milliseconds

# Traffic class 7 and queue 7 belong together, strict, reserved for control traffic: EOS takes no
# mapping of them (EOS 4.36 QoS chapter, quoted second-hand).
FIXED_CLASS = 7
_OCTET = 8  # DSCPs in a line, so that a line stays readable

# EOS drops, shuts the port (errdisable) or only logs (notify-only): pyavd 6.4.0 schema,
# priority_flow_control.watchdog.action. None of them forwards in spite of a pause: see gaps.py.
WATCHDOG_ACTIONS = {"drop": "drop"}


def quality_of(piece: SwitchSlice) -> view.Quality:
    """Return the traffic classes of a switch, with a profile per port speed in use."""
    if piece.qos is None:
        return view.Quality(None, None, None)
    speeds = {item.port.speed for item in piece.interfaces if item.use in (Use.FABRIC, Use.NIC)}
    block = queue_block(piece.switch.model)
    return _quality(piece.qos, piece.switch.fabric, block, tuple(sorted(speeds)))


@lru_cache(maxsize=64)
def queue_block(model: str) -> str:
    """Return the sub-mode of unicast queues on this model: uc-tx-queue or tx-queue."""
    known = switch_model(model)
    facts = known.platforms.get("eos", {}) if known else {}
    return str(facts.get("queue_block", "tx-queue"))


@lru_cache(maxsize=256)
def profile_name(qos: Qos, fabric: str, speed: BitsPerSecond) -> str:
    """Return BACKEND-400G where marking depends on the speed, else FRONTEND."""
    marked = any(item.marking for item in qos.classes)
    return f"{fabric}-{speed}".upper() if marked else fabric.upper()


@lru_cache(maxsize=256)
def _quality(qos: Qos, fabric: str, block: str, speeds: tuple[BitsPerSecond, ...]) -> view.Quality:
    by_name = {profile_name(qos, fabric, speed): speed for speed in speeds}
    return view.Quality(
        view.Profiles(
            qos.because,
            tuple(
                view.Profile(name, _port_lines(qos), _queues(qos, block, speed))
                for name, speed in by_name.items()
            ),
        ),
        view.Maps(qos.because, (*_cos_lines(qos), *_dscp_lines(qos), *_queue_lines(qos))),
        _watchdog(qos),
    )


def _cos_lines(qos: Qos) -> list[view.MapLine]:
    """Put what enters bridged ports, which trust CoS, into best effort; EOS would take class 1.

    Not where a class is lossless: there every port trusts DSCP, and CoS is the priority of pauses.
    """
    if qos.lossless:
        return []
    rest = qos.best_effort
    return [view.MapLine(qos.because, f"cos 0 1 2 3 4 5 6 7 to traffic-class {rest.number}")]


def _dscp_lines(qos: Qos) -> list[view.MapLine]:
    return [
        view.MapLine(
            reason(qos, item), f"dscp {' '.join(map(str, part))} to traffic-class {item.number}"
        )
        for item in qos.classes
        for part in _octets(item.dscps)
    ]


def _octets(dscps: tuple[int, ...]) -> list[list[int]]:
    parts: dict[int, list[int]] = {}
    for dscp in sorted(dscps):
        parts.setdefault(dscp // _OCTET, []).append(dscp)
    return list(parts.values())


def _queue_lines(qos: Qos) -> list[view.MapLine]:
    return [
        view.MapLine(reason(qos, item), f"traffic-class {item.number} to tx-queue {item.number}")
        for item in qos.classes
        if item.number != FIXED_CLASS
    ]


def _port_lines(qos: Qos) -> str:
    lines = ["qos trust dscp"]
    if qos.lossless:
        lines.append("priority-flow-control on")
        lines += [f"priority-flow-control priority {number} no-drop" for number in qos.paused]
        if qos.watchdog is not None:
            lines.append("priority-flow-control pause watchdog")
    return "\n   ".join(lines)


def _queues(qos: Qos, block: str, speed: BitsPerSecond) -> tuple[view.Queue, ...]:
    return tuple(
        view.Queue(
            reason(qos, item),
            f"{block} {item.number}",
            "\n      ".join(_scheduling(item, block, speed)),
        )
        for item in qos.classes
        if item.number != FIXED_CLASS
    )


def _scheduling(item: TrafficClass, block: str, speed: BitsPerSecond) -> list[str]:
    lines = ["priority strict"] if item.strict else ["no priority"]
    if item.share is not None:
        lines.append(f"bandwidth percent {item.share}")
    if item.marking is not None:
        lines.append(_marking(item.marking[speed], block))
    return lines


def _marking(marking: Marking, block: str) -> str:
    """Mark by the queue as it is now: weight 0, a word that tx-queue platforms do not show."""
    weight = " weight 0" if block.startswith("uc-") else ""
    return (
        f"random-detect ecn minimum-threshold {marking.minimum} bytes maximum-threshold "
        f"{marking.maximum} bytes max-mark-probability {marking.probability}{weight}"
    )


def _watchdog(qos: Qos) -> view.Watchdog | None:
    """Timers in seconds: 0.01-60, the polling interval 0.005-30 and at most half the others."""
    guard = qos.watchdog
    action = WATCHDOG_ACTIONS.get(guard.action) if guard else None
    if guard is None or action is None:
        return None
    return view.Watchdog(
        because=guard.because,
        timeout=_seconds(guard.detection, 2),
        recovery=_seconds(guard.restoration, 2),
        polling=_seconds(guard.poll, 3),
        action=action,
    )


def _seconds(time: Milliseconds, digits: int) -> str:
    return f"{time / 1000:.{digits}f}"
