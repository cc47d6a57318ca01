"""List the settings of router advertisements for a VLAN on every platform."""

from fabricgen.core.tree.facts import TRUE, Attributes
from fabricgen.model.fabric.vlans import Announce, Vlan


def announcement(vlan: Vlan) -> Attributes:
    """Return the router advertisement of a VLAN's gateway; empty if it sends none.

    `slaac` is the prefix for self-assigned addresses. `on-link` is the prefix that servers request
    by DHCPv6.
    """
    if vlan.announce is None:
        return {}
    prefix = vlan.subnet6.prefix
    if vlan.announce is Announce.SLAAC:
        return {"slaac": prefix}
    return {"managed": TRUE, "on-link": prefix}
