"""Check optics, forward error correction, hardware tables and certificates."""

from collections import defaultdict
from collections.abc import Iterator

from fabricgen.core.tree.facts import spelled
from fabricgen.core.units import BitsPerSecond
from fabricgen.nos.show import OFF
from fabricgen.prove.catalogue.model import Deviation, InapplicableError, Subject

NO_LIGHT = -30.0
"""dBm. A module reports this or less without light (prove/catalogue/checks/OpticsLight.yaml)."""


def light(subject: Subject) -> Iterator[Deviation]:
    """Yield lanes whose received power is below a limit of their module.

    A port without link is reported elsewhere. Its module receives no light.
    """
    measures = subject.observed.measures
    for (metric, *names), power in measures.items():
        if metric != "light-received" or not names:
            continue
        port, lane = names[0], " ".join(names[1:])
        alarm, warning = (measures.get((f"light-{each}", port)) for each in ("alarm", "warning"))
        passed = [(word, most) for word, most in (("alarm", alarm), ("warning", warning)) if most]
        below = next(((word, most) for word, most in passed if power < most), None)
        if below is None or power <= NO_LIGHT:
            continue
        yield Deviation(
            sentence=f"lane {lane} of {port} receives {power:.1f} dBm, below the low {below[0]} "
            f"limit of its module",
            key=("interface", port),
            attribute="light-received",
            expected=f"at least {below[1]:.1f} dBm",
            actual=f"{power:.1f} dBm",
        )


def module_heat(subject: Subject) -> Iterator[Deviation]:
    """Yield modules above their own high alarm limit."""
    measures = subject.observed.measures
    for (metric, *names), heat in measures.items():
        most = measures.get(("module-temperature-alarm", *names))
        if metric == "module-temperature" and most is not None and heat > most:
            yield Deviation(
                sentence=f"the module of {names[0]} has {heat:.0f} °C, above its high alarm limit",
                key=("interface", names[0]),
                attribute="module-temperature",
                expected=f"at most {most:.0f} °C",
                actual=f"{heat:.0f} °C",
            )


def bit_errors(subject: Subject) -> Iterator[Deviation]:
    """Yield ports with too many bit errors before FEC."""
    most = subject.limits.bit_errors
    for (metric, *names), ratio in subject.observed.measures.items():
        if metric == "pre-fec-ber" and ratio > most:
            yield Deviation(
                sentence=f"{names[0]} has a bit error ratio of {ratio:.1e} before FEC",
                key=("interface", names[0]),
                attribute=metric,
                expected=f"at most {most:.1e}",
                actual=f"{ratio:.1e}",
                limit="bit_errors",
            )


def capacity(subject: Subject) -> Iterator[Deviation]:
    """Yield hardware tables that are nearly full."""
    measures, most = subject.observed.measures, subject.limits.capacity_share
    for (metric, *names), used in measures.items():
        free = measures.get(("capacity-free", *names))
        if metric != "capacity-used" or free is None or used + free <= 0:
            continue
        share = 100 * used / (used + free)
        if share > most:
            yield Deviation(
                sentence=f"table {names[0]} is {share:.0f} % full: {used:,.0f} of "
                f"{used + free:,.0f} entries",
                key=("table", *names),
                attribute=metric,
                expected=f"at most {most:g} %",
                actual=f"{share:.0f} %",
                limit="capacity_share",
            )


def certificates(subject: Subject) -> Iterator[Deviation]:
    """Yield certificates that end soon."""
    least = subject.limits.certificate_days
    for (metric, *names), days in subject.observed.measures.items():
        if metric == "certificate-days" and days < least:
            ends = f"ends in {days:.0f} days" if days >= 0 else f"ended {-days:.0f} days ago"
            yield Deviation(
                sentence=f"certificate {names[0]} {ends}",
                key=("certificate", *names),
                attribute=metric,
                expected=f"at least {least} days",
                actual=f"{days:.0f} days",
                limit="certificate_days",
            )


def balancing(subject: Subject) -> Iterator[Deviation]:
    """Yield equal-cost ports whose busiest one sends much more than the mean.

    Below one percent of the speed, hash buckets with one flow each say nothing about balance.
    """
    rates = {
        names[0]: rate
        for (metric, *names), rate in subject.observed.measures.items()
        if metric == "rate-sent"
    }
    seen = set[tuple[str, ...]]()
    for key, own in subject.expected.facts.items():
        ports = tuple(map(str, own.get("ports", ()))) if key[0] == "route" else ()
        known = [port for port in ports if port in rates]
        if len(ports) < 2 or len(known) < len(ports) or ports in seen:
            continue
        seen.add(ports)
        mean = sum(rates[port] for port in ports) / len(ports)
        busiest = max(ports, key=lambda port: rates[port])
        if not _is_busy(subject, busiest, rates[busiest]):
            continue
        ratio = rates[busiest] / mean
        if ratio > subject.limits.imbalance:
            yield Deviation(
                sentence=f"{busiest} sends {ratio:.1f} times the mean of {len(ports)} equal-cost "
                f"ports ({rates[busiest] / 1e9:.1f} Gbit/s)",
                key=("interface", busiest),
                attribute="rate-sent",
                expected=f"at most {subject.limits.imbalance:g} times the mean",
                actual=f"{ratio:.1f} times the mean",
                limit="imbalance",
            )


_LEAST_SHARE = 0.01


def _is_busy(subject: Subject, port: str, rate: float) -> bool:
    speed = subject.expected.facts.get(("interface", port), {}).get("speed")
    try:
        return rate > _LEAST_SHARE * BitsPerSecond.parse(str(speed))
    except ValueError:
        return rate > 0


def restarts(subject: Subject) -> Iterator[Deviation]:
    """Yield that the switch started again between two snapshots."""
    before, now = (
        (each.measures.get(("uptime",)) if each is not None else None)
        for each in (subject.before, subject.observed)
    )
    if before is not None and now is not None and now < before:
        yield Deviation(
            sentence=f"the switch started again {now:,.0f} s ago",
            attribute="uptime",
            expected="no restart",
            actual=f"up for {now:,.0f} s",
        )


def coverage_of_counters(subject: Subject) -> Iterator[Deviation]:
    """Yield counters of lossless queues that a setting of the switch hides.

    A counter that the release or the chip does not have is not applicable elsewhere.
    """
    reasons: dict[str, list[str]] = defaultdict(list)
    for names, why in subject.observed.unknown.items():
        if len(names) == 1 and names[0] in COUNTED and OFF in why:
            reasons[why].append(names[0])
    for why, metrics in reasons.items():
        yield Deviation(
            sentence=f"{', '.join(sorted(metrics))} not counted: {why}",
            attribute=metrics[0],
            expected="counted",
            actual="not counted",
        )


COUNTED = frozenset(
    ("pause-received", "pause-sent", "ecn-marked", "queue-packets", "queue-drops", "group-drops")
)
"""Counters without which a loss of lossless traffic has no evidence."""


OK = "ok"
_BROKEN = frozenset(("fatal", "backoff"))
"""States of supervisord in which a process does not start (supervisord.org, Subprocesses)."""


def components(subject: Subject) -> Iterator[Deviation]:
    """Yield fans, power supplies and sensors that do not work. No design lists them."""
    found = subject.observed.of("component")
    if not found:
        raise InapplicableError("the switch lists no fan, power supply or sensor")
    for key, own in found.items():
        state = str(own.get("state", OK))
        if state.lower() != OK:
            yield Deviation(
                sentence=f"{' '.join(key[1:])} is {state}",
                key=key,
                attribute="state",
                expected=OK,
                actual=state,
            )


def daemons(subject: Subject) -> Iterator[Deviation]:
    """Yield daemons outside the design that cannot start."""
    for key, own in subject.observed.of("daemon").items():
        state = str(own.get("state"))
        if state in _BROKEN and key not in subject.expected.facts:
            yield Deviation(
                sentence=f"daemon {' '.join(key[1:])} cannot start: it is {state}",
                key=key,
                attribute="state",
                expected="running, or absent",
                actual=state,
            )


def errdisabled(subject: Subject) -> Iterator[Deviation]:
    """Yield ports that the switch disabled after an error. No design has such a port."""
    for key, own in subject.observed.of("interface").items():
        causes = own.get("errdisabled")
        if causes:
            shown = spelled(causes)
            yield Deviation(
                sentence=f"{key[1]} is disabled after an error: {shown}",
                key=key,
                attribute="errdisabled",
                expected="nothing",
                actual=shown,
            )
