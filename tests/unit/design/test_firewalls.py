"""Firewall pairs: both ends of each leg follow from one place, on every platform."""

import pytest
from tests.nos.tenants import FENCES, fenced
from tests.unit.checks.test_zones import OURS

from fabricgen.compile.compiler import Compiled, compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.prove.written import prove

SITE = fenced("7050CX3-32S", "eos")
MODELS = {"eos": "7050CX3-32S", "sonic": "7060DX5-64S", "linux": "7050CX3-32S"}
ACTIVE = "asn: 65010\n      mode: active-active\n      shares_state: true\n"


def compiled(text: str) -> Compiled:
    return compile_site(load_texts({"site.yaml": text}))


def legs(text: str) -> dict[str, list[ExternalPeer]]:
    """Return the sessions with firewalls, by leaf."""
    result = compiled(text)
    assert result.ok, result.findings
    assert result.site is not None
    (fabric,) = result.site.fabrics
    assert fabric.overlay is not None
    return {leaf: list(peers) for leaf, peers in fabric.overlay.external.items()}


def test_a_leg_is_a_session_of_each_family_by_every_link() -> None:
    found = legs(SITE)
    assert {
        (leaf, peer.vrf, peer.name, peer.interface.tag, str(peer.local), peer.remote.host)
        for leaf, peers in found.items()
        for peer in peers
    } == {
        ("fe-leaf01", "red", "fw1", 201, "192.0.2.0/31", "192.0.2.1"),
        ("fe-leaf01", "red", "fw1", 201, "2001:db8:ff::/127", "2001:db8:ff::1"),
        ("fe-leaf01", "blue", "fw1", 202, "192.0.2.8/31", "192.0.2.9"),
        ("fe-leaf02", "red", "fw2", 201, "192.0.2.2/31", "192.0.2.3"),
        ("fe-leaf02", "red", "fw2", 201, "2001:db8:ff::2/127", "2001:db8:ff::3"),
        ("fe-leaf02", "blue", "fw2", 202, "192.0.2.10/31", "192.0.2.11"),
    }
    every = [peer for peers in found.values() for peer in peers]
    assert {peer.peer_asn for peer in every} == {65010}
    assert {peer.border.password for peer in every} == {"env:FW"}
    taken = {(p.vrf, rule.prefix.prefix) for p in every for rule in p.accept}
    assert taken == {("red", "0.0.0.0/0"), ("red", "::/0"), ("blue", "10.0.0.0/8")}


def test_of_a_standby_the_first_unit_is_taken_before_the_second() -> None:
    preferred = {name: {each.border.prefer for each in of} for name, of in legs(SITE).items()}
    assert preferred == {"fe-leaf01": {"primary"}, "fe-leaf02": {"backup"}}
    both = legs(SITE.replace("asn: 65010\n", ACTIVE))
    assert {each.border.prefer for peers in both.values() for each in peers} == {""}


def test_another_link_of_a_unit_renumbers_nothing() -> None:
    more = SITE.replace('    fw2: {leaf: 2, cages: "20"}\n', _MORE)
    more = more.replace("{links: [fw1]}", "{links: [fw1, fw3]}").replace("/30,", "/29,")
    more = more.replace("ff::/126", "ff::/125")
    before, after = (
        {(peer.vrf, peer.name, str(peer.local)) for peers in legs(text).values() for peer in peers}
        for text in (SITE, more)
    )
    assert before < after
    assert {(vrf, ends) for vrf, name, ends in after - before if name == "fw3"} == {
        ("red", "192.0.2.4/31"),
        ("red", "2001:db8:ff::4/127"),
        ("blue", "192.0.2.12/31"),
    }


_MORE = '    fw2: {leaf: 2, cages: "20"}\n    fw3: {leaf: 2, cages: "21"}\n'


@pytest.mark.parametrize("platform", MODELS)
def test_what_is_written_for_a_leg_is_read_back(platform: str) -> None:
    zones = "" if platform == "sonic" else FENCES
    result = compiled(fenced(MODELS[platform], platform) + zones)
    assert result.site is not None
    assert [each for each in result.findings if each.severity is Severity.ERROR] == []
    for _, switch_slice in slices(result.site):
        texts = {
            file.path.partition(f"/{switch_slice.switch.name}/")[2]: file.text
            for file in files_of(switch_slice, Renderer())
        }
        assert prove(switch_slice, texts).findings == ()
        assert bool(switch_slice.tagged) is switch_slice.switch.is_leaf


def test_sonic_has_no_list_for_a_tag_and_says_so_once_for_a_leg() -> None:
    found = compiled(fenced(MODELS["sonic"], "sonic") + FENCES).findings
    (said,) = [each for each in found if "would enter zone" in each.message]
    assert said.path == ("tenants", "red", "vrfs", "red", "firewalls", "fw")


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("fw: {vlan: 201", "fx: {vlan: 201", Code.UNKNOWN_REFERENCE, "no firewall 'fx'"),
        ("[{links: [fw1]}", "[{links: [fw9]}", Code.UNKNOWN_REFERENCE, "is named fw9"),
        ("vlan: 202", "vlan: 201", Code.TAG_CLASH, "the tag 201 of fw is already used by tenants"),
        ("8/30, accept", "8/31, accept", Code.POOL_TOO_SMALL, "links of fw need 4"),
        ("pool: 192.0.2.8/30, accept", "accept", Code.BAD_VALUE, "give `pool`, `pool6` or both"),
        ("pool6: ", "pool: 192.0.2.0/30, pool6: ", Code.DUPLICATE_KEY, "pool"),
        ('"2001:db8:ff::/126"', "192.0.2.64/30", Code.BAD_VALUE, "must be IPv6"),
        ("{leaf: 2, cages", "{leaf: 1, cages", Code.FIREWALL_NO_PAIR, "are on leaf 1"),
        ("[fw2]", "[fw1]", Code.FIREWALL_NO_PAIR, "the link fw1 already ends on a unit of fw"),
        ("192.0.2.8/30", "192.0.2.0/29", Code.ADDRESS_OVERLAP, "of another leg on fw, and a unit"),
        ("asn: 65010", "asn: 4200000000", Code.ASN_CLASH, "also used by fe-leaf01"),
        (
            "id: 2\n",
            (
                "id: 2\n        external: {fw1: {leaf: 1, cage: 25, address: 192.0.2.33/31,"
                " peer: 192.0.2.32, asn: 64500}}\n"
            ),
            Code.DUPLICATE_ID,
            "already has an external peer fw1",
        ),
        ("192.0.2.8/30, accept", "10.120.0.0/30, accept", Code.ADDRESS_OVERLAP, "VLAN blue-app"),
    ],
)
def test_what_cannot_be_attached_is_said(old: str, new: str, code: Code, words: str) -> None:
    assert old in SITE
    found = [item for item in compiled(SITE.replace(old, new, 1)).findings if item.code == code]
    assert any(words in item.message for item in found), compiled(SITE.replace(old, new)).findings


def test_a_pair_without_a_leg_is_a_warning() -> None:
    lines = (line for line in SITE.split("\n") if "firewalls: {fw: {" not in line)
    (said,) = [
        item for item in compiled("\n".join(lines)).findings if item.code is Code.FIREWALL_NO_PAIR
    ]
    assert said.severity is Severity.WARNING
    assert said.message == "no VRF has a leg on fw, so it has no effect"


def test_the_legs_are_the_way_that_a_zone_behind_a_firewall_is_reached_by() -> None:
    wan = "  edge:\n    wan: {leaf: 1, cages: '25'}\n"
    isp = "id: 1\n        external: {isp: {link: wan, vlan: 7, address: 192.0.2.33/31,"
    isp += " peer: 192.0.2.32, asn: 64500, accept: [203.0.113.0/24]}}\n"
    text = SITE.replace("  edge:\n", wan).replace("id: 1\n", isp) + FENCES
    text = text.replace("zones: {", "zones: {isp: {outside: [red/red/isp]}, ")
    assert [item for item in compiled(text).findings if item.code in OURS] == []
    text += "  - {clients: [isp], servers: [web], services: [tcp/22]}\n"
    (said,) = [item for item in compiled(text).findings if item.code in OURS]
    assert said.code is Code.ZONE_BYPASSED
    assert said.message.startswith("red_isp reaches zone web without zone fence")
