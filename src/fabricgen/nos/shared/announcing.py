"""Lists the settings of router advertisements for a VLAN on every platform."""

from fabricgen.core.tree.facts import TRUE, Attributes
from fabricgen.model.fabric.vlans import Announce, Vlan


def announcement(vlan: Vlan) -> Attributes:
    """Return what its gateway announces; nothing where it does not.

    slaac: the prefix that servers make addresses of. on-link: the one that they ask for by DHCPv6.
    """
    if vlan.announce is None:
        return {}
    prefix = vlan.subnet6.prefix
    if vlan.announce is Announce.SLAAC:
        return {"slaac": prefix}
    return {"managed": TRUE, "on-link": prefix}
