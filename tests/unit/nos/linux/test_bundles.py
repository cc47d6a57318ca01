"""A leaf whose ports to servers close or open: in which order EVPN, LACP and the ports go."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.nos.linux.programs import RELOAD, Programs

from fabricgen.nos.linux.driver.onswitch import apply, bundles, detour, early, interfaces, services
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.store import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fabricgen.nos.shared.onswitch.switch import Outcome

OWN, SHARED = "02:00:00:00:00:01", "02:fc:00:00:00:01"
CONF, ROUTING = "etc/network/interfaces", "etc/frr/frr.conf"
LOOK = "vtysh -c show bgp l2vpn evpn summary json"
MEMBER = "iface swp1\n    mtu 9000\n"
BOND = f"\niface bond1\n    bond-slaves swp1\n    bond-ad-actor-system {SHARED}\n"
RUNNING = """\
router bgp 1
 address-family ipv4 unicast
  neighbor ABOVE route-map TO-ABOVE out
 exit-address-family
 !
 address-family l2vpn evpn
  neighbor EVPN-ABOVE route-map EVPN-TO-ABOVE out
 exit-address-family
route-map EVPN-TO-ABOVE permit 20
"""

MAC, OTHER = "52:54:00:00:00:01", "10.65.0.1"
KNOWN: dict[str, list[dict[str, Any]]] = {
    "bridge -j vlan": [
        {"ifname": "bond1", "vlans": [{"vlan": 10, "flags": ["PVID", "Egress Untagged"]}]},
        {"ifname": "vni10", "vlans": [{"vlan": 10}]},
    ],
    "ip -j link": [{"ifname": "vni10"}],
    "bridge -j fdb show brport bond1": [
        {"mac": MAC, "vlan": 10, "state": ""},
        {"mac": OWN, "vlan": 10, "state": "permanent"},
    ],
    "vtysh -c show evpn es detail": [{"accessPort": "bond1", "vteps": [{"vtep": OTHER}]}],
}


class Switch(Programs):
    """It notes what its bond is to LACP, too, when a program is called."""

    def __init__(self, net: Path) -> None:
        super().__init__()
        self.net = net
        self.answers["vtysh -c show running"] = Done(0, RUNNING, "")
        known = {words: Done(0, json.dumps(said), "") for words, said in KNOWN.items()}
        self.answers = {**known, **self.answers}
        self.systems: dict[str, str] = {}
        self.ran: list[tuple[str, ...]] = []
        self.comes(before=0)

    def comes(self, before: int, state: str = "Established") -> None:
        """Let the session of EVPN be there after so many looks, with news at the first ones."""
        down = json.dumps({"peers": {OTHER: {"state": "Active", "pfxRcd": 0}}})
        up = [json.dumps({"peers": {OTHER: {"state": state, "pfxRcd": it}}}) for it in (1, 2)]
        self.looks = [down] * before + up

    def look(self) -> Done:
        return Done(0, self.looks.pop(0) if len(self.looks) > 1 else self.looks[0], "")

    def run(self, words: Sequence[str], *rest: object, **more: object) -> Done:
        system = self.net / "bond1" / "bonding" / "ad_actor_system"
        called = " ".join(words)
        self.systems[called] = system.read_text() if system.exists() else ""
        if called == LOOK:
            self.called.append(called)
            return self.look()
        if called.startswith(("ifreload", RELOAD)):
            self.ran.append(tuple((disk.ROOT / path).read_text() for path in (CONF, ROUTING)))
        return super().run(words, *rest, **more)


@pytest.fixture
def switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Switch:
    net = tmp_path / "net"
    for path, text in {
        "bond1/address": f"{OWN}\n",
        "bond1/bonding/ad_actor_system": SHARED,
        "bond1/bonding/all_slaves_active": "0",
        "swp1/flags": "0x1003",
        "swp1/bonding_slave/ad_actor_oper_port_state": "63",
        "swp1/bonding_slave/ad_partner_oper_port_state": "15",
    }.items():
        (net / path).parent.mkdir(parents=True, exist_ok=True)
        (net / path).write_text(text)
    made = Switch(net)
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    monkeypatch.setattr(bundles, "NET", net)
    monkeypatch.setattr(bundles, "LONGEST", 0.2)
    monkeypatch.setattr(bundles, "TOLD", 0.0)
    for name, seconds in {"LONGEST": 0.2, "CALM": 0.02, "_PACE": 0.01}.items():
        monkeypatch.setattr(early, name, seconds)
    monkeypatch.setattr(detour, "ENDS", tmp_path / "detour")
    for module in (bundles, detour, frr, interfaces, services):
        monkeypatch.setattr(module, "run", made.run)
    return made


def applied(network: str) -> Outcome:
    files = {CONF: disk.File(network.encode()), ROUTING: disk.File(RUNNING.encode())}
    facts: dict[str, Any] = {"failures": [], "strays": [], "kernel": {}, "running": None}
    return apply.apply(Tree(files, sorted(files)), sorted(files), facts)


def order(switch: Switch) -> list[str]:
    """Return what withholds, what moves ports and what lets FRR reload, as they were called."""
    starts = {
        "vtysh -c conf": "withhold",
        "tc filter add": "detour",
        "tc qdisc del": "straight",
        "ip link": "open",
        "ifreload": "ports",
        RELOAD: "FRR",
    }
    return [
        name for own in switch.called for start, name in starts.items() if own.startswith(start)
    ]


def test_ports_close_after_evpn_and_the_servers_went(switch: Switch) -> None:
    applied(MEMBER + "    link-down yes\n" + BOND)
    left = ["withhold", "detour", "straight"]
    assert order(switch) == [*left, "detour", "ports", "straight", "FRR"]
    assert switch.systems["ifreload -a"] == OWN
    withheld = next(it for it in switch.called if it.startswith("vtysh -c conf"))
    assert "route-map EVPN-TO-ABOVE deny 1 -c match evpn route-type ead" in withheld
    assert " TO-ABOVE" not in withheld


def test_evpn_is_told_of_ports_that_opened_when_servers_use_them(switch: Switch) -> None:
    (switch.net / "swp1/flags").write_text("0x1002")
    applied(MEMBER + BOND)
    assert order(switch) == ["withhold", "open", "detour", "ports", "straight", "FRR"]
    assert switch.systems["tc qdisc del dev bond1 clsact"] == SHARED
    assert switch.systems["ip link set dev swp1 up"] == OWN
    reloaded = next(it for it in switch.called if it.startswith(RELOAD))
    assert switch.systems[reloaded] == SHARED
    assert (switch.net / "bond1/bonding/all_slaves_active").read_text() == "0"


@pytest.mark.parametrize(
    "network",
    [
        pytest.param(MEMBER + BOND, id="ports-stay-open"),
        pytest.param(
            MEMBER + "    link-down yes\n" + BOND.replace("bond-ad", "x"), id="no-segment"
        ),
    ],
)
def test_nothing_is_withheld_otherwise(switch: Switch, network: str) -> None:
    applied(network)
    assert "withhold" not in order(switch)
    assert switch.systems["ifreload -a"] == SHARED


def test_a_server_without_lacp_is_not_waited_for_for_ever(switch: Switch) -> None:
    (switch.net / "swp1/bonding_slave/ad_partner_oper_port_state").write_text("63")
    applied(MEMBER + "    link-down yes\n" + BOND)
    assert "ports" in order(switch)


def test_servers_that_leave_are_sent_to_over_another_leaf(switch: Switch) -> None:
    """Their MACs alone, not the leaf's own; what is undone is what was done."""
    applied(MEMBER + "    link-down yes\n" + BOND)
    redirect = f"flower dst_mac {MAC} action mirred egress redirect dev vni10"
    entry = f"{MAC} dev vni10 dst {OTHER} self"
    assert [it for it in switch.called if it.startswith(("tc", "bridge fdb"))] == 2 * [
        "tc qdisc replace dev bond1 clsact",
        f"bridge fdb replace {entry} permanent",
        f"tc filter add dev bond1 egress pref 1 {redirect}",
        "tc qdisc del dev bond1 clsact",
        f"bridge fdb del {entry}",
    ]
    assert not detour.ENDS.exists()


def test_a_detour_in_which_a_process_was_killed_ends_with_what_comes_after_it(
    switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(detour, "straight", lambda: None)
        applied(MEMBER + "    link-down yes\n" + BOND)
    done = len(switch.called)
    applied(MEMBER + BOND)
    assert "bridge fdb del" in " ".join(switch.called[done:])
    assert not detour.ENDS.exists()


def test_a_tagged_vlan_loses_its_tag_before_the_tunnel(switch: Switch) -> None:
    said = [{"ifname": "bond1", "vlans": [{"vlan": 10}]}, KNOWN["bridge -j vlan"][1]]
    switch.answers["bridge -j vlan"] = Done(0, json.dumps(said), "")
    applied(MEMBER + "    link-down yes\n" + BOND)
    told = next(it for it in switch.called if it.startswith("tc filter"))
    assert f"protocol 802.1Q pref 2 flower vlan_id 10 dst_mac {MAC} action vlan pop" in told


def test_nothing_goes_over_a_leaf_that_no_segment_has(switch: Switch) -> None:
    switch.answers["vtysh -c show evpn es detail"] = Done(1, "", "no FRR")
    applied(MEMBER + "    link-down yes\n" + BOND)
    assert not [it for it in switch.called if it.startswith("tc filter")]


CLOSED = MEMBER.replace("swp1\n", "swp1\n    link-down yes\n") + BOND
WITHHELD = "route-map EVPN-TO-ABOVE deny {}\nmatch evpn route-type {}\nexit\n"
UNTOLD = RUNNING.replace(
    "\nroute-map ", f"\n{WITHHELD.format(1, 'ead')}{WITHHELD.format(2, 'es')}route-map "
)


def opens(switch: Switch) -> Outcome:
    (switch.net / "swp1/flags").write_text("0x1002")
    return applied(MEMBER + BOND)


def test_bundles_open_when_a_leaf_without_sessions_has_them(switch: Switch) -> None:
    """It begins as a drained leaf does, and ends with the files that were asked for."""
    switch.comes(before=3)
    assert opens(switch) == ([], [])
    open_ = MEMBER + BOND
    assert switch.ran == [(CLOSED, UNTOLD), (CLOSED, UNTOLD), (open_, RUNNING), (open_, RUNNING)]
    opening = ["withhold", "open", "detour", "ports", "straight", "FRR"]
    assert order(switch) == ["ports", "FRR", *opening]
    assert switch.called.index("ip link set dev swp1 up") > max(
        at for at, called in enumerate(switch.called) if called == LOOK
    )


def test_bundles_wait_until_no_session_tells_anything_new(
    switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(early, "CALM", 0.1)
    switch.comes(before=1)
    opens(switch)
    assert switch.called.count(LOOK) > 4


@pytest.mark.parametrize("state", ["Active", "OpenConfirm"])
def test_bundles_open_without_sessions_after_a_while_and_that_is_said(
    switch: Switch, state: str
) -> None:
    switch.comes(before=0, state=state)
    outcome = opens(switch)
    assert outcome.problems == []
    assert outcome.remarks == [
        "ports to servers opened after 0.2 s without stable sessions of EVPN"
    ]
    assert switch.ran[-1] == (MEMBER + BOND, RUNNING)


def test_where_bgpd_does_not_run_yet_bundles_wait_as_well(switch: Switch) -> None:
    switch.looks = ["bgpd is not running"]
    assert len(opens(switch).remarks) == 1


def test_a_port_that_is_up_without_its_bundle_is_shut_first(switch: Switch) -> None:
    switch.comes(before=1)
    shutil.rmtree(switch.net / "bond1")
    applied(MEMBER + BOND)
    assert switch.ran[0] == (CLOSED, UNTOLD)


@pytest.mark.parametrize("before", [0, 1])
def test_bundles_that_are_open_stay_so_with_and_without_sessions(
    switch: Switch, before: int
) -> None:
    switch.comes(before=before)
    assert applied(MEMBER + BOND) == ([], [])
    assert {text for text, _ in switch.ran} == {MEMBER + BOND}
    assert order(switch) == ["ports", "FRR"]
