"""Boots one side of a change, waits until it is settled, and takes its snapshot."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from fabricgen.compile.attached.host import Endpoint
from fabricgen.compile.compiler import File, Owner, files
from fabricgen.core.record import record
from fabricgen.core.units import counted, natural
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.show import ESTABLISHED
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.pairs import Pair, expected_pairs
from fabricgen.operate.lab.up import LabRequest, boot
from fabricgen.prove.verifier import Look, Verifier, expectations
from fabricgen.review.lab_differences import listed
from fabricgen.review.lab_reading import (
    SCRIPT,
    STATE_SCRIPT,
    read_snapshot,
    read_start,
)
from fabricgen.review.lab_snapshot import LabRoute, LabSession, Names, Snapshot, names_of

PATIENCE = 180
"""Seconds until a side has to be settled."""
STEADY = 40
"""Seconds without any change after which a state that is not as designed is final.

BGP tries again after 10 s (`timers connect` of FRR's datacenter profile), so three attempts fail.
"""
PAIRS = 2000
"""Largest number of pairs of server ports that a lab measures."""
_RESTLESS = (("session",), ("bfd",))
_ROUNDS = 4
_ANSWERS = 3  # attempts to get two equal snapshots
Clock = Callable[[], float]
K = TypeVar("K", LabRoute, LabSession)
V = TypeVar("V")


@record(kw_only=True)
class LabSide:
    """One side of a change as a lab.

    Attributes:
        word: `old` or `new`.
        site: The compiled site, on a platform that boots.
        plan: Switches, servers and cables. None if the side has none of the switches.
    """

    word: str
    site: Site
    plan: LabPlan | None


@record(kw_only=True)
class Measured:
    """Result of one side.

    Attributes:
        snapshot: Its state.
        unsettled: Sentences about unsettled switches. Empty if all are settled.
        down: Expected sessions that do not come up, by switch and neighbor.
        notes: Sentences about the measurement.
        seconds: Duration of the boot, of settling and of the snapshot.
    """

    snapshot: Snapshot
    unsettled: tuple[str, ...] = ()
    down: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    seconds: tuple[float, float, float] = (0.0, 0.0, 0.0)


def lay_side(word: str, site: Site, name: str, switches: Iterable[str]) -> LabSide:
    """Plan the lab of one side; names of the other side are ignored."""
    there = {each.name for fabric in site.fabrics for each in fabric.present}
    limit = tuple(each for each in switches if each in there)
    plan = lay_out(site, name=name, lifted=None, files=(), limit=limit) if limit else None
    return LabSide(word=word, site=site, plan=plan)


def boot_side(
    side: LabSide, folder: Path, machine: str | None, tell: Callable[[dict[str, Any]], None]
) -> LabClient:
    """Boot the lab of a side.

    Raises:
        LabFailure: The boot failed. It is a LabRefusal if a switch refuses its files.
    """
    assert side.plan is not None
    names = tuple(natural(side.plan.names))
    request = LabRequest(plan=side.plan, intent=folder, limit=names, way=machine)
    return boot(request, rendered(side.site, names), lambda _: None, tell)


def rendered(site: Site, names: tuple[str, ...]) -> Iterator[File]:
    """Render the files of some switches."""
    owners: list[Owner] = []
    for fabric in site.fabrics:
        owners += [each for each in fabric.topology.switches if each.name in names]
    for _, group in files(site, owners=owners):
        yield from group


def measure_side(side: LabSide, client: LabClient, patience: float = PATIENCE) -> Measured:
    """Wait until a booted side is settled, and take its snapshot."""
    assert side.plan is not None
    begun = time.monotonic()
    plan = side.plan
    verifier = Verifier(client.ask, expectations(side.site, plan.names, plan.answered))
    looks, unsettled = settle(verifier.look, patience)
    settled = time.monotonic()
    client.call("probe", ask={"kind": "echo", "wait": 1})  # leafs learn the hosts' addresses
    names = names_of(side.site, plan)
    nodes = [*(each.name for each in plan.switches), *(each.name for each in plan.routers)]
    snapshot, moves = _twice(client, nodes, names)
    chosen, notes = chosen_pairs(expected_pairs(side.site, plan), plan.endpoints)
    pairs, silent = _reachability(client, plan, chosen)
    if silent:
        notes += (f"{counted(silent, 'pair')} that the model expects do not arrive",)
    return Measured(
        snapshot=replace(snapshot, pairs=pairs),
        unsettled=(*unsettled, *moves),
        down=sessions_down(looks),
        notes=tuple(f"{note} ({side.word} files)" for note in notes),
        seconds=(0.0, settled - begun, time.monotonic() - settled),
    )


def settle(
    look: Callable[[Iterable[str] | None], dict[str, Look]],
    patience: float,
    clock: Clock = time.monotonic,
) -> tuple[dict[str, Look], tuple[str, ...]]:
    """Take snapshots until all is as designed, or until nothing has changed for a while.

    Returns:
        The last snapshot of each switch, and sentences about unsettled switches.
    """
    end, looks = clock() + patience, look(None)
    before, since = _state(looks), clock()
    while True:
        left = [name for name, each in looks.items() if not each.done]
        unread = [name for name in left if looks[name].observed.unread]
        if not left or (not unread and clock() - since >= STEADY):
            return looks, ()
        if clock() > end:
            return looks, tuple(_unsettled(looks, left, patience))
        looks |= look(left)
        if (state := _state(looks)) != before:
            before, since = state, clock()


def _state(looks: Mapping[str, Look]) -> dict[str, object]:
    """Return the part of the state that does not change in a settled network.

    A session that stays down goes through several states.
    """
    return {name: tuple(_lasting(look)) for name, look in looks.items()}


def _lasting(look: Look) -> Iterator[object]:
    up = {key: own.get("state") == ESTABLISHED for key, own in look.observed.of("session").items()}
    yield up
    yield {key: pulse.prefixes for key, pulse in look.observed.pulses.items()}
    yield {key: pulse.resets for key, pulse in look.observed.pulses.items() if up.get(key)}
    yield look.observed.of("route")
    yield {each.sentence for each in look.differences if each.key[:1] not in _RESTLESS}


def _unsettled(looks: Mapping[str, Look], names: Iterable[str], patience: float) -> Iterator[str]:
    for name in names:
        look = looks[name]
        whys = (*look.moving, *(each.sentence for each in look.differences))
        why = whys[0] if whys else "it was read once only"
        yield f"{name} is not settled after {patience:.0f} s: {why}"


def sessions_down(looks: Mapping[str, Look]) -> frozenset[str]:
    """Return the expected sessions that are not established: `leaf1: BGP session with spine1`."""
    return frozenset(
        f"{name}: BGP session with {look.expected.role(key) or key[-1]}"
        for name, look in looks.items()
        for key in look.expected.of("session")
        if look.expected.waits_for(key)
        and look.observed.facts.get(key, {}).get("state") != ESTABLISHED
    )


def _twice(
    client: LabClient, nodes: Iterable[str], names: Names
) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the first snapshot whose state equals the one before it."""
    ordered = list(nodes)
    last = read_start(client.ask(dict.fromkeys(ordered, SCRIPT)), names)
    moved: set[str] = set()
    for _ in range(_ANSWERS):
        now = read_snapshot(client.ask(dict.fromkeys(ordered, STATE_SCRIPT)), names)
        moved = {*_moved(last.sessions, now.sessions), *_moved(last.routes, now.routes)}
        unread = tuple(dict.fromkeys((*last.unread, *now.unread)))
        last = replace(last, sessions=now.sessions, routes=now.routes, unread=unread)
        if not moved:
            return last, ()
    return last, (f"sessions or routes still change on {listed(moved)}",)


def _moved(before: Mapping[K, V], after: Mapping[K, V]) -> Iterator[str]:
    keys = before.keys() | after.keys()
    yield from (key.switch for key in keys if before.get(key) != after.get(key))


def chosen_pairs(
    pairs: list[Pair], endpoints: tuple[Endpoint, ...], most: int = PAIRS
) -> tuple[list[Pair], tuple[str, ...]]:
    """Return the pairs to measure: all, or those between the first ports of each leaf and group."""
    if len(pairs) <= most:
        return pairs, ()
    places: dict[tuple[str, ...], list[int]] = {}
    for number in sorted(range(len(endpoints)), key=lambda n: natural_key(endpoints[n])):
        one = endpoints[number]
        places.setdefault((one.fabric, one.leaf, one.group, str(one.version)), []).append(number)
    for depth in (2, 1):
        ends = {number for every in places.values() for number in every[:depth]}
        chosen = [pair for pair in pairs if pair.source in ends and pair.target in ends]
        if len(chosen) <= most:
            break
    note = (
        f"reachability of {len(chosen[:most]):,} of {len(pairs):,} pairs of server ports measured"
    )
    return chosen[:most], (note,)


def natural_key(endpoint: Endpoint) -> tuple[int, str]:
    """Return the sort key of a server port: short names first, so that h2 is before h10."""
    return len(endpoint.name), endpoint.name


def _reachability(
    client: LabClient, plan: LabPlan, pairs: list[Pair]
) -> tuple[dict[tuple[str, str], bool], int]:
    """Send packets for each pair; expected pairs without an arrival are measured again."""
    arrived = _arrivals(client, pairs)
    missing = [n for n, pair in enumerate(pairs) if pair.routers is not None and n not in arrived]
    again = _arrivals(client, [pairs[number] for number in missing]) if missing else set()
    arrived |= {missing[number] for number in again}
    ends = plan.endpoints
    found: dict[tuple[str, str], bool] = {}
    for number, pair in enumerate(pairs):
        key = (_end(ends[pair.source]), _end(ends[pair.target]))
        found[key] = found.get(key, True) and number in arrived
    return found, len(missing) - len(again)


def _arrivals(client: LabClient, pairs: list[Pair]) -> set[int]:
    places = [(pair.source, pair.target) for pair in pairs]
    ask = {"kind": "matrix", "pairs": places, "rounds": _ROUNDS, "wait": 1, "size": 100, "dscp": 0}
    return {int(number) for number in client.call("probe", ask=ask)}


def _end(endpoint: Endpoint) -> str:
    return f"{endpoint.name} (IPv6)" if endpoint.version == 6 else endpoint.name
