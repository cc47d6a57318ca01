"""The words of a routed fabric in; the same with the servers of each side out."""

from functools import partial

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.seating import group_of
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.routed import SIDES, Routed, Side


def with_servers(words: Routed, findings: Findings) -> Routed:
    """Give each side its servers: those of its own key, or a kind of the site's.

    Where a kind has an error, nobody knows which side it has, so those without servers are refused.
    """
    sides: dict[str, Side | None] = {**words.each_side}
    seated = [
        findings.attempt(partial(_seat, each, sides, words, findings)) for each in words.served
    ]
    known = words.all_served and None not in seated
    empty = [
        name
        for name, side in words.each_side.items()
        if "servers" in vars(side) and side.servers is None and sides[name] is side
    ]
    for name in empty if known else ():
        findings.spoil(
            Code.MISSING_KEY,
            f"the {name} side of the {words.name} has no servers",
            words.at("sides", name),
            f"add `servers: {{count: …, speed: …}}`, or a kind with `group: {name}` to the "
            "site's `servers`",
        )
    there = {name: side for name, side in sides.items() if name not in empty}
    return words.with_sides(there | dict.fromkeys(empty if known else ()), () if known else empty)


def _seat(
    each: KindPorts, sides: dict[str, Side | None], words: Routed, findings: Findings
) -> bool:
    """Give a side a kind of servers."""
    name = group_of(words, each, SIDES, "side", findings)
    side = sides.get(name) or Side()
    _judge_free(each, name, side, words, findings)
    sides[name] = side.with_servers(each)
    return True


def _judge_free(each: KindPorts, name: str, side: Side, words: Routed, findings: Findings) -> None:
    """Stop where a side has servers already."""
    if side.kind is not None:
        raise findings.stop(
            Code.UNSUPPORTED,
            f"{side.kind.kind} has ports on the {name} side of the {words.name} already, and a "
            "side takes one kind",
            each.at("fabric"),
            "give the kind the other side, or a routed fabric of its own in `fabrics`",
        )
    if side.unless_refused("servers") is not None:
        raise findings.stop(
            Code.DUPLICATE_ID,
            f"the {name} side of the {words.name} has servers of its own, and {each.kind} has "
            "ports on it",
            words.at("sides", name, "servers"),
            "make them a kind in the site's `servers` too",
        )
