"""Names and numbers that follow from others: peers, route targets, distinguishers, secrets."""

import pytest
from tests.unit.fabric.parts import WHY, port

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import EvpnRules
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.settings.services import LocalUser, Snmp
from fabricgen.model.settings.setting import PLACEHOLDER, placeholder


def test_a_peers_lists_are_named_after_its_vrf_and_itself() -> None:
    local, remote = Ip(0x0A000000, 31), Ip(0x0A000001, 31)
    peer = ExternalPeer(
        vrf="red",
        name="wan",
        interface=Interface(port=port(), use=Use.EXTERNAL, mtu=1500, because=WHY),
        local=local,
        remote=remote,
        peer_asn=64999,
        accept=(),
        announce=(),
        bfd=False,
        because=WHY,
    )
    assert (peer.label, peer.inward, peer.outward) == ("red_wan", "IN-red_wan", "OUT-red_wan")


def test_a_route_target_is_of_the_site_and_a_distinguisher_of_the_switch() -> None:
    rules = EvpnRules(anycast_mac="00:1c:73:00:00:99", route_target_asn=65000, path=("frontend",))
    vlan = Vlan(id=100, name="web", tenant="red", vni=10_100, vrf=None, gateways=(), because=WHY)
    assert rules.exported(vlan) == rules.imported(vlan) == ("65000:10100",)
    assert route_distinguisher(Ip(0x0A000001, 32), vlan) == "10.0.0.1:100"


@pytest.mark.parametrize(("words", "text"), [("people wrote it", "people wrote it"), (None, "web")])
def test_a_vlan_is_described_by_its_people_or_by_its_name(words: str | None, text: str) -> None:
    vlan = Vlan(
        id=100,
        name="web",
        tenant="red",
        vni=None,
        vrf=None,
        gateways=(),
        because=WHY,
        description=words,
    )
    assert vlan.text == text


def services(*users: LocalUser, community: str | None) -> Services:
    return Services(
        path=("site",),
        site="lab",
        vrf="MGMT",
        gateway="10.0.0.1",
        snmp=Snmp(community=community),
        users=users,
    )


def test_secrets_are_those_that_a_file_may_hold_each_once() -> None:
    admin = LocalUser(name="admin", password_hash="env:HASH")  # noqa: S106  a reference
    guest = LocalUser(name="guest", role="operator", ssh_key="ssh-ed25519 AAAA")
    assert services(admin, guest, community="env:SNMP").secrets == {"env:HASH", "env:SNMP"}
    assert services(guest, community=None).secrets == frozenset()


def test_a_placeholder_gives_its_reference_back() -> None:
    text = f"snmp-server community {placeholder('env:SNMP')} ro"
    assert text == "snmp-server community <<secret:env:SNMP>> ro"
    assert PLACEHOLDER.findall(text) == ["env:SNMP"]
    assert PLACEHOLDER.findall("<<secret:a b>> <<secret:>> <secret:a>") == []
