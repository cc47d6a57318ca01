"""The tenants of the frontends that are rendered for each platform, one text for all."""

TENANTS = """
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          db: {id: 111, subnet: 10.111.0.0/24}
          six: {id: 112, subnet: "2001:db8:112::/64"}
    attachments:
      - {group: cpu, servers: 1-4, access: web}
      - {group: cpu, servers: 5-6, trunk: [web, db, six], native: web}
      - {group: bond, trunk: [web, db]}
  blue:
    vrfs:
      blue: {id: 2, vlans: {app: {id: 120, subnet: 10.120.0.0/24}}}
    vlans: {heart: {id: 130}}
    attachments:
      - {group: cpu, servers: 7-7, trunk: [app, heart]}
"""
