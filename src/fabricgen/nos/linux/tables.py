"""Gives each VRF its routing table in the kernel."""

from fabricgen.model.fabric.overlay import Vrf

# ifupdown2 takes tables 1001 to 5000 (addons/vrf.py VRF_TABLE_START, VRF_TABLE_END); tenants have
# 1001 to 1999 because a VRF id ends at 999, so the management VRF takes the next one.
TENANT_TABLES = 1000
MANAGEMENT_TABLE = 2000


def table(vrf: Vrf) -> int:
    """Return the routing table of a VRF."""
    return TENANT_TABLES + vrf.id
