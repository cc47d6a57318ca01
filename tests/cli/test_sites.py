"""Several sites: apart by their numbers, compared by `check --with-site`; a server is at one."""

from pathlib import Path

import pytest
from tests.cli.calling import call

from fabricgen.core.diagnostics import Code

SITE = """site:
  name: {site}
  management: {{subnet: {management}, ntp: [192.0.2.1]}}
frontend:
  number: {number}
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7050CX3-32S, platform: eos, count: 2}}
  names: {{leaf: "{{site}}-leaf{{index}}", spine: "{{site}}-spine{{index}}"}}
  leaf_groups: {{cpu: {{leafs: 1-2, servers: {{per_leaf: 4, speed: 25G}}}}}}
tenants:
  shop:
    vrfs: {{shop: {{id: 1, vlans: {{{vlan}: {{id: 100, subnet: {subnet}}}}}}}}}
    attachments: [{{group: cpu, access: {vlan}}}]
"""
OSLO = {
    "site": "oslo",
    "management": "10.255.0.0/22",
    "number": 1,
    "vlan": "pages",
    "subnet": "172.20.0.0/24",
}
BERGEN = {
    "site": "bergen",
    "management": "10.255.4.0/22",
    "number": 2,
    "vlan": "data",
    "subnet": "172.20.1.0/24",
}


def beside(folder: Path, **changed: object) -> str:
    """Check oslo beside a bergen of which something is changed; return what is printed."""
    for name, words in (("oslo", OSLO), ("bergen", BERGEN | changed)):
        (folder / name).mkdir()
        (folder / name / "site.yaml").write_text(SITE.format(**words), encoding="utf-8")
    return call("check", str(folder / "oslo"), "--with-site", str(folder / "bergen")).out


def test_sites_with_numbers_are_apart(tmp_path: Path) -> None:
    assert Code.SITES_NOT_APART.value not in beside(tmp_path)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"number": 1}, "oslo-leaf1 and bergen-leaf1 in bergen both have the ASN 4201000000"),
        ({"number": 1}, "VNI 110100 of shop-pages is also the VNI of shop-data in bergen"),
        ({"number": 1}, "10.80.0.0/16 of frontend loopbacks overlaps"),
        ({"site": "oslo"}, "the switch oslo-leaf1 is also one of oslo"),
        ({"subnet": "172.20.0.0/23"}, "172.20.0.0/24 of VLAN shop-pages (frontend) overlaps"),
        ({"management": "10.255.2.0/23"}, "10.255.0.0/22 of management overlaps"),
    ],
)
def test_what_both_have_is_said(tmp_path: Path, changed: dict[str, object], words: str) -> None:
    assert words in beside(tmp_path, **changed)


def test_a_site_that_does_not_compile_ends_it(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "site.yaml").write_text("site: {name: x}\n", encoding="utf-8")
    said = call("check", str(Path("intent/tenants")), "--with-site", str(tmp_path / "other"))
    assert said.code == 1
    assert "FG102" in said.err


def test_fabrics_of_one_tree_stand_at_sites(tmp_path: Path) -> None:
    halls = {"oslo": (1, "172.20.0.0/24"), "bergen": (2, "172.20.1.0/24")}
    text = "site: {name: nord, management: {subnet: 10.255.0.0/22, ntp: [192.0.2.1]}}\nfabrics:\n"
    for site, (number, _) in halls.items():
        text += (
            f"  {site}:\n    kind: evpn\n    site: {site}\n    number: {number}\n"
            "    leaf: {model: 7050CX3-32S, platform: eos}\n"
            "    spine: {model: 7050CX3-32S, platform: eos, count: 2}\n"
            '    names: {leaf: "{site}-leaf{index}"}\n    leaf_groups: {cpu: {leafs: 1-2}}\n'
        )
    text += "servers:\n  db:\n    count: 2\n    ports:\n"
    for site in halls:
        text += f"      {site[0]}: {{fabric: {site}, speed: 25G, per_leaf: 4}}\n"
    (tmp_path / "site.yaml").write_text(text, encoding="utf-8")
    said = call("check", str(tmp_path)).out
    assert "oslo is at oslo, but db has ports at bergen" in said
    text = text.replace("      o: {fabric: oslo, speed: 25G, per_leaf: 4}\n", "")
    (tmp_path / "site.yaml").write_text(text, encoding="utf-8")
    assert call("render", str(tmp_path), "-o", str(tmp_path / "out")).code == 0
    assert (tmp_path / "out" / "oslo" / "oslo-leaf1").is_dir()
