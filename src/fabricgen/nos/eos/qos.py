"""Lower the traffic classes of a fabric to EOS QoS maps, profiles and the PFC watchdog.

Headroom, thresholds and the MMU profile are in memory.py. Multicast queues keep their defaults.
`bandwidth guaranteed` is not written. The EOS 4.36 manual (quoted second-hand) wants it on queues
that the watchdog watches, and documents it for Trident II alone. Support differs by hardware
(aristanetworks/avd pull 1331: in a queue on 7050X3, not on another). A line that a model refuses
would stop the whole replacement (avd issue 1304 shows such a refusal).
"""

from functools import lru_cache

from fabricgen.core.units import BitsPerSecond, Milliseconds
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.classes import Marks
from fabricgen.model.fabric.qos import Qos, reason
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.view import qos as view
from fabricgen.nos.eos.view.interfaces import Counted

# Traffic class 7 and queue 7 belong together. They are strict and reserved for control traffic, and
# EOS accepts no other mapping (EOS 4.36 QoS chapter, quoted second-hand).
FIXED_CLASS = 7
_OCTET = 8  # DSCPs in a line, so that a line stays readable

# EOS drops, shuts the port (errdisable) or only logs (notify-only): pyavd 6.4.0 schema,
# priority_flow_control.watchdog.action. No action forwards in spite of a pause: see gaps.py.
WATCHDOG_ACTIONS = {"drop": "drop"}


def profiles_of(switch_slice: SwitchSlice) -> view.Profiles | None:
    """Return the traffic classes of a switch, as a profile per port speed in use."""
    if switch_slice.qos is None:
        return None
    speeds = {item.port.speed for item in switch_slice.marked}
    block = queue_block(switch_slice.switch.model)
    return _profiles(switch_slice.qos, switch_slice.switch.fabric, block, tuple(sorted(speeds)))


@lru_cache(maxsize=64)
def queue_block(model: SwitchModel) -> str:
    """Return the sub-mode of unicast queues on this model: uc-tx-queue or tx-queue."""
    return str(model.platforms.get("eos", {}).get("queue_block", "tx-queue"))


@lru_cache(maxsize=256)
def profile_name(qos: Qos, fabric: str, speed: BitsPerSecond) -> str:
    """Return BACKEND-400G if marking depends on the speed, else FRONTEND."""
    marked = any(item.marking for item in qos.classes)
    return f"{fabric}-{speed}".upper() if marked else fabric.upper()


@lru_cache(maxsize=64)
def counted(qos: Qos, model: SwitchModel) -> Counted | None:
    """Return the queues with marking counters.

    The counter is a line of the port in a blog of EOS 4.36 ("not inside the QoS profile") and in a
    cluster operator's generator for 7060DX5. AMD's guide has it in the profile.
    """
    block = queue_block(model)
    marked = tuple(f"{block} {item.number}" for item in qos.classes if item.marking)
    return Counted(marked) if marked else None


@lru_cache(maxsize=256)
def _profiles(
    qos: Qos, fabric: str, block: str, speeds: tuple[BitsPerSecond, ...]
) -> view.Profiles:
    """Mark by the current queue length: weight 0, a word that tx-queue platforms do not show."""
    by_name = {profile_name(qos, fabric, speed): speed for speed in speeds}
    return view.Profiles(
        because=qos.because,
        paused=qos.paused if qos.lossless else (),
        watchdog=qos.watchdog is not None,
        weight=" weight 0" if block.startswith("uc-") else "",
        profiles=tuple(
            view.Profile(name, _queues(qos, block, speed)) for name, speed in by_name.items()
        ),
    )


def _queues(qos: Qos, block: str, speed: BitsPerSecond) -> tuple[view.Queue, ...]:
    return tuple(
        view.Queue(
            because=reason(qos, item),
            block=block,
            number=item.number,
            strict=item.strict,
            share=item.share,
            marking=item.marking[speed] if item.marking is not None else None,
        )
        for item in qos.classes
        if item.number != FIXED_CLASS
    )


@lru_cache(maxsize=256)
def maps_of(qos: Qos) -> view.Maps:
    """Return the classification of packets, and the watchdog of the switch."""
    return view.Maps(
        because=qos.because,
        cos=_cos(qos),
        dscps=tuple(
            view.ClassOf(reason(qos, item), " ".join(map(str, part)), item.number)
            for item in qos.classes
            for part in _octets(item.dscps)
        ),
        queues=tuple(
            view.ClassOf(reason(qos, item), str(item.number), item.number)
            for item in qos.classes
            if item.number != FIXED_CLASS
        ),
        watchdog=_watchdog(qos),
    )


def policy_name(marks: Marks | None) -> str | None:
    """Name the policy of a port that marks; its DSCP defines it completely."""
    return f"MARK-{marks.rest.dscp}" if marks is not None else None


def policies_of(switch_slice: SwitchSlice) -> view.Policies | None:
    """Return the marking policies of ports; None without any.

    A policy at a port sets DSCP and class of matching packets and overrides the port's trust.
    Sources: EOS manual, Quality of Service, ACL based QoS, and PyAVD 6.4.0, policy_maps.qos.
    """
    marks = {each.rest.dscp: each.rest for each in switch_slice.marks}
    if not marks:
        return None
    return view.Policies(
        tuple(
            view.Policy(because=mark.because, name=f"MARK-{dscp}", dscp=dscp, number=mark.number)
            for dscp, mark in sorted(marks.items())
        )
    )


def _cos(qos: Qos) -> tuple[view.ClassOf, ...]:
    """Map CoS at bridged ports, which trust it, to best effort; EOS's default is class 1.

    With a lossless class every port trusts DSCP, and CoS is the priority of pauses.
    """
    if qos.lossless:
        return ()
    return (view.ClassOf(qos.because, "0 1 2 3 4 5 6 7", qos.best_effort.number),)


def _octets(dscps: tuple[int, ...]) -> list[list[int]]:
    parts: dict[int, list[int]] = {}
    for dscp in sorted(dscps):
        parts.setdefault(dscp // _OCTET, []).append(dscp)
    return list(parts.values())


def _watchdog(qos: Qos) -> view.Watchdog | None:
    """Timers in seconds: 0.01-60, the polling interval 0.005-30 and at most half the others."""
    guard = qos.watchdog
    action = WATCHDOG_ACTIONS.get(guard.action) if guard else None
    if guard is None or action is None:
        return None
    return view.Watchdog(
        because=guard.because,
        detection=_seconds(guard.detection, 2),
        restoration=_seconds(guard.restoration, 2),
        polling=_seconds(guard.poll, 3),
        action=action,
    )


def _seconds(time: Milliseconds, digits: int) -> str:
    return f"{time / 1000:.{digits}f}"
