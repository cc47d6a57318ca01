"""Defines what a switch retains in a transition, while others of its fabric run the old design."""

from collections.abc import Collection, Mapping
from dataclasses import field
from types import MappingProxyType

from fabricgen.core.record import record

ANY_ASN = "external"
"""Replaces a peer's ASN: any except the local one. FRR's keyword (bgpd/bgp_vty.c, AS_EXTERNAL)."""


@record(kw_only=True)
class Transition:
    """A step of a change at both ends of a link; a switch without one follows the design.

    `imports`: ASNs of additional imported route targets. `exports`: ASNs of exported route targets
    instead of the design's. `asn`: local ASN instead of the design's. `strangers`: peers that may
    have any ASN. `asns`: retained ASNs of peers, by name. `addresses`: of links, without their
    length, by the designed ones. `drained`: its neighbors prefer every other path.
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
"""No switch is in a step of a change."""
