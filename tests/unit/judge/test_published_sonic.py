"""Faults of a published SONiC lab, on a fabric of our own numbers; its sessions have no addresses.

All four stand in brmcdoug/sonic, 1-two-tier-small-clos/config-unnumbered: the ASN of sonic03 at
commit 58ac38c (mended in its frr.conf at 77c9505, and not in its config_db.json), the loopback of
sonic01 announced by sonic02 (58ac38c), and a prefix with a colon too few on sonic05 (6adf27d).
"""

from pathlib import Path

import pytest
from tests.unit.adopt.sonic_lab import configurations
from tests.unit.judge.test_judge import laid, said

from fabricgen.core.diagnostics import Code

CORE, EDGE = "dc7-core1", "dc7-edge2"
DATABASE = (f"{CORE}/config_db.json", '"bgp_asn": "64590"', '"bgp_asn": "64591"')
ROUTING = (f"{CORE}/frr.conf", "router bgp 64590", "router bgp 64591")
FAULTS = {
    "an ASN that nobody expects": (
        (DATABASE, ROUTING),
        Code.JUDGED_ASN,
        "dc7-core1 to Ethernet4 expects AS 64612, but dc7-edge2 expects AS 64590 at its ports",
    ),
    "two ASNs of one switch": (
        (DATABASE,),
        Code.JUDGED_ASN,
        "dc7-core1 is AS 64591 in CONFIG_DB, but AS 64590 in FRR",
    ),
    "the loopback of another": (
        ((f"{EDGE}/frr.conf", "network 10.70.0.12/32", "network 10.70.0.11/32"),),
        Code.JUDGED_ADDRESS,
        "dc7-edge2 advertises 10.70.0.11, which belongs to dc7-edge1:Loopback0",
    ),
    "a prefix that is none": (
        ((f"{CORE}/frr.conf", "network fd07:13::1/128", "network fd07:13:1/128"),),
        Code.JUDGED_VALUE,
        "dc7-core1: bgp default network cannot be 'fd07:13:1/128'",
    ),
}


def test_the_sound_fabric_has_no_finding_and_is_understood(tmp_path: Path) -> None:
    judgment = laid(tmp_path, configurations())
    assert not said(judgment)
    assert judgment.share.percent == 100


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named(fault: str, tmp_path: Path) -> None:
    changes, code, sentence = FAULTS[fault]
    files = configurations()
    for file, old, new in changes:
        assert old in files[file]
        files[file] = files[file].replace(old, new)
    found = said(laid(tmp_path, files))
    assert any(each.code == code and each.message.startswith(sentence) for each in found), found
    assert all(each.position and each.position.line > 1 for each in found)
