"""Ports of servers and a tree with tenants in; profiles of ports and `errdisable` of fabrics, out.

Ports of one set have one profile: what most of them say. What others say stays a difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from fabricgen.core.tree.facts import TRUE
from fabricgen.importer.seats import floors
from fabricgen.importer.told import flat, most, nested, said
from fabricgen.importer.tree import Fragment, Tree, at, merged
from fabricgen.intent.model.ports import Errdisable
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import nos_of
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.seats import Floor, Seat
    from fabricgen.model.fabric.topology import Switch
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

_CAUSES = ("bpduguard", "lacp-rate-limit", "link-flap", "storm-control")
_CHOICES = (
    ("portfast", "edge", Feature.PORTFAST),
    ("bpdu_guard", "bpdu-guard", Feature.BPDU_GUARD),
)
"""Keys of a profile, the fact of a port that says each, and what a platform has to have."""
_KINDS = {
    "broadcast": "broadcast",
    "multicast": "multicast",
    "unknown-multicast": "multicast",
    "unknown-unicast": "unknown_unicast",
}
"""Kinds of floods as platforms call them: sonic-storm-control.yang has multicast nobody joined."""


def read(network: Network, tree: Tree) -> Fragment:
    """Read both, on fabrics with tenants; of a tree that has profiles nothing but recovery."""
    fragment: Fragment = {}
    for floor in floors(network, tree):
        if floor.kind == "evpn":
            errdisable = _recovery([read for _, read in floor.leafs])
            words = floor.beside.fragment(errdisable=errdisable) if errdisable else {}
            sets = {} if "port_profiles" in tree else _sets(floor)
            fragment = merged(fragment, words, *_profiles(floor, sets, fragment))
    return fragment


def _recovery(leafs: list[Judged]) -> Fragment:
    """Return after what causes ports come back, and when."""
    causes = most(leafs, _causes)
    after = most(leafs, lambda each: text(each.own(("switch",)).get("recovery-interval")))
    if causes is None:
        return {}
    usual = Errdisable.model_fields["after"].default
    seconds = int(after) if after is not None and after.isdigit() else usual
    return {"recover": [*causes], **said(after=seconds if seconds != usual else None)}


def _causes(leaf: Judged) -> tuple[str, ...]:
    found = words(leaf.own(("switch",)).get("recovers"))
    return tuple(each for each in _CAUSES if each in found)


def _sets(floor: Floor) -> dict[tuple[str, str], Fragment]:
    """Return the settings of each set of ports with VLANs that are not as by default."""
    votes: dict[tuple[str, str], Counter[Any]] = defaultdict(Counter)
    for seat in floor.seats:
        if seat.port.vlans:
            votes[seat.set_of_ports][_settings(seat)] += 1
    found = {ports: nested(count.most_common(1)[0][0]) for ports, count in votes.items()}
    for own in found.values():
        if "storm_control" in own:
            own["storm_control"] = dict(own["storm_control"])
    return {ports: own for ports, own in found.items() if own}


def _settings(seat: Seat) -> tuple[tuple[str, Any], ...]:
    """Return what one port says, or its bundle, as a value that can be counted."""
    places = [each for each in (seat.port.name, seat.port.bundle) if each]
    own = [seat.judged.own(("interface", each)) for each in places]
    off = {
        key: False
        for key, fact, feature in _CHOICES
        if _able(seat.leaf, feature) and not any(each.get(fact) == TRUE for each in own)
    }
    storms = dict(_limit(str(each), seat) for told in own for each in words(told.get("storm")))
    return flat(said(**off, storm_control=tuple(sorted(storms.items())) or None))


def _able(leaf: Switch, feature: Feature) -> bool:
    return not isinstance(nos_of(leaf).answer(feature, leaf.release), Unsupported)


def _limit(told: str, seat: Seat) -> tuple[str, float]:
    """Return a kind of floods and its share in percent: above 100 it is in kilobits a second."""
    kind, _, value = told.rpartition(":")
    share = float(value)
    if share > 100:
        share = round(share * 100_000 / int(seat.speed), 2)
    return _KINDS.get(kind, kind), share


def _profiles(
    floor: Floor, sets: dict[tuple[str, str], Fragment], known: Fragment
) -> Iterator[Fragment]:
    """Yield profiles, each called after the first that has it, and who has them."""
    named = dict(at(known, "port_profiles") or {})
    for (kind, name), settings in sets.items():
        same = [each for each, own in named.items() if own == settings]
        profile = same[0] if same else _name(kind or name, named)
        named[profile] = settings
        yield {"port_profiles": {profile: settings}}
        if kind:
            yield {"servers": {kind: {"ports": {name: {"profile": profile}}}}}
        else:
            yield floor.beside.fragment(leaf_groups={name: {"servers": {"profile": profile}}})


def _name(wish: str, taken: Fragment) -> str:
    numbers = (f"{wish}-{number}" for number in range(2, len(taken) + 3))
    return wish if wish not in taken else next(each for each in numbers if each not in taken)
