"""An attachment that names a kind of servers in; the set of ports that it means out."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.fabric import FabricWords, KindPorts


def attached_set(
    fabric: FabricWords, item: words.Attachment, path: IntentPath, findings: Findings
) -> KindPorts | None:
    """Return the set of ports of the kind on this fabric, or say what is not so."""
    kind = str(item.servers)
    sets = {each.network: each for each in fabric.served if each.kind == kind}
    if not sets and not fabric.all_served:
        return None
    if not sets:
        findings.error(
            Code.UNKNOWN_REFERENCE,
            f"no kind {kind!r} with ports on the {fabric.name}",
            (*path, "servers"),
            did_you_mean(kind, sorted({each.kind for each in fabric.served})),
        )
        return None
    network = item.port or next(iter(sets))
    if network not in sets or (item.port is None and len(sets) > 1):
        findings.error(
            Code.UNKNOWN_REFERENCE if item.port else Code.MISSING_KEY,
            f"{kind} has no ports {network!r} on the {fabric.name}"
            if item.port
            else f"{kind} has several sets of ports on the {fabric.name}",
            (*path, "port") if item.port else path,
            f"`port:` with one of {', '.join(sets)}",
        )
        return None
    known = numbers_known(item, sets[network].servers.count, f"servers of {kind}", path, findings)
    return sets[network] if known else None


def numbers_known(
    item: words.Attachment, count: int, what: str, path: IntentPath, findings: Findings
) -> bool:
    """Tell whether there are servers of all these numbers, or say which is not there."""
    beyond = [number for number in item.numbers or () if number > count]
    if beyond:
        findings.error(
            Code.UNKNOWN_REFERENCE,
            f"there are {count} {what}, no number {beyond[0]}",
            (*path, "numbers"),
        )
    return not beyond
