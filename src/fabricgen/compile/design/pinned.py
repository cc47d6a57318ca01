"""The words of a VLAN or VRF in; what of its EVPN instance people pinned out, and where."""

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model import tenants as words
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned

RULE = "; what the intent has of `rd` and `route_targets` is as it is"


def pinned_of(
    of: words.Vlan | words.Vrf, path: IntentPath
) -> tuple[Pinned, tuple[IntentPath, ...]]:
    """Return the pins, and the keys that say them."""
    said, targets = of.unless_refused("rd"), of.unless_refused("route_targets")
    if said is None and targets is None:
        return AS_COMPUTED, ()
    pinned = Pinned(
        rd=said,
        imports=tuple(sorted(set((targets and targets.imports) or ()))),
        exports=tuple(sorted(set((targets and targets.exports) or ()))),
    )
    keys = (("rd", said), ("route_targets", targets))
    return pinned, tuple((*path, key) for key, value in keys if value is not None)
