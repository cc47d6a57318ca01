"""Compares the snapshots of two labs and words each difference."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from fabricgen.core.units import counted, natural
from fabricgen.review.lab_snapshot import LabRoute, LabSession, Snapshot

OLD, NEW = "with the old files", "with the new files"
_NAMED = 8
"""Names in one sentence; the rest is counted."""
K = TypeVar("K", LabRoute, LabSession)
V = TypeVar("V")


def differences_between(before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Return a sentence for each difference. Equal changes of several objects are one sentence.

    A switch on one side only is one difference, without its own sessions and routes.
    """
    both = before.switches & after.switches
    return (
        *_switches(before, after),
        *_sessions(_of(before.sessions, both), _of(after.sessions, both)),
        *_routes(_of(before.routes, both), _of(after.routes, both)),
        *_next_hops(_of(before.routes, both), _of(after.routes, both)),
        *_pairs(before.pairs, after.pairs),
    )


def compared(before: Snapshot, after: Snapshot) -> dict[str, int]:
    """Return the numbers of compared objects."""
    return {
        "switches": len(before.switches | after.switches),
        "sessions": len(before.sessions.keys() | after.sessions.keys()),
        "routes": len(before.routes.keys() | after.routes.keys()),
        "pairs": len(before.pairs.keys() | after.pairs.keys()),
    }


def listed(names: Iterable[str]) -> str:
    """Name up to eight objects and count the rest."""
    ordered = natural(names)
    more = len(ordered) - _NAMED
    shown = ", ".join(ordered[:_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _of(facts: Mapping[K, V], switches: frozenset[str]) -> dict[K, V]:
    return {key: value for key, value in facts.items() if key.switch in switches}


def _alone(before: Mapping[K, V], after: Mapping[K, V]) -> Iterator[tuple[K, str]]:
    """Yield each object of one side only, with a phrase for the side."""
    yield from ((key, OLD) for key in before if key not in after)
    yield from ((key, NEW) for key in after if key not in before)


def _switches(before: Snapshot, after: Snapshot) -> Iterator[str]:
    for names, side in (
        (before.switches - after.switches, OLD),
        (after.switches - before.switches, NEW),
    ):
        if names:
            yield f"{counted(len(names), 'switch')} only {side}: {listed(names)}"


def _sessions(before: Mapping[LabSession, str], after: Mapping[LabSession, str]) -> Iterator[str]:
    groups: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for key, side in _alone(before, after):
        groups[key.switch, key.kind, key.vrf, f"only {side}"].append(_peer(key))
    for key in before.keys() & after.keys():
        if before[key] != after[key]:
            change = f"{before[key]} {OLD} and {after[key]} {NEW}"
            groups[key.switch, key.kind, key.vrf, change].append(_peer(key))
    for (switch, kind, vrf, change), peers in sorted(groups.items()):
        what = counted(len(peers), f"{kind} session")
        yield f"{switch}: {what}{_inside(vrf)} {change}: {listed(peers)}"


def _peer(session: LabSession) -> str:
    same = session.peer == session.address
    return session.peer if same else f"{session.peer} ({session.address})"


def _inside(vrf: str) -> str:
    return "" if vrf == "default" else f" of VRF {vrf}"


def _routes(
    before: Mapping[LabRoute, tuple[str, ...]],
    after: Mapping[LabRoute, tuple[str, ...]],
) -> Iterator[str]:
    """Word routes of one side only; prefixes on the same switches are one sentence."""
    places: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for key, side in _alone(before, after):
        places[key.vrf, key.prefix, side].append(key.switch)
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (vrf, prefix, side), switches in places.items():
        groups[vrf, side, tuple(natural(switches))].append(prefix)
    for (vrf, side, names), prefixes in sorted(groups.items()):
        what = counted(len(prefixes), "route")
        yield f"{what}{_inside(vrf)} only {side} on {listed(names)}: {listed(prefixes)}"


def _next_hops(
    before: Mapping[LabRoute, tuple[str, ...]],
    after: Mapping[LabRoute, tuple[str, ...]],
) -> Iterator[str]:
    groups: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
    for key in before.keys() & after.keys():
        if before[key] != after[key]:
            groups[key.switch, key.vrf, before[key], after[key]].append(key.prefix)
    for (switch, vrf, old, new), prefixes in sorted(groups.items()):
        what = f"next hops of {counted(len(prefixes), 'route')}{_inside(vrf)}"
        change = f"{listed(old) or 'none'} {OLD} and {listed(new) or 'none'} {NEW}"
        yield f"{what} on {switch} are {change}: {listed(prefixes)}"


def _pairs(
    before: Mapping[tuple[str, str], bool], after: Mapping[tuple[str, str], bool]
) -> Iterator[str]:
    """Word servers of one side only, and pairs of servers whose reachability changed."""
    ends = [{name for pair in pairs for name in pair} for pairs in (before, after)]
    for names, side in ((ends[0] - ends[1], OLD), (ends[1] - ends[0], NEW)):
        if names:
            yield f"{counted(len(names), 'server port')} only {side}: {listed(names)}"
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in before.keys() & after.keys():
        if before[pair] != after[pair]:
            groups[pair[0], OLD if before[pair] else NEW].append(pair[1])
    for (source, side), targets in sorted(groups.items()):
        what = counted(len(targets), "server port")
        yield f"{source} reaches {what} only {side}: {listed(targets)}"
