"""What others write and is sound has no finding: MLAG pairs alike, lent loopbacks, VLAN ranges."""

from pathlib import Path

import pytest

from fabricgen.prove.audit.judged import judged

LEAF = """! device: leaf{number} (EOS-4.33.1F)
hostname leaf{number}
vlan 4090
   trunk group peers
interface Port-Channel9
   switchport mode trunk
   switchport trunk group peers
interface Loopback1
   ip address 10.8.2.{pair}/32
interface Vlan4090
   no autostate
   ip address 10.7.0.{own}/31
interface Vxlan1
   vxlan source-interface Loopback1
mlag configuration
   domain-id {domain}
   local-interface Vlan4090
   peer-address 10.7.0.{other}
   peer-link Port-Channel9
router bgp {asn}
   router-id 10.8.1.{number}
   neighbor 10.7.0.{other} remote-as {asn}
"""
LINUX = """auto lo
iface lo inet loopback
    address 10.8.0.1/32
auto swp1
iface swp1
    address {lent}
auto swp2
iface swp2
    address 10.8.0.1/32
auto bridge
iface bridge
    bridge-ports swp3
    bridge-vlan-aware yes
    bridge-vids {vids}
"""


def found(folder: Path) -> list[str]:
    """Return what is said of a folder."""
    return [str(each.message) for every in judged(folder).examined for each in every.findings]


@pytest.mark.parametrize("domain", ["leafs", "leafs{pair}"])
def test_mlag_pairs_may_repeat_what_they_say_to_each_other(domain: str, tmp_path: Path) -> None:
    for number in range(1, 7):
        pair, own = (number + 1) // 2, (number + 1) % 2
        text = LEAF.format(
            number=number,
            pair=pair,
            own=own,
            other=1 - own,
            asn=65000 + pair,
            domain=domain.format(pair=pair),
        )
        (tmp_path / f"leaf{number}.cfg").write_text(text)
    assert found(tmp_path) == []
    wrong = (tmp_path / "leaf4.cfg").read_text().replace("remote-as 65002", "remote-as 65003")
    (tmp_path / "leaf4.cfg").write_text(wrong)
    session, likeness = found(tmp_path)
    assert session.startswith("leaf4 to 10.7.0.0 expects AS 65003, but leaf3 is AS 65002")
    assert likeness.startswith("leaf4: BGP neighbor 10.7.0.0 has asn 65003")


def test_a_loopback_may_be_lent_to_ports_and_vlans_be_ranges(tmp_path: Path) -> None:
    path = tmp_path / "interfaces"
    path.write_text(LINUX.format(lent="10.8.0.1/32", vids="10,20-22 30"))
    assert found(tmp_path) == []
    path.write_text(LINUX.format(lent="10.8.0.1/31", vids="10,2x"))
    said = found(tmp_path)
    assert any("10.8.0.1 is configured on" in each for each in said)
    assert any("vlans cannot be '10,2x'" in each for each in said)
