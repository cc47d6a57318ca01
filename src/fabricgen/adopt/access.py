"""An out-of-band network in; the intent of its switches, VLANs and servers, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.adopt.draft import Draft, of_servers, others, routing, tiers
from fabricgen.adopt.kinds_of_servers import sets_of

if TYPE_CHECKING:
    from fabricgen.adopt.parts import Part
    from fabricgen.adopt.tree import Tree


def draft(part: Part, name: str) -> Draft:
    """Return the draft of an access fabric; racks say which port is whose."""
    words = tiers(part) | routing(part)
    if len(part.tiers) > 1 and words["spine"]["count"] == 2:
        del words["spine"]["count"]
    odd = others(part, words)
    words |= {"switches": odd} if odd else {}
    ports: Tree = {}
    for each in sets_of(part.below):
        ports.setdefault(each.kind, {})[each.network] = of_servers(name, each)
    return Draft(part=part, name=name, kind="access", words=words, ports=ports)
