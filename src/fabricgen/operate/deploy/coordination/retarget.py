"""Compute the next step of VLANs and VRFs towards new route targets.

First every leaf imports both targets, then every leaf exports both, then the old one is removed. So
a leaf never exports only a target that another does not import. No step removes one target and adds
another. Between the two lines of FRR's reload a route would have no target (observed: 2 to 3 s).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from fabricgen.core.units import counted
from fabricgen.model.fabric.transition import Transition
from fabricgen.operate.deploy.coordination.agreement import STEPS, Step, Term
from fabricgen.operate.deploy.coordination.terms import VLAN, VRF


class _Leaf(NamedTuple):
    """ASNs in route targets that a leaf imports for all its VLANs and VRFs, and that it exports."""

    takes: frozenset[int]
    sends: frozenset[int]


def retargeting(terms: Iterable[Term]) -> Step | str | None:
    """Return the step, a sentence why steps are impossible, or None without a target change."""
    mine = [term for term in terms if term.kind in (VLAN, VRF)]
    ends = [end for term in mine for end in term.ends if not end.outside and end.will]
    try:
        news = {asn for end in ends for asn in _asns(end.will, 2)}
        leafs = _leafs(mine)
    except ValueError as strange:
        return f"route targets cannot change in steps: {strange}" if _only_targets(mine) else None
    if not leafs or len(news) != 1 or not _only_targets(mine):
        return None
    (new,) = news
    old = sorted({asn for leaf in leafs.values() for asn in leaf.sends | leaf.takes} - {new})
    if not old:
        return None
    outside = tuple(sorted({end.switch for term in mine for end in term.ends if end.outside}))
    number = _number(leafs, new, outside)
    return Step(
        number=number,
        said=_said(number, old, new, len(leafs)),
        kept={} if number == STEPS else _kept(leafs, old, new, number),
        waits=outside,
    )


def _number(leafs: dict[str, _Leaf], new: int, outside: tuple[str, ...]) -> int:
    if outside or not all(new in leaf.takes for leaf in leafs.values()):
        return 1
    return 2 if any(new not in leaf.sends for leaf in leafs.values()) else 3


def _kept(leafs: dict[str, _Leaf], old: list[int], new: int, number: int) -> dict[str, Transition]:
    """Return the retained settings: both targets; the first step exports only old ones."""
    both = tuple(sorted({*old, new}))
    return {
        name: Transition(
            imports=tuple(old), exports=tuple(sorted(leaf.sends)) if number == 1 else both
        )
        for name, leaf in leafs.items()
    }


def _only_targets(terms: Iterable[Term]) -> bool:
    """Check whether only route targets of VLANs and VRFs change; a VLAN has one VNI."""
    return all(
        end.was is None or end.will is None or end.was[0] == end.will[0]
        for term in terms
        for end in term.ends
    )


def _leafs(terms: Iterable[Term]) -> dict[str, _Leaf]:
    leafs: dict[str, _Leaf] = {}
    for term in terms:
        for end in term.ends:
            if end.outside or end.was is None:
                continue
            takes, sends = _asns(end.was, 1), _asns(end.was, 2)
            known = leafs.get(end.switch)
            leafs[end.switch] = (
                _Leaf(takes, sends)
                if known is None
                else _Leaf(known.takes & takes, known.sends | sends)
            )
    return leafs


def _asns(segment: Any, way: int) -> frozenset[int]:
    """Return the ASNs of the imported (1) or exported (2) targets of VNI, imports and exports.

    Raises:
        ValueError: A target is not `ASN:VNI`, as the design writes it.
    """
    found = set()
    for target in segment[way] or ():
        asn, _, vni = str(target).partition(":")
        if vni != str(segment[0]) or not asn.isdigit():
            raise ValueError(f"{target} of VNI {segment[0]} was configured by hand")
        found.add(int(asn))
    return frozenset(found)


def _said(number: int, old: list[int], new: int, leafs: int) -> str:
    before = " and ".join(f"{asn}:VNI" for asn in old)
    who = counted(leafs, "leaf")
    ends = "" if leafs > 1 else "s"
    return {
        1: f"{who} also import{ends} {new}:VNI",
        2: f"{who} also export{ends} {new}:VNI",
    }.get(number, f"{who} no longer import{ends} and export{ends} {before}")
