"""Looks in the words of now: neighbors that are renamed, tunnel ends that are gone."""

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.nos.health import Health, lost
from fabricgen.nos.traffic import Bridged, Routed, Traffic
from fabricgen.operate.deploy.push.renamed_state import Present
from fabricgen.operate.deploy.push.traffic_loss import cut

SITE = """\
site: {name: t1, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
  names: {leaf: "l{index}", previous_name: {leaf: "fe-leaf{index:02}"}}
"""
GONE, STAYS = "10.65.0.3", "10.65.0.2"


def present() -> Present:
    site = compile_site(load_texts({"site.yaml": SITE})).site
    assert site is not None
    return Present.of(site)


def reaching(*vteps: str) -> Health:
    vlan = Bridged(vni=10010, far=frozenset(vteps), routes={3: 1 + len(vteps)})
    vrf = Routed(
        vni=50001,
        up=True,
        hops=dict.fromkeys(vteps, "00:1c:73:00:00:01"),
        prefixes=dict.fromkeys(vteps, 1),
    )
    return Health(traffic=Traffic(vtep="10.65.0.1", vlans={10: vlan}, vrfs={"red": vrf}))


def severed(before: Health, after: Health) -> list[str]:
    seen = present().seen
    return cut({"l1": seen(before)}, {"l1": seen(after)}).get("l1", [])


def test_a_neighbor_that_was_renamed_is_the_same() -> None:
    before = Health(cables=frozenset({"swp1 fe-leaf01.example.net swp31", "swp2 server eth0"}))
    after = Health(cables=frozenset({"swp1 l1 swp31", "swp2 server eth0"}))
    seen = present().seen
    assert lost(seen(before), seen(after)) == ()
    other = Health(cables=frozenset({"swp1 l2 swp31", "swp2 server eth0"}))
    assert lost(seen(before), seen(other)) == ("LLDP no longer sees swp1 l1 swp31",)


def test_who_is_not_in_the_design_any_more_is_no_loss() -> None:
    assert severed(reaching(STAYS, GONE), reaching(STAYS)) == []


def test_who_is_in_the_design_is_one() -> None:
    assert severed(reaching(STAYS, GONE), reaching(GONE)) == [
        f"VLAN 10 no longer reaches {STAYS}",
        f"VRF red lost the subnets of {STAYS}",
    ]
