"""Ping servers before a batch and report the coverage of the answers."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fabricgen.core.record import record
from fabricgen.core.units import counted, shortened
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import End, Kind, Station
from fabricgen.operate.deploy.fleet import Fleet
from fabricgen.operate.deploy.push.stations import Chooser, Pings
from fabricgen.operate.deploy.push.steps import Ready, Steps

_NAMED = 8
"""Number of silent servers in a sentence."""


@record(kw_only=True)
class Baseline:
    """Answers of servers before a batch.

    Attributes:
        ready: The switches of the batch with the answers in their snapshots.
        neighbors: The snapshots of neighbors with the answers.
        sentences: Lines for the user.
    """

    ready: dict[str, Ready]
    neighbors: dict[str, Health]
    sentences: tuple[str, ...] = ()


def baseline(
    fleet: Fleet,
    steps: Steps,
    ready: dict[str, Ready],
    neighbors: dict[str, Health],
    seed: str,
) -> Baseline:
    """Ping the servers of a batch before it changes.

    Args:
        fleet: Runs the step on each switch.
        steps: The steps of the push.
        ready: The switches of the batch.
        neighbors: The snapshots of neighbors outside the batch.
        seed: Seed of the sample of servers.

    Returns:
        The same switches and neighbors with the answers in their snapshots.
    """
    looks = {**{name: it.health for name, it in ready.items()}, **neighbors}
    around = steps.change.around
    if around is None or not steps.probe:
        return Baseline(ready=ready, neighbors=neighbors)
    changed = {name: it.changed for name, it in ready.items()}
    chooser = Chooser(model=around.model, looks=looks, batch=ready, changed=changed, seed=seed)
    pings = chooser.pings()
    outcomes = fleet.each(tuple(pings.ends), steps.ping(pings.ends, looks))
    for name, outcome in outcomes.items():
        look, answers = looks[name], outcome.value
        if answers is None:
            looks[name] = replace(look, unread=(*look.unread, f"pings of servers: {outcome.said}"))
        else:
            reached = {**look.traffic.reached, **answers}
            looks[name] = replace(look, traffic=replace(look.traffic, reached=reached))
    return Baseline(
        ready={name: replace(it, health=looks[name]) for name, it in ready.items()},
        neighbors={name: looks[name] for name in neighbors},
        sentences=tuple(_sentences(pings, looks, seed)),
    )


def _sentences(pings: Pings, looks: Mapping[str, Health], seed: str) -> Iterator[str]:
    asked = {
        (name, end): looks[name].traffic.reached[end]
        for name, ends in pings.ends.items()
        for end in ends
        if end in looks[name].traffic.reached
    }
    routed = {key: answers for key, answers in asked.items() if key[1].kind is Kind.ROUTED}
    if routed:
        servers = counted(len({end.station for _, end in routed}), "server")
        switches = counted(len({name for name, _ in routed}), "switch")
        pairs = f"{counted(sum(map(bool, routed.values())), 'pair')} of {len(routed)}"
        yield (f"{switches} pinged {servers} (random sample, seed {seed}): {pairs} answered")
    yield from pings.alone
    yield from _silent(routed)
    for (name, end), answers in asked.items():
        if end.kind is Kind.APART and answers and end.station is not None:
            yield (
                f"{name}: VRF {end.of} already reaches {end.station.text} against the "
                "design; the health check ignores this pair"
            )


def _silent(routed: Mapping[tuple[str, End], bool]) -> Iterator[str]:
    """Yield sentences about servers and sources without an answer."""
    heard = {end.station for (_, end), answers in routed.items() if answers}
    dead = {
        (name, end.of, end.source)
        for (name, end), answers in routed.items()
        if not answers and end.station in heard
    } - {(name, end.of, end.source) for (name, end), answers in routed.items() if answers}
    for name, vrf, source in sorted(dead):
        yield (
            f"{name}: no server of VRF {vrf} answers {source}; the health check ignores these pings"
        )
    silent = {
        end.station
        for (_, end), answers in routed.items()
        if not answers and end.station is not None
    }
    quiet = sorted(silent - heard, key=_order)
    if quiet:
        named = shortened([each.text for each in quiet], _NAMED)
        yield f"no answer before the batch, so the health check ignores: {named}"
    single = sorted(
        f"{name} does not reach {end.station.text} in VRF {end.of}"
        for (name, end), answers in routed.items()
        if not answers
        and end.station in heard
        and end.station is not None
        and (name, end.of, end.source) not in dead
    )
    yield from (f"already before the batch: {each}" for each in single[:_NAMED])


def _order(station: Station) -> tuple[str, str]:
    return station.leaf, station.address
