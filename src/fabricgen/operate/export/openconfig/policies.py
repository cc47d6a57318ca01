"""Write the policies of BGP sessions by openconfig-routing-policy and openconfig-bgp-policy."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.routing import FROM_ABOVE, AllowedPrefix
from fabricgen.model.fabric.switch import Session
from fabricgen.operate.export.openconfig.tree import Piece, Tree, entry, listed, pruned

FABRIC, ABOVE = "FABRIC", "FROM-ABOVE"
"""Prefixes of the underlay; community of routes from the upper tier."""
_BGP = "openconfig-bgp-policy:"


@record(eq=False, kw_only=True)
class Applied:
    """Policies of one session. Without a name every route passes."""

    inward: str
    outward: str

    @property
    def tree(self) -> Tree:
        """Return the container `apply-policy`."""
        config = {
            "import-policy": [self.inward] if self.inward else [],
            "export-policy": [self.outward] if self.outward else [],
            "default-import-policy": "REJECT_ROUTE" if self.inward else "ACCEPT_ROUTE",
            "default-export-policy": "REJECT_ROUTE" if self.outward else "ACCEPT_ROUTE",
        }
        return {"config": pruned(config)}


def inside(piece: Piece, session: Session) -> Applied:
    """Return the policies of a session inside the fabric."""
    out = f"{session.group}-OUT"
    if session.overlay:
        return Applied(
            inward=f"{session.group}-IN" if session.up else "", outward=out if session.up else ""
        )
    drained = piece.switch_slice.detour_of(session) is not None
    return Applied(inward=f"{session.group}-IN", outward=f"{out}-DRAINED" if drained else out)


def outside(peer: ExternalPeer) -> Applied:
    """Return the policies of an external session."""
    return Applied(inward=peer.inward, outward=peer.outward)


def routing_policy(piece: Piece) -> Tree:
    """Return the sets and policies of all sessions."""
    own = piece.switch_slice
    made: dict[str, list[Tree]] = {}
    sets: dict[str, Sequence[AllowedPrefix]] = {}
    if own.bgp_sessions and not own.routing.ospf:
        sets[FABRIC] = own.routing.allowed
        made[FABRIC] = [_statement("fabric", {"match-prefix-set": _prefixes(FABRIC)})]
    for session in own.bgp_sessions:
        made |= _of_session(piece, session)
    for peer in own.peers:
        sets[peer.inward] = [rule.allowed for rule in peer.accept]
        sets[peer.outward] = [rule.allowed for rule in peer.announce]
        made |= {
            peer.inward: [_taken(peer)],
            peer.outward: [_given(peer, own.asn)],
        }
    if not made:
        return {}
    definitions = [_definition(name, statements) for name, statements in made.items()]
    prefixes = listed("prefix-set", (_prefix_set(*each) for each in sets.items() if each[1]))
    return {
        "defined-sets": pruned({"prefix-sets": prefixes, f"{_BGP}bgp-defined-sets": _sets(piece)}),
        "policy-definitions": listed("policy-definition", definitions),
    }


def _definition(name: str, statements: list[Tree]) -> Tree:
    return entry({"name": name}, "name", parts={"statements": listed("statement", statements)})


def _of_session(piece: Piece, session: Session) -> dict[str, list[Tree]]:
    """Return the policies of a session inside: no route from above goes up again."""
    mark = {"set-community": _communities([FROM_ABOVE], "ADD")} if session.up else {}
    only = {} if session.overlay else {"match-prefix-set": _prefixes(FABRIC)}
    longer = None if session.overlay else piece.switch_slice.detour_of(session)
    path = _longer(longer.path) if longer is not None else {}
    marked = {f"{_BGP}bgp-conditions": {"match-community-set": _matched("community-set", ABOVE)}}
    no_valley = [_statement("valley", marked, accept=False)] if session.up else []
    return {
        name: statements
        for name, statements in (
            (inside(piece, session).inward, [_statement("in", only, mark)]),
            (inside(piece, session).outward, [*no_valley, _statement("out", only, path)]),
        )
        if name
    }


def _taken(peer: ExternalPeer) -> Tree:
    border = peer.border
    required = {
        "match-community-set": _matched("community-set", f"REQUIRED-{peer.label}", "ALL")
        if border.require
        else {},
        "match-as-path-set": _matched("as-path-set", f"ORIGINS-{peer.label}")
        if border.origins
        else {},
    }
    conditions: Tree = {"match-prefix-set": _prefixes(peer.inward) if peer.accept else {}}
    conditions[f"{_BGP}bgp-conditions"] = pruned(required)
    actions = {
        "config": pruned({"set-local-pref": border.preference}),
        "set-community": _communities(border.mark, "REPLACE") if border.mark else {},
        **_longer(peer.longer_in),
    }
    return _statement("in", pruned(conditions), pruned(actions), accept=bool(peer.accept))


def _given(peer: ExternalPeer, asn: int) -> Tree:
    send = peer.border.send
    conditions = {"match-prefix-set": _prefixes(peer.outward)} if peer.announce else {}
    actions = {
        "set-community": _communities(send, "REPLACE") if send else {},
        **_longer(peer.longer_out(asn)),
    }
    return _statement("out", conditions, pruned(actions), accept=bool(peer.announce))


def _statement(
    name: str, conditions: Tree, actions: Tree | None = None, *, accept: bool = True
) -> Tree:
    result = {"policy-result": "ACCEPT_ROUTE" if accept else "REJECT_ROUTE"}
    own = pruned({"config": result, f"{_BGP}bgp-actions": actions or {}})
    return entry({"name": name}, "name", parts={"conditions": conditions, "actions": own})


def _prefixes(name: str) -> Tree:
    return {"config": {"prefix-set": name, "match-set-options": "ANY"}}


def _matched(kind: str, name: str, options: str = "ANY") -> Tree:
    return {"config": {kind: name, "match-set-options": options}}


def _communities(texts: Iterable[str], options: str) -> Tree:
    return {
        "config": {"method": "INLINE", "options": options},
        "inline": {"config": {"communities": sorted(texts)}},
    }


def _longer(path: str) -> Tree:
    """Return the prepended ASNs, which are one ASN several times."""
    config = [{"asn": int(asn), "repeat-n": len(list(same))} for asn, same in groupby(path.split())]
    return {"set-as-path-prepend": {"config": config[0]}} if config else {}


def _prefix_set(name: str, prefixes: Sequence[AllowedPrefix]) -> Tree:
    every = [
        entry(
            {"ip-prefix": each.prefix.prefix, "masklength-range": _lengths(each)},
            *("ip-prefix", "masklength-range"),
        )
        for each in prefixes
    ]
    config = {"name": name, "mode": f"IPV{prefixes[0].prefix.version}"}
    return entry(config, "name", parts={"prefixes": listed("prefix", every)})


def _lengths(each: AllowedPrefix) -> str:
    whole = each.shortest == each.longest == each.prefix.length
    return "exact" if whole else f"{each.shortest}..{each.longest}"


def _sets(piece: Piece) -> Tree:
    """Return the sets of communities and AS paths."""
    own = piece.switch_slice
    communities = {ABOVE: [FROM_ABOVE]} if any(each.up for each in own.bgp_sessions) else {}
    communities |= {
        f"REQUIRED-{peer.label}": list(peer.border.require)
        for peer in own.peers
        if peer.border.require
    }
    paths = {
        f"ORIGINS-{peer.label}": [f"_{asn}$" for asn in peer.border.origins]
        for peer in own.peers
        if peer.border.origins
    }
    return pruned(
        {
            "community-sets": listed("community-set", _named("community-set", communities)),
            "as-path-sets": listed("as-path-set", _named("as-path-set", paths)),
        }
    )


def _named(kind: str, sets: dict[str, list[str]]) -> list[Tree]:
    members = "community-member" if kind == "community-set" else "as-path-set-member"
    key = f"{kind}-name"
    return [entry({key: name, members: texts}, key) for name, texts in sets.items()]
