"""Defines what a switch keeps in a transition, while others of its fabric run the old design."""

from collections.abc import Collection, Mapping
from dataclasses import field
from types import MappingProxyType

from fabricgen.core.record import record

ANY_ASN = "external"
"""In place of a peer's ASN: any but the own. FRR's word for it (bgpd/bgp_vty.c, AS_EXTERNAL)."""


@record(kw_only=True)
class Transition:
    """A step of a change that has two ends; a switch without one is as designed.

    imports: ASNs of route targets that are taken beside the design's. exports: those that are sent
    instead of it. asn: its own, instead of the design's. strangers: peers that may have any ASN.
    asns: of peers that keep theirs, by name. addresses: of links, without their length, by those of
    the design. drained: its neighbors take any other way than over it.
    """

    imports: tuple[int, ...] = ()
    exports: tuple[int, ...] = ()
    asn: int | None = None
    strangers: Collection[str] = ()
    asns: Mapping[str, int] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
    drained: bool = False


AS_DESIGNED = Transition()
DESIGNED: Mapping[str, Transition] = MappingProxyType({})
"""Nobody is in a step of a change."""
