"""Design the limits and filters of a session to an external router besides its routes."""

from collections.abc import Mapping, Sequence

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model import edge
from fabricgen.intent.settings import values_of
from fabricgen.model.fabric.external import USUAL_LIMIT, Border, PrefixRule
from fabricgen.model.fabric.routing import FROM_ABOVE
from fabricgen.model.settings.sessions import MaxPrefixes

RESERVED_ASNS = {23_456: "AS_TRANS, RFC 6793", 65_535: "RFC 7300"}


def judge_asn(
    asn: int, taken: Mapping[int, str], path: IntentPath, findings: Findings, hint: str = ""
) -> None:
    """Refuse an ASN by which a learned route looks like a loop. taken: switches by their ASN."""
    if asn in taken:
        findings.error(
            Code.ASN_CLASH,
            f"the ASN {asn} is also used by {taken[asn]}, which would drop routes from this peer "
            "as loops",
            path,
            hint,
        )
    if asn in RESERVED_ASNS:
        text = f"the ASN {asn} is reserved ({RESERVED_ASNS[asn]})"
        findings.error(Code.BAD_VALUE, text, path)


def border_of(
    peer: edge.ExternalPeer | edge.OutsideRouter,
    accepted: Sequence[PrefixRule],
    path: IntentPath,
    findings: Findings,
) -> Border:
    """Return the border policy, and report invalid values.

    accepted: number of accepted prefixes.
    """
    told = peer.communities
    for key in ("require", "mark", "send"):
        for place, community in enumerate(getattr(told, key)):
            _judge(community, (*path, "communities", key, place), findings)
    return Border(
        password=peer.password,
        max_prefixes=_session_limit(peer, accepted, path, findings),
        require=tuple(told.require),
        mark=tuple(told.mark),
        send=tuple(told.send),
        origins=tuple(peer.origins),
        prefer=peer.prefer or "",
        local_asn=peer.local_asn,
        hides_private=peer.private_asns == "remove",
        own_sources=peer.own_sources == "pass",
    )


def _judge(community: str, path: IntentPath, findings: Findings) -> None:
    """Refuse a community that is not 16 bits, is reserved (RFC 1997), or marks fabric routes."""
    halves = [int(half) for half in community.split(":")]
    if max(halves) > 65_535 or halves[0] in (0, 65_535):
        findings.error(Code.BAD_VALUE, f"{community} is a reserved community", path)
    elif community == FROM_ABOVE:
        message = f"{community} is the fabric's own marker for routes that must not go up again"
        findings.error(Code.BAD_VALUE, message, path)


def _session_limit(
    peer: edge.ExternalPeer | edge.OutsideRouter,
    accepted: Sequence[PrefixRule],
    path: IntentPath,
    findings: Findings,
) -> MaxPrefixes | None:
    """Return the limit of a peer's sessions, None where it has none.

    The usual limit is refused where more prefixes are accepted, because it would end a valid
    session.
    """
    if peer.protocol != "bgp":
        return None
    if peer.max_prefixes is not None:
        return limit_of(peer.max_prefixes, (*path, "max_prefixes"), findings)
    for version in (4, 6):
        most = sum(each.allowed.count for each in accepted if each.prefix.version == version)
        if most > USUAL_LIMIT.count:
            findings.error(
                Code.LIMIT_MISSING,
                f"up to {most:,} IPv{version} prefixes may be accepted, but the usual limit ends "
                f"the session after {USUAL_LIMIT.count:,}",
                (*path, "accept"),
                "set `max_prefixes: {count: …, action: …}`, or accept fewer lengths",
            )
    return USUAL_LIMIT


def limit_of(words: edge.MaxPrefixes, path: IntentPath, findings: Findings) -> MaxPrefixes:
    """Return the prefix limit of a session, and report a limit without an action."""
    limit = values_of(MaxPrefixes, words)
    if limit.action is None:
        findings.error(
            Code.LIMIT_WITHOUT_ACTION,
            f"more than {limit.count} prefixes end the session on some platforms and are logged "
            "on others",
            path,
            "set `action: warn` or `action: end`",
        )
    return limit
