"""Edits of tenants, VLANs, zones, external peers and jobs, with an engineer's summaries."""

from tests.review.edit import Edit

RED, BLUE = "tenants/red.yaml", "tenants/blue.yaml"
_MODELS = "models: {id: 111, subnet: 10.111.0.0/24}"
_ISP2 = "isp2: {leaf: 6, cage: 24, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497}"
_ZONES = """\
zones:
  web: {vlans: [red/web]}
  models: {vlans: [red/models]}
  office: {outside: [red/red/isp1, red/red/isp2]}
services:
  https: [tcp/443]
  metrics: [tcp/9100]
flows:
  - {clients: [web], servers: [models], services: [https]}
  - {clients: [office], servers: [web], services: [https]}
"""
_WORK = """\
site: {name: work, management: {subnet: 10.255.0.0/24, ntp: [10.255.0.250, 10.255.0.251]}}
servers:
  gpu:
    count: 8
    gpus: 8
    ports:
      rail: {fabric: backend, speed: 400G}
      front: {fabric: frontend, speed: 100G, per_leaf: 4}
backend:
  design: rail-optimized
  scalable_unit: {servers: 4}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: eos}
  leaf_groups: {racks: {leafs: 1-2}}
jobs:
  training:
    slots: 8
    vrf_ids: 200
    vlan_ids: 2000
    subnets: 10.96.0.0/16
    servers: gpu
    rails: {fabric: backend, idle_vrf: 99, local: true}
    jobs:
      llama: {slot: 1, unit: 1}
"""
NETWORKS = (
    Edit(
        name="a new tenant",
        site="tenants",
        steps=(
            (
                "tenants/green.yaml",
                "",
                (
                    "tenants:\n  green:\n    vrfs:\n      green:\n        id: 3\n        vlans:\n"
                    "          lab: {id: 140, subnet: 10.140.0.0/24}\n    attachments:\n"
                    "      - {group: inference, servers: 16-16, access: lab}\n"
                ),
            ),
            (BLUE, "servers: 13-16", "servers: 13-15"),
        ),
        engineer="Tenant green is added, with VRF green and VLAN 140 (10.140.0.0/24) on the four "
        "inference leafs. Server 16 of each leaf moves to it from blue. Those four servers are cut "
        "off from blue's VLAN 120.",
        words=("tenant green", "added"),
        causes=("tenants.green", "tenants.blue.attachments.0.servers"),
        effects=(
            "added tenant green",
            "added vrf green",
            "added vlan 140",
            "moved attachment *",
        ),
        hit="four servers of blue lose VLAN 120",
    ),
    Edit(
        name="a new VLAN of a tenant",
        site="tenants",
        steps=(
            (RED, _MODELS, f"{_MODELS}\n          cache: {{id: 112, subnet: 10.112.0.0/24}}"),
            (RED, "trunk: [models]}", "trunk: [models, cache]}"),
        ),
        engineer="VLAN 112 (red, 10.112.0.0/24) is added. The trunks of red's storage servers "
        "carry it next to VLAN 111. Nobody loses anything.",
        words=("VLAN 112", "red", "added"),
        causes=("tenants.red.vrfs.red.vlans.cache", "tenants.red.attachments.2.trunk"),
        effects=("added vlan 112", "changed attachment *"),
        hit="nobody",
        extra=(("changed session out", "the external peers of red learn the new subnet"),),
    ),
    Edit(
        name="the base of the VNIs",
        site="tenants",
        steps=(
            ("frontend.yaml", "  leaf_groups:", "  overlay: {l2vni_base: 20000}\n  leaf_groups:"),
        ),
        engineer="The VNI of every VLAN changes, such as 10110 to 20110 for VLAN 110. All leafs "
        "must change together. Until both ends of a tunnel have it, a VLAN is split by leaf.",
        words=("VLAN", "VNI", "10110", "20110"),
        causes=("frontend.overlay",),
        effects=tuple(f"changed vlan {number} VNI" for number in (110, 111, 120, 130)),
        hit="all tenants between leafs, until every leaf has changed",
    ),
    Edit(
        name="a server moved to another tenant",
        site="tenants",
        steps=(
            (RED, "servers: 1-8, access: web", "servers: 1-7, access: web"),
            (BLUE, "servers: 13-16, access", 'servers: "8,13-16", access'),
        ),
        engineer="Server 8 of each inference leaf leaves VLAN 110 of red and joins VLAN 120 of "
        "blue. Those four servers need new addresses. Nobody else is touched.",
        words=("4 servers", "VLAN 120 of blue", "VLAN 110 of red"),
        causes=("tenants.red.attachments.0.servers", "tenants.blue.attachments.0.servers"),
        effects=("moved attachment *",),
        hit="four servers lose red's VLAN 110",
    ),
    Edit(
        name="a rule between zones",
        site="tenants",
        given=(("zones.yaml", "", _ZONES),),
        steps=(
            (
                "zones.yaml",
                "servers: [models], services: [https]}",
                "servers: [models], services: [https, metrics]}",
            ),
        ),
        engineer="Zone web may also reach zone models on tcp/9100. One permit is added to the "
        "filters at web's gateway. Nothing that passed is dropped.",
        words=("tcp", "9100"),
        causes=("flows.0.services",),
        effects=("added rule *",),
        hit="nobody",
    ),
    Edit(
        name="an external peer more",
        site="tenants",
        steps=(
            (
                RED,
                _ISP2,
                (
                    f"{_ISP2}\n          isp3: {{leaf: 6, cage: 23, "
                    "address: 192.0.2.5/31, peer: 192.0.2.4, asn: 64498}"
                ),
            ),
        ),
        engineer="VRF red gets a third external peer, isp3 (AS 64498) at 192.0.2.4, on fe-leaf06 "
        "cage 23. It announces a default route, so outbound traffic spreads over it as well.",
        words=("BGP session", "192.0.2.4"),
        causes=("tenants.red.vrfs.red.external.isp3",),
        effects=("added cable frontend", "added session red 192.0.2.4"),
        hit="nobody",
        extra=(("added rule ZONE-red_isp3", "each external peer has a filter of forged sources"),),
    ),
    Edit(
        name="routes shared by two VRFs",
        site="tenants",
        steps=((BLUE, "        vlans:\n", "        share_routes: [red]\n        vlans:\n"),),
        engineer="VRFs red and blue share the routes of their VLANs, in both directions, on the "
        "leafs. Servers of the two tenants reach each other from now on.",
        words=("VRF", "red", "blue"),
        causes=("tenants.blue.vrfs.blue.share_routes",),
        effects=("changed vrf blue *", "changed vrf red *"),
        hit="nobody",
    ),
    Edit(
        name="a DHCP relay",
        site="tenants",
        steps=(
            (
                RED,
                "        diagnostics:",
                (
                    "        dhcp_relay: {servers: [10.110.0.5], "
                    "sources: 10.98.1.0/24}\n        diagnostics:"
                ),
            ),
        ),
        engineer="Every gateway of VRF red relays DHCP requests to 10.110.0.5. Each leaf has a "
        "source address of 10.98.1.0/24 for it.",
        words=("DHCP", "10.110.0.5"),
        causes=("tenants.red.vrfs.red.dhcp_relay",),
        effects=("changed vrf red DHCP relay",),
        hit="nobody",
        extra=(("added interface Loopback2", "the source address, which the engineer names"),),
    ),
    Edit(
        name="a job started",
        site="",
        given=(("site.yaml", "", _WORK),),
        steps=(
            (
                "site.yaml",
                "      llama: {slot: 1, unit: 1}",
                "      llama: {slot: 1, unit: 1}\n      qwen: {slot: 2, servers: 5-6}",
            ),
        ),
        engineer="Job qwen starts on gpu0005 and gpu0006, with VRF 201 and VLAN 2001. Their rails "
        "leave the idle VRF. Job llama is not touched.",
        words=("job qwen", "2 servers"),
        causes=("jobs.training.jobs.qwen",),
        effects=("added job qwen", "* attachment *", "added vlan 2001"),
        extra=(("added vrf qwen", "the engineer names it by its id, 201"),),
        hit="nobody, since gpu0005 and gpu0006 had no job",
    ),
)
