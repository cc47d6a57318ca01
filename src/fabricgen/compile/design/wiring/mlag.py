"""Find the MLAG domain of each leaf."""

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.frontend_size import FrontendSize
from fabricgen.compile.design.wiring.naming import Namer, check_pattern
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.frontend import Frontend
from fabricgen.model.fabric.topology import Domain


def domains_of(
    words: Frontend, size: FrontendSize, name: Namer, findings: Findings
) -> dict[int, Domain]:
    """Return the domain of every leaf that is in an MLAG pair, by its number. name: of leafs.

    The first and second leaf of a group are a pair, then the third and fourth, and so on, as
    servers with `leafs: 2` use them.
    """
    domains: dict[int, Domain] = {}
    for key, group in words.leaf_groups.items():
        leafs = [number for number, owner in size.leafs.items() if owner == key]
        if not group.peer_links or not _able(words, size, key, leafs, findings):
            continue
        pattern = group.multihoming.domain or ""
        path = words.at("leaf_groups", key, "multihoming", "domain")
        check_pattern(pattern, {"site", "group", "pair"}, path, findings)
        for pair, first in enumerate(leafs[::2], 1):
            text = name(pod=size.pod(first), index=first, group=key)
            if pattern and findings.whole:
                text = Namer(pattern, name.site)(group=key, pair=pair)
            domain = Domain(text, first - 1)
            domains |= dict.fromkeys(leafs[2 * pair - 2 : 2 * pair], domain)
    return domains


def _able(
    words: Frontend, size: FrontendSize, group: str, leafs: list[int], findings: Findings
) -> bool:
    """Return whether the leafs of a group can be pairs; say why not."""
    lone = f"{len(leafs)} leafs do not form pairs" if len(leafs) % 2 else ""
    for first, second in zip(leafs[::2], leafs[1::2], strict=False):
        if size.pod(first) != size.pod(second):
            lone = f"leafs {first} and {second} are in two pods"
    if lone:
        path = words.at("leaf_groups", group, "leafs")
        findings.spoil(Code.BAD_VALUE, f"{lone}, but {group!r} has MLAG pairs", path)
        return False
    for holds, why in (
        (words.design == "collapsed", "the leafs of a collapsed pair route to each other"),
        (words.manages, "management ports are not synchronized between the leafs of a pair"),
        (
            words.roce is not None and words.roce.enabled,
            "the link between the leafs of a pair gets no pause and no class",
        ),
    ):
        if holds:
            path = words.at("leaf_groups", group, "multihoming", "kind")
            findings.spoil(
                Code.UNSUPPORTED, f"MLAG pairs are not possible here: {why}", path, "`kind: esi`"
            )
            return False
    return True
