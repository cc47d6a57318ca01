"""Finds causes at ports and cables: filters, wrong cabling, closed ports, settings, dead cables."""

from collections import defaultdict
from collections.abc import Iterator

from fabricgen.nos.show import ENABLED, UP
from fabricgen.prove.incidents.graph import Cable, End
from fabricgen.prove.incidents.model import Cause, Found, Kind, Thing
from fabricgen.prove.incidents.parts import pair
from fabricgen.prove.incidents.view import View

_DROPS = ("drop", "reject", "deny", "discard")
_OPTICAL = ("light-", "pre-fec-ber", "fec-", "fcs-errors", "symbol-errors", "module-temperature")
_STOPS = frozenset(("speed", "fec"))
_NO_LINK = frozenset({("interface", "link"), ("bundle-member", "state")})
_BREAKS = frozenset(("mtu", "address"))


def filters(view: View) -> Iterator[Cause]:
    """Yield filters outside the design; those at both ends of a cable are one cause."""
    at: dict[tuple[str, ...], list[Found]] = defaultdict(list)
    for found in view.values():
        if found.key[:1] == ("table",):
            at[found.switch, found.key[-1]].append(found)
        elif found.key[:1] == ("filter",) and len(found.key) > 1:
            at[found.switch, found.key[1]].append(found)
    both: dict[str, list[End]] = defaultdict(list)
    for switch, name in at:
        for port in view.graph.ports(switch, name):
            both[view.graph.cables[switch, port].name].append((switch, port))
    for (switch, name), some in at.items():
        ports = view.graph.ports(switch, name)
        cable = view.graph.cables[switch, ports[0]] if ports else None
        paired = cable is not None and len(both[cable.name]) > 1
        if paired and cable is not None and both[cable.name][0] != (switch, ports[0]):
            continue
        ends = both[cable.name] if paired and cable is not None else [(switch, name)]
        mine = [found for end in ends for found in at.get(end, some)]
        yield _filter(switch, cable, ends, mine)


def _filter(switch: str, cable: Cable | None, ends: list[End], some: list[Found]) -> Cause:
    lost: set[Thing] = {("object", each.switch, *each.key, each.attribute) for each in some}
    drops = any(word in each.actual for each in some for word in _DROPS)
    if drops and cable is None and some[0].key[0] == "table":
        lost.add(("packets", switch))
    elif drops:
        lost |= {("port", *end) for end in ends}
    many = len(ends) > 1 and cable is not None
    where = cable.name if many and cable is not None else ends[0][1]
    does = "drop packets" if drops else "are not of the design"
    return Cause(
        kind=Kind.FILTER,
        root=(cable.name,) if many and cable is not None else (switch, ends[0][1]),
        sentence=f"filters of {where} {does}" if many else f"{switch}: filters of {where} {does}",
        lost=frozenset(lost),
        dead_cables=(cable,) if drops and cable is not None else (),
    )


def swapped(view: View) -> Iterator[Cause]:
    """Yield cables with another neighbor than in the model; those that share ends are one cause."""
    groups: dict[str, set[str]] = {}
    ends = [end for end, cable in view.graph.cables.items() if view.stranger(end)]
    for end in ends:
        there = view.stranger(end)
        names = {view.graph.cables[end].name}
        for port in there[1:]:
            if (there[0], port) in view.graph.cables:
                names.add(view.graph.cables[there[0], port].name)
        for name in list(names):
            names |= groups.get(name, set())
        groups.update(dict.fromkeys(names, names))
    by_name = {cable.name: cable for cable in view.graph.cables.values()}
    for joined in {tuple(sorted(each)) for each in groups.values()}:
        cut = tuple(by_name[name] for name in joined)
        parts: set[Thing] = {("cable", name) for name in joined}
        parts |= {pair(it.ends[0][0], it.ends[1][0], it) for it in cut}
        yield Cause(
            kind=Kind.SWAPPED,
            root=joined,
            sentence=f"wrong neighbors on {' and '.join(joined)}",
            lost=frozenset(parts),
            dead_cables=cut,
        )


def shut(view: View) -> Iterator[Cause]:
    """Yield ports that are shut against the model, at one or both ends of a cable."""
    cables = {view.graph.cables[end].name: view.graph.cables[end] for end in view.graph.cables}
    for cable in cables.values():
        ends = [end for end in cable.ends if view.is_shut(end)]
        if ends:
            both = len(ends) > 1
            yield Cause(
                kind=Kind.SHUT,
                root=(cable.name,) if both else ends[0],
                sentence=f"{cable.name}: shut at {' and '.join(map(':'.join, ends))}",
                lost=frozenset({("port", *end) for end in ends}),
                dead_cables=(cable,),
            )


def disabled(view: View) -> Iterator[Cause]:
    """Yield ports that a switch disabled after an error."""
    for found in view.values():
        if found.key[:1] == ("interface",) and found.attribute == "errdisabled":
            end = found.switch, found.key[1]
            cable = view.graph.cables.get(end)
            yield Cause(
                kind=Kind.ERR_DISABLED,
                root=end,
                sentence=f"{end[0]}: {end[1]} is err-disabled ({found.actual})",
                lost=frozenset({("port", *end), ("object", end[0], *found.key, "errdisabled")}),
                dead_cables=(cable,) if cable is not None else (),
            )


def settings(view: View) -> Iterator[Cause]:
    """Yield ports whose speed or FEC differs at one end, so that the link is down."""
    for end, names in _set(view, _STOPS).items():
        cable = view.graph.cables.get(end)
        down = cable is not None and any(map(view.is_down, cable.ends))
        if down and cable is not None:
            yield Cause(
                kind=Kind.MISMATCH,
                root=end,
                sentence=f"{end[0]}: wrong {' and '.join(sorted(names))} of {end[1]}, no link",
                lost=frozenset({("port", *end), *(("setting", *end, name) for name in names)}),
                dead_cables=(cable,),
            )


def _set(view: View, names: frozenset[str]) -> dict[End, set[str]]:
    """Return the interfaces with a wrong value of some attributes."""
    wrong: dict[End, set[str]] = defaultdict(set)
    for found in view.values():
        if found.key[:1] == ("interface",) and found.attribute in names:
            wrong[found.switch, found.key[1]].add(found.attribute)
    return wrong


def optics(view: View) -> Iterator[Cause]:
    """Yield cables with weak light or bit errors; without a link, they explain that, too."""
    cables: dict[str, Cable] = {}
    parts: dict[str, set[Thing]] = defaultdict(set)
    for found in view.values():
        if found.key[:1] in {("interface",), ("module",)} and found.attribute.startswith(_OPTICAL):
            for port in view.graph.ports(found.switch, found.key[1])[:1]:
                cable = view.graph.cables[found.switch, port]
                cables[cable.name] = cable
                parts[cable.name].add(("object", found.switch, *found.key, found.attribute))
    for name, cable in cables.items():
        down = any(map(view.is_down, cable.ends))
        yield Cause(
            kind=Kind.OPTIC,
            root=(name,),
            sentence=f"{name}: weak light or bit errors{', no link' if down else ''}",
            lost=frozenset(parts[name] | ({("cable", name)} if down else set())),
            dead_cables=(cable,) if down else (),
        )


def servers(view: View) -> Iterator[Cause]:
    """Yield servers without a link at any port, and single server ports without a link."""
    down: dict[str, dict[str, Cable]] = defaultdict(dict)
    for found in view.values():
        if (*found.key[:1], found.attribute) in _NO_LINK:
            for port in view.graph.ports(found.switch, found.key[-1]):
                cable = view.graph.cables[found.switch, port]
                if cable.server:
                    down[cable.server][cable.name] = cable
    for name, cables in down.items():
        every = view.graph.at[name]
        if len(cables) > 1 and len(cables) == len(every):
            yield Cause(
                kind=Kind.SERVER,
                root=(name,),
                sentence=f"no port of {name} has a link",
                lost=frozenset({("server", name)}),
                dead_cables=tuple(every),
            )
        for cable in cables.values():
            yield Cause(
                kind=Kind.SERVER_PORT,
                root=(cable.name,),
                sentence=f"{cable.name}: no link",
                lost=frozenset({("cable", cable.name)}),
                dead_cables=(cable,),
            )


def dead(view: View) -> Iterator[Cause]:
    """Yield cables of switches without a link, or with neither sessions nor LLDP."""
    for name, cable in sorted({it.name: it for it in view.graph.cables.values()}.items()):
        if not cable.server and view.is_dark(cable):
            ends = [end for end in cable.ends if view.link(end) == ENABLED]
            lit = all(view.link(end) in {UP, ""} for end in cable.ends)
            how = "nothing arrives, but the link is up" if lit else "no link"
            at = f" at {':'.join(ends[0])} alone" if len(ends) == 1 else ""
            yield Cause(
                kind=Kind.CABLE,
                root=(name,),
                sentence=f"{name}: {how}{at}",
                lost=frozenset({("cable", name)}),
                dead_cables=(cable,),
            )


def addresses(view: View) -> Iterator[Cause]:
    """Yield ports with a wrong address or MTU: sessions over their cable follow."""
    for end, names in _set(view, _BREAKS | _STOPS).items():
        lost: set[Thing] = {("setting", *end, name) for name in names}
        lost |= {("object", end[0], "interface", end[1], name) for name in names}
        cable = view.graph.cables.get(end)
        breaks = bool(names & _BREAKS) and cable is not None and not cable.server
        if breaks and cable is not None:
            lost.add(pair(cable.ends[0][0], cable.ends[1][0], cable))
        elif "address" in names and _is_loopback(view, end):
            lost.add(("loopback", end[0]))
        stopped = cable is not None and breaks and view.is_quiet(cable)
        yield Cause(
            kind=Kind.ADDRESS,
            root=end,
            sentence=f"{end[0]}: wrong {' and '.join(sorted(names))} of {end[1]}",
            lost=frozenset(lost),
            dead_cables=(cable,) if stopped and cable is not None else (),
        )


def _is_loopback(view: View, end: End) -> bool:
    own = view.seen[end[0]].expected.facts.get(("interface", end[1]), {}).get("address", ())
    return any(str(each).endswith(("/32", "/128")) for each in own)


def quiet(view: View) -> Iterator[Cause]:
    """Yield cables of switches whose sessions are down without another cause."""
    for name, cable in sorted({it.name: it for it in view.graph.cables.values()}.items()):
        if cable.server or not view.is_quiet(cable):
            continue
        sessions = view.sessions_on(cable)
        if not any(view.is_explained(*view.needs(*each)) for each in sessions):
            yield Cause(
                kind=Kind.CABLE_SILENT,
                root=(name,),
                sentence=f"{name}: the link is up, but no session is",
                lost=frozenset({("cable", name)}),
                dead_cables=(cable,),
            )
