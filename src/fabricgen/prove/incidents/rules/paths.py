"""Finds causes of lost routes, tunnels and sessions of loopbacks that nothing else explains."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.prove.incidents.explain import Explainer, lost_ports
from fabricgen.prove.incidents.model import Cause, Found, Kind, Thing
from fabricgen.prove.incidents.parts import is_tunneled, missing_addresses, pair
from fabricgen.prove.incidents.view import View


def routes(view: View) -> Iterator[Cause]:
    """Yield switches that announce or accept no routes, the one of most lost routes first.

    A route is lost between the last switch of its path that lacks it and the next one. Both may
    filter it. The switch that most lost routes have in common is the root.
    """
    explainer = Explainer(view)
    left: dict[int, tuple[Found, frozenset[str]]] = {}
    for number, found in enumerate(view.values()):
        if found.key[:1] == ("route",) and explainer.cause_of(found) is None:
            left[number] = found, frozenset(_places(view, found))
    while left:
        counts = Counter(name for _, names in left.values() for name in names)
        root, most = min(counts.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
        mine = [number for number, (_, names) in left.items() if root in names or not most]
        some = [left.pop(number)[0] for number in mine]
        if not most:
            return
        yield Cause(
            kind=Kind.ROUTES,
            root=(root, "routes"),
            sentence=f"{root}: routes are not announced or not accepted",
            lost=frozenset({("policy", root), *(_itself(each) for each in some)}),
        )


def _itself(found: Found) -> Thing:
    return ("object", found.switch, *found.key, found.attribute)


def _places(view: View, found: Found) -> Iterator[str]:
    """Yield both switches between which a route is lost, for each lost port."""
    for port in lost_ports(view, found):
        end = found.switch, port
        for _ in view.graph.switches:
            cable = view.graph.cables.get(end)
            if cable is None:
                break
            there = cable.far(end)[0]
            wanted = view.graph.ways(there, found.key[2])
            own = view.seen[there].observed.facts if there in view.seen else {}
            if not wanted or ("route", *found.key[1:]) in own or there not in view.seen:
                yield from (end[0], there)
                break
            end = there, wanted[0]


def pairs(view: View) -> Iterator[Cause]:
    """Yield two switches whose sessions, BFD or tunnels are down without another cause."""
    explainer = Explainer(view)
    lost: dict[Thing, set[Thing]] = defaultdict(set)
    for found in view.values():
        if explainer.cause_of(found) is not None:
            continue
        itself = _itself(found)
        if found.key[:1] in {("session",), ("bfd",)}:
            peer = view.graph.peer(found.switch, found.key)
            cable = view.graph.cables.get(
                (found.switch, view.graph.session_port(found.switch, found.key))
            )
            lost[pair(found.switch, peer or found.key[-1], cable)].add(itself)
        elif is_tunneled(found.key):
            owners = {n for it in missing_addresses(found) for n in view.graph.tunnels.get(it, ())}
            if len(owners) == 1:
                lost["tunnel", *owners].add(itself)
    for thing, some in lost.items():
        names = [each for each in thing[1:] if each]
        yield Cause(
            kind=Kind.PAIR,
            root=thing,
            sentence=f"{' and '.join(names)}: no {'tunnel' if thing[0] == 'tunnel' else 'session'}",
            lost=frozenset(some),
        )


def others(view: View) -> Iterator[Cause]:
    """Yield each finding that no cause explains as its own cause."""
    explainer = Explainer(view)
    for found in view.findings():
        if explainer.cause_of(found) is None:
            yield Cause(
                kind=Kind.OTHER,
                root=(found.switch, *found.key, found.attribute or found.sentence),
                sentence=found.sentence,
                lost=frozenset(
                    {_itself(found) if found.key else ("said", found.switch, found.sentence)}
                ),
            )
