"""Define the words that name a vendor's image of SONiC, and the features that it has in addition.

Community images have no MC-LAG: `INCLUDE_ICCPD = n` in rules/config of sonic-buildimage, every
branch. A vendor, or a site, builds them with iccpd. `release: 202505+iccpd` states such an image.
"""

from fabricgen.nos.features import Capabilities, Feature, Supported

ICCPD = "iccpd"
"""Built with iccpd, and with one tunnel endpoint for both leafs of a pair (EVPN Logical VTEP).

The endpoint is a design for SONiC by Broadcom (EVPN Logical VTEP HLD, 2019). Its tests are in
sonic-net/sonic-mgmt (spytest, evpn_rlvtep). No merged document of sonic-net says that flooded
frames of the peer link stay out of the tunnels.
"""
GATEWAYS = "iccpd-sag"
"""In addition, iccpd keeps the MAC of an anycast gateway in the table SAG.

iccpd of sonic-net gives the standby leaf the system MAC of the other leaf on every VLAN interface
of the peer link (src/iccpd/src/iccp_netlink.c update_vlan_if_mac_on_standby). SAG sets the MAC of
the same interface (sonic-net/SONiC pull 837). edge-core/sonic-buildimage pull 428 joins the two.
"""
_MLAG = Supported(
    how="MCLAG_DOMAIN, MCLAG_INTERFACE of each bundle, every VLAN on the peer link, one VTEP",
    section="config_db.json: MCLAG_DOMAIN > … > peer_link",
    but="the container iccpd is disabled by default, and the image's vendor must confirm one "
    "tunnel endpoint for two leafs. Pairs refuse routed ports, external connections and "
    "diagnostic addresses",
)
_SAG = Supported(
    how="SAG: one MAC, and VLAN_INTERFACE.static_anycast_gateway",
    section="config_db.json: SAG > GLOBAL > gateway_mac",
)
IMAGES: dict[str, Capabilities] = {
    ICCPD: {Feature.MLAG: _MLAG},
    GATEWAYS: {Feature.MLAG: _MLAG, Feature.ANYCAST_GATEWAY: _SAG},
}


def has_iccpd(release: str) -> bool:
    """Return whether an image has iccpd, which alone reads the MCLAG tables."""
    return Feature.MLAG in IMAGES.get(release.partition("+")[2], {})


def has_sag(release: str) -> bool:
    """Return whether an image has the table SAG for gateways."""
    return release.partition("+")[2] == GATEWAYS
