"""A Linux switch that gets another ASN: its old BGP ends, the new one begins, and back."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.nos.linux.programs import RELOAD, RESTART_FRR, Programs

from fabricgen.nos.linux.driver.onswitch import apply, services
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.store import Tree

CONF = "etc/frr/frr.conf"
NOTHING: dict[str, Any] = {"failures": [], "strays": [], "kernel": {}, "running": None}


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    made = Programs()
    for module in (frr, services):
        monkeypatch.setattr(module, "run", made.run)
    made.answers[SHOWS] = Done(0, BGP, "")
    return made


def tree(conf: str) -> Tree:
    return Tree({CONF: disk.File(conf.encode())}, [CONF])


BGP = """vrf red
 vni 50001
exit-vrf
router bgp 1
 bgp router-id 10.0.0.1
router bgp 1 vrf red
 neighbor 10.9.0.1 remote-as 7
"""
SHOWS = "vtysh -c show running-config"


def test_another_asn_ends_the_old_bgp_and_tells_the_new_one_at_once(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reload can do neither; what it finds afterwards is there already."""
    told: list[str] = []

    def tell(_: object, where: Path) -> str:
        told.append(where.read_text())
        return ""

    monkeypatch.setattr(frr.Frr, "tell", tell)
    after = BGP.replace("router bgp 1", "router bgp 2")
    assert apply.apply(tree(conf=after), [CONF], NOTHING).problems == []
    ends = "vrf red\nno vni 50001\nexit-vrf\nno router bgp 1 vrf red\nno router bgp 1\n"
    assert told == [ends + after]
    assert programs.changing == [f"{RELOAD} {disk.ROOT / CONF}"]
    assert apply.restore(tree(conf=after), {**NOTHING, "touched": [CONF]}) == []
    assert len(told) == 2  # the way back ends what runs, too


def test_a_bgpd_that_dies_of_it_is_started_anew_with_all_others(programs: Programs) -> None:
    programs.fail("vtysh -f", "line 4: no")
    taken = apply.apply(tree(conf=BGP.replace("bgp 1", "bgp 2")), [CONF], NOTHING)
    assert taken == ([], ["FRR was restarted: line 4: no"])
    assert programs.changing[-2:] == [
        RESTART_FRR,
        f"{RELOAD} {disk.ROOT / CONF}",
    ]
    assert apply.apply(tree(conf=BGP), [CONF], NOTHING).problems == []  # of the same ASN


def test_a_new_bgp_that_frr_refuses_is_a_problem(programs: Programs) -> None:
    programs.fail("vtysh -f", "line 4: no")
    programs.fail(RELOAD)
    refused = apply.apply(tree(conf=BGP.replace("bgp 1", "bgp 2")), [CONF], NOTHING)
    assert refused.problems == ["line 4: no", "frr-reload.py: broken"]
