"""Small sites of six to eight leafs that are alike, on which classes of stations are few."""

from tests.unit.reach.features import FEATURES

SERVERS = 16
_RED = f"""tenants:
  red:
    vlans: {{low: {{id: 12}}}}
    vrfs:
      red:
        id: 1
        import_routes: {{blue: [10.2.0.0/24]}}
        vlans:
          web: {{id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}}
          app: {{id: 11, subnet: 10.1.1.0/24}}
    attachments:
      - {{servers: pair, numbers: 1-{SERVERS}, trunk: [web, app], native: web, addresses: static}}
      - {{servers: single, numbers: 1-8, trunk: [app, low], addresses: none}}
  blue:
    vrfs: {{blue: {{id: 2, vlans: {{web: {{id: 20, subnet: 10.2.0.0/24}}}}}}}}
    attachments: [{{servers: single, numbers: 9-{SERVERS}, access: web, addresses: dhcp}}]
"""


_ZONES = """zones:
  web: {vlans: [red/web]}
  app: {vlans: [red/app]}
services:
  https: [tcp/443]
flows:
  - {clients: [web], servers: [app], services: [https, icmp]}
"""


def _wide(name: str) -> str:
    """Return the servers and leafs of a small site, six times, with other tenants."""
    text = FEATURES[name][0].partition("tenants:\n")[0]
    return (
        text.replace("count: 4\n", f"count: {SERVERS}\n")
        .replace("leafs: 1-4", "leafs: 1-8")
        .replace("oversubscription: 8", "oversubscription: 16")
        + _RED
    )


WIDE = {
    name: _wide(name)
    for name in (
        "IPv4 and IPv6, on Ethernet segments",
        "MLAG pairs",
        "IPv4 and IPv6, on bonds of one port at a time",
    )
}
WIDE["zones"] = WIDE["IPv4 and IPv6, on Ethernet segments"] + _ZONES
