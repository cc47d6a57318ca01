"""What people say of a peer beside its addresses in; what its sessions keep to, out."""

from collections.abc import Mapping

from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.external import Border, MaxPrefixes
from fabricgen.fabric.routing import FROM_ABOVE
from fabricgen.intent.model import edge

RESERVED_ASNS = {23_456: "AS_TRANS, RFC 6793", 65_535: "RFC 7300"}


def judge_asn(
    asn: int, taken: Mapping[int, str], path: IntentPath, findings: Findings, hint: str = ""
) -> None:
    """Refuse an ASN by which a learned route looks like a loop. taken: switches by their ASN."""
    if asn in taken:
        findings.error(
            Code.ASN_CLASH,
            f"the ASN {asn} is also that of {taken[asn]}, which would drop what comes from there "
            "as a loop",
            path,
            hint,
        )
    if asn in RESERVED_ASNS:
        text = f"the ASN {asn} is reserved ({RESERVED_ASNS[asn]})"
        findings.error(Code.BAD_VALUE, text, path)


def border_of(peer: edge.Session, path: IntentPath, findings: Findings) -> Border:
    """Return it, and say what cannot be meant."""
    told, limit = peer.communities, peer.max_prefixes
    for key in ("require", "mark", "send"):
        for place, community in enumerate(getattr(told, key)):
            _judge(community, (*path, "communities", key, place), findings)
    return Border(
        password=peer.password,
        max_prefixes=limit_of(limit, (*path, "max_prefixes"), findings) if limit else None,
        require=tuple(told.require),
        mark=tuple(told.mark),
        send=tuple(told.send),
        origins=tuple(peer.origins),
        prefer=peer.prefer or "",
        local_asn=peer.local_asn,
        hides_private=peer.private_asns == "remove",
    )


def _judge(community: str, path: IntentPath, findings: Findings) -> None:
    """Refuse what is no number of 16 bits, reserved (RFC 1997), or the fabric's own mark."""
    halves = [int(half) for half in community.split(":")]
    if max(halves) > 65_535 or halves[0] in (0, 65_535):
        findings.error(Code.BAD_VALUE, f"{community} is no community that people may give", path)
    elif community == FROM_ABOVE:
        message = f"{community} is the fabric's own mark of routes that must not go up again"
        findings.error(Code.BAD_VALUE, message, path)


def limit_of(words: edge.MaxPrefixes, path: IntentPath, findings: Findings) -> MaxPrefixes:
    """Return the limit of a session, and say where nobody says what follows beyond it."""
    if words.action is None:
        findings.error(
            Code.LIMIT_WITHOUT_ACTION,
            f"more than {words.count} prefixes may end the session or be logged, and nobody says "
            "which",
            path,
            "`action: warn` or `action: end`",
        )
    return MaxPrefixes(words.count, words.action == "end")
