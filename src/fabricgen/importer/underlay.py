"""Reads the `underlay` section of each fabric from the configurations."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes
from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.keys import secret
from fabricgen.importer.tree import Fragment, Tree, merged, said, usual
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.routing import AsnPlan
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Role, Switch
from fabricgen.model.fabric.transition import ANY_ASN
from fabricgen.nos.lowering import spell
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.packet import interface
from fabricgen.prove.walk.values import text, words

PRIVATE = ((64_512, 65_534), (4_200_000_000, 4_294_967_294))
"""Private ASNs of RFC 6996. The intent accepts no others."""
USUAL = (300, 3)
"""Defaults of Bfd in intent/model/underlay.py, and of FRR (docs.frrouting.org, BFD)."""


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with underlay keys of each fabric, without defaults of the design."""
    every = [_of(each) for each in fabrics(network, tree) if each.switches]
    return merged(*every)


def _of(beside: Beside) -> Fragment:
    routing, pieces = beside.fabric.routing, list(beside.pieces())
    ports = [own for switch_slice, there in pieces for own in _ports(switch_slice, there)]
    switches = [there for _, there in beside.switches]
    known = frozenset(str(there.asn) for there in switches)
    sessions = [each for there in switches for each in _sessions(there, known)]
    links = usual(filter(None, map(_link, ports)))
    mtu = usual(filter(None, (text(own.get("mtu")) for own in ports))) or ""
    password = usual(text(own.get("password")) for own in sessions)
    underlay = said(
        links=links if links != routing.links else None,
        asn=_plan(beside),
        bfd=_bfd(sessions, switches, known) if sessions else None,
        password=secret(password, beside.fabric.name, "bgp", "password"),
        mtu=int(mtu) if mtu.isdigit() and int(mtu) != routing.mtu else None,
    )
    return beside.fragment(underlay=underlay) if underlay else {}


def _ports(switch_slice: SwitchSlice, there: Judged) -> Iterator[Attributes]:
    """Yield the keys of the ports to other switches of the fabric."""
    for port in switch_slice.interfaces:
        if port.use is Use.FABRIC:
            name = spell(switch_slice.switch, port.port)
            own = there.own(("interface", name))
            # a session by port uses the automatic link-local address of the port
            alone = ("session", GLOBAL, name) in there.facts
            if own:
                yield {**own, "link-local": TRUE} if alone else own


def _link(port: Attributes) -> str:
    versions = {
        address.version
        for each in words(port.get("address"))
        if not (address := interface(str(each))).is_link_local
    }
    if 4 in versions:
        return "numbered"
    return "numbered-v6" if versions else "unnumbered" if port.get("link-local") == TRUE else ""


def _sessions(there: Judged, known: frozenset[str]) -> Iterator[Attributes]:
    """Yield the sessions on links of the fabric. Sessions of loopbacks name their source.

    The argument `known` has the ASNs of the fabric.
    """
    for key, own in there.facts.items():
        on_link = key[:2] == ("session", GLOBAL) and not own.keys() & {"source", "template"}
        if on_link and text(own.get("asn")) in {*known, ANY_ASN}:
            yield own


def _bfd(
    sessions: list[Attributes], switches: list[Judged], known: frozenset[str]
) -> dict[str, Any]:
    """Return whether sessions have BFD, and unusual timers."""
    if not any(own.get("bfd") == TRUE for own in sessions):
        return {"enabled": False}
    timers = usual(
        _timers(there.own(("bfd",)), own)
        for there in switches
        for own in _sessions(there, known)
        if own.get("bfd") == TRUE
    )
    both = zip(("interval", "multiplier"), timers or USUAL, USUAL, strict=True)
    return {key: value for key, value, unsaid in both if value != unsaid}


def _timers(switch: Attributes, session: Attributes) -> tuple[int, int]:
    """Return interval and multiplier from the profile of a session, or else of its switch."""
    interval, multiplier = (text(switch.get(key)) for key in ("interval", "multiplier"))
    profiles = session.get("timers") or ()
    for profile in profiles if isinstance(profiles, tuple) else ():
        own = dict(profile)
        interval, multiplier = own.get("transmit", ""), own.get("multiplier", "")
    return int(interval or USUAL[0]), int(multiplier or USUAL[1])


def _plan(beside: Beside) -> dict[str, Any]:
    """Return the ASN plan that most switches follow."""
    plan = beside.fabric.routing.asns
    known = [(switch, there.asn) for switch, there in beside.switches if there.asn is not None]
    fits = {shared: _ends(known, shared) for shared in (plan.shared, not plan.shared)}
    shared = max(fits, key=lambda each: sum(count for _, count in fits[each].values()))
    first, last = (fits[shared].get(leaf, (None, 0))[0] for leaf in (True, False))
    return _written(plan, first, last, shared=shared)


def _ends(known: list[tuple[Switch, int]], shared: bool) -> dict[bool, tuple[int, int]]:  # noqa: FBT001
    """Return the first ASNs of leafs and of other switches, each with its frequency."""
    zero = AsnPlan(first=0, last=0, shared=shared)
    ends: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for switch, asn in known:
        ends[switch.role is Role.LEAF][asn - zero.computed(switch)] += 1
    return {leaf: counts.most_common(1)[0] for leaf, counts in ends.items() if counts}


def _written(plan: AsnPlan, first: int | None, last: int | None, *, shared: bool) -> dict[str, Any]:
    """Return the unusual keys of a plan. Empty if the intent does not accept the range."""
    first, last = first or plan.first, last or plan.last
    low, high = next((each for each in PRIVATE if each[0] <= first <= each[1]), (0, -1))
    last = last if low <= last <= high else high
    if not low <= first < last:
        return {}
    scheme = "rfc7938" if shared else "per-switch"
    return said(
        scheme=scheme if shared != plan.shared else None,
        first=first if first != plan.first else None,
        last=last if last != plan.last else None,
    )
