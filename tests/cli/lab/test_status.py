"""`fabricgen lab status`, `traffic`, `up` and `down`, with a lab that only answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.calling import TENANTS, call
from tests.unit.proof.state.lab import RAIL, RAIL_ONLY, text

from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.given import note
from fabricgen.operate.lab.machine.machine import Choice
from fabricgen.operate.lab.tools import Tools
from fabricgen.operate.lab.traffic import registry
from fabricgen.operate.lab.traffic.proof import judged, not_asked
from fabricgen.prove.catalogue import rules
from fabricgen.prove.catalogue.model import Deviation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.unit.lab.stand_in import StandIn


def result(stdout: str, status: int = 0) -> dict[str, Any]:
    return {"status": status, "stdout": stdout, "stderr": ""}


class Switch:
    """The one switch of the lab: what its tools print."""

    def __init__(self) -> None:
        self.shows, self.reload = text(RAIL), ""

    def __call__(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["command"] == ["sh", "-s"]:
            return result(self.shows)
        return result("iface lo\n" if asked["command"][0] == "ifquery" else self.reload)


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def oslo(lab: Callable[[str], StandIn], switch: Switch) -> StandIn:
    """Have a leaf run that shows what it did once; nothing of the rest of its site is there."""
    stand_in = lab("oslo")
    stand_in.up(limit=[RAIL])
    stand_in.place.intent.mkdir()
    (stand_in.place.intent / "site.yaml").write_text(RAIL_ONLY)
    stand_in.answers = {"broken": {}, "exec": switch}
    return stand_in


@pytest.mark.usefixtures("oslo")
def test_a_lab_as_designed_is_0() -> None:
    ran = call("lab", "status")
    assert ran.code == 0, ran.out
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[0] == "lab oslo, uml"
    assert lines[1].split() == ["switch", "BGP", "BFD", "LLDP", "VNIs", "routes"]
    assert lines[2].startswith(f"{RAIL} ")
    assert lines[2].endswith("as designed")
    assert len(lines) == 3


def test_what_contradicts_the_model_is_1(switch: Switch, oslo: StandIn) -> None:
    del oslo
    switch.shows = switch.shows.replace("9214", "1500", 1)
    ran = call("lab", "status")
    sentence = f"{RAIL}: swp1 (port to gpu0001) has MTU 1500, but the model has 9214"
    assert (ran.code, ran.out.splitlines()[-1]) == (1, f"wrong: {sentence}")


def test_what_a_lab_answers_does_nothing_to_the_terminal(oslo: StandIn) -> None:
    oslo.answers["broken"] = {RAIL: ["\x1b]0;owned"]}
    ran = call("lab", "status")
    assert "(\\u001b]0;owned)" in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_after_a_push_it_is_compared_with_what_was_pushed(
    switch: Switch, oslo: StandIn, tmp_path: Path
) -> None:
    """Another MTU, which the switch runs: as designed, and the line above says by which intent."""
    (tmp_path / "site.yaml").write_text(RAIL_ONLY + "  underlay: {mtu: 9100}\n")
    switch.shows = switch.shows.replace("9214", "9100")
    assert call("lab", "status").code == 1
    note(oslo.place, "32ec", tmp_path, [RAIL], None)
    ran = call("lab", "status")
    assert ran.code == 0, ran.out
    assert ran.out.splitlines()[1] == "1 of 1 switches compared with the pushed intent"


def test_what_is_not_there_yet_is_2(switch: Switch, oslo: StandIn) -> None:
    del oslo
    switch.shows = ""
    ran = call("lab", "status")
    assert ran.code == 2, ran.out
    assert "not yet" in ran.out


def test_what_was_broken_on_purpose_is_named(oslo: StandIn) -> None:
    oslo.answers["broken"] = {RAIL: ["down", "silent"]}
    ran = call("lab", "status")
    assert f"failed on purpose: {RAIL} (down, silent)\n" in ran.out
    assert "failed on purpose" in ran.out


def test_json_has_differences_and_what_is_broken(oslo: StandIn, switch: Switch) -> None:
    oslo.answers["broken"] = {"x": ["down"]}
    data = json.loads(call("lab", "status", "--format", "json").out)
    assert data == {
        "format_version": 1,
        "lab": "oslo",
        "broken": {"x": ["down"]},
        "differences": [],
        "findings": [],
    }
    switch.shows = ""
    assert json.loads(call("lab", "status", "--format", "json").out)["differences"]


def test_a_rule_of_the_catalogue_fails_as_in_verify(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A storm is no difference of a fact."""
    del oslo
    storm = Deviation(sentence="queue 3 of swp1 is in a storm", key=("interface", "swp1"))
    monkeypatch.setitem(rules.RULES, "laws", lambda _: iter((storm,)))
    ran = call("lab", "status")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, f"error: {RAIL}: {storm.sentence}")
    data = json.loads(call("lab", "status", "--format", "json").out)
    assert [each["sentence"] for each in data["findings"]] == [f"{RAIL}: {storm.sentence}"]


def test_deep_asks_what_a_reload_would_change(switch: Switch, oslo: StandIn) -> None:
    del oslo
    clean = call("lab", "status", "--deep")
    assert clean.code == 0
    assert clean.out.endswith("a reload changes nothing on 1 of 1 switches\n")
    switch.reload = "Lines To Add\n===\nrouter bgp 1\nrouter ospf\n"
    ran = call("lab", "status", "--deep")
    assert ran.code == 1
    assert ran.out.endswith(
        "a reload changes nothing on 0 of 1 switches\n"
        f"{RAIL}: a reload of frr.conf would add: router bgp 1\n"
        f"{RAIL}: a reload of frr.conf would add: router ospf\n"
    )
    data = json.loads(call("lab", "status", "--deep", "--format", "json").out)
    assert len(data["reload"][RAIL]) == 2


HOLDS = judged("gateways", "all [4] answer", ())
FAILS = judged("jumbo", "some are lost", [f"pair {number} is lost" for number in range(9)])
SKIPPED = not_asked("ecmp", "one spine only")


def proving(monkeypatch: pytest.MonkeyPatch, *found: Any) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def proofs(_client: Any, site: Any, plan: Any, *, failures: bool, tell: Any) -> Any:
        asked.append({"site": site.name, "plan": plan.name, "failures": failures})
        for proof in found if tell else ():
            tell(proof)
        return list(found)

    monkeypatch.setattr(registry, "proofs", proofs)
    return asked


@pytest.mark.usefixtures("oslo")
def test_each_proof_is_a_line_with_its_first_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = proving(monkeypatch, HOLDS, FAILS, SKIPPED)
    ran = call("lab", "traffic")
    assert (ran.code, asked) == (1, [{"site": "lab", "plan": "oslo", "failures": False}])
    assert ran.out.splitlines() == [
        "holds      gateways: all [4] answer",
        "fails      jumbo: some are lost",
        *(f"           pair {number} is lost" for number in range(8)),
        "           and 1 more",
        "not asked  ecmp: one spine only",
    ]


@pytest.mark.usefixtures("oslo")
def test_proofs_that_hold_or_are_not_asked_are_0(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = proving(monkeypatch, HOLDS, SKIPPED)
    ran = call("lab", "traffic", "--failures", "--format", "json")
    assert (ran.code, asked[0]["failures"]) == (0, True)
    assert json.loads(ran.out) == {
        "format_version": 1,
        "lab": "oslo",
        "proofs": [HOLDS.as_data(), SKIPPED.as_data()],
    }


@pytest.mark.usefixtures("oslo")
def test_a_site_stands_for_the_lab_that_is_named_after_it(
    lab: Callable[[str], StandIn], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proving(monkeypatch, HOLDS)
    lab("bern").up()
    assert call("lab", "traffic", str(tmp_path / "oslo")).code == 0
    assert call("lab", "traffic", "--lab", "oslo").code == 0
    ran = call("lab", "traffic", str(tmp_path / "rome"))
    assert ran.code == 1
    assert ran.err.startswith("error: lab 'rome' is not running")


def test_a_lab_is_ended_with_all_it_left(oslo: StandIn) -> None:
    ran = call("lab", "down", "--lab", "oslo")
    assert (ran.code, ran.out) == (0, "lab oslo is down\n")
    assert oslo.asked[-1] == {"op": "down"}
    assert not oslo.place.folder.exists()


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch, oslo: StandIn) -> list[Any]:
    """Have a boot end at once, with the lab that answers."""
    made: list[Any] = []

    def boot(wish: Any, files: Any, introduce: Any, tell: Any) -> LabClient:
        made.append((wish, [file.path for file in files]))
        introduce(Choice("uml", "you are not root"))
        for step in ("starting", "routing", "started"):
            tell({"event": "switch", "name": RAIL, "step": step})
        tell({"event": "log", "step": "started"})
        for what in ("zones", "sets"):
            tell({"event": "skipped", "reason": f"{what}: no nftables", "names": [RAIL]})
        return LabClient(oslo.place.socket)

    monkeypatch.setattr("fabricgen.operate.lab.up.boot", boot)
    monkeypatch.setenv("NO_COLOR", "1")
    return made


def test_a_site_boots_and_is_compared_with_its_model(
    wishes: list[Any], tmp_path: Path, switch: Switch
) -> None:
    site = tmp_path / "berlin"
    site.mkdir()
    (site / "site.yaml").write_text(RAIL_ONLY)
    ran = call("lab", "up", str(site), "--limit", RAIL, "--machine", "uml", "--health-timeout", "0")
    assert ran.code == 0, ran.out + ran.err
    ((wish, files),) = wishes
    assert (wish.plan.name, wish.intent, wish.limit, wish.way) == ("berlin", site, (RAIL,), "uml")
    assert wish.plan.names == {RAIL}
    assert any(path.startswith(f"backend/{RAIL}/") for path in files)
    hosts, cables = len(wish.plan.hosts), len(wish.plan.cables)
    assert f"lab berlin: 1 switches, {hosts} hosts, {cables} cables; uml: you are not r" in ran.err
    assert f"started {RAIL} (1 of 1)\n" in ran.err
    assert ran.err.count("started") == 1
    assert "left out on 1 switch: zones, sets: no nftables\n" in ran.err
    assert "lifted" not in ran.err
    assert f"log in    fabricgen lab ssh {RAIL}\n" in ran.err
    assert "as designed" in ran.out
    switch.shows = ""
    named = call("lab", "up", str(site), "--limit", RAIL, "--name", "x", "--health-timeout", "0")
    assert named.code == 1
    assert wishes[-1][0].plan.name == "x"
    assert f"{RAIL}: " in named.out


def test_the_design_of_another_os_is_lifted_and_what_is_left_out_is_said(
    wishes: list[Any],
) -> None:
    ran = call("lab", "up", TENANTS)
    assert ran.code == 1
    assert "error: a lab cannot boot " in ran.err
    assert ", only linux; use --as linux to boot their design\n" in ran.err
    assert not wishes
    ran = call("lab", "up", TENANTS, "--as", "linux", "--limit", "nobody", "--limit", "x")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        1,
        "error: --limit nobody x matches no switch or fabric",
    )


@pytest.mark.usefixtures("wishes")
def test_a_lifted_lab_says_what_it_proves(wishes: list[Any]) -> None:
    name = "fe-leaf01"
    ran = call("lab", "up", TENANTS, "--as", "linux", "--limit", name, "--health-timeout", "0")
    assert wishes[-1][0].plan.lifted == "linux"
    assert "booted as linux: this tests the design (addresses, routing, tenants, rai" in ran.err
    for skipped in wishes[-1][0].plan.skipped:
        assert f"not in a lab: {skipped.what}: {skipped.why}\n" in ran.err


def test_tools_are_unpacked_where_they_are_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[bool, bool]] = []
    missing = ["frr", "lldpd"]
    monkeypatch.setattr(Tools, "here", classmethod(lambda cls: cls(tmp_path)))
    monkeypatch.setattr(
        "fabricgen.operate.lab.machine.machine.choose", lambda: Choice("direct", "you are root")
    )

    def missing_packages(_: Tools, *, uml: bool, fresh: bool) -> list[str]:
        asked.append((uml, fresh))
        return missing

    monkeypatch.setattr("fabricgen.operate.lab.tools.missing_packages", missing_packages)
    monkeypatch.setattr(
        "fabricgen.operate.lab.tools.unpack", lambda _, names: [*names, "dependency"]
    )
    ran = call("lab", "install-tools")
    assert (ran.code, asked) == (0, [(False, True)])
    assert ran.err == f"unpacking frr, lldpd into {tmp_path}\n"
    assert ran.out == "3 packages unpacked, none installed\n"
    missing.clear()
    assert call("lab", "install-tools").out == "all required programs are available\n"


@pytest.mark.parametrize(
    ("switch", "reason"),
    [
        ("be-su01-leaf9", "error: --fresh: no switch of this lab is named be-su01-leaf9\n"),
        (
            "fe-leaf01",
            "error: fe-leaf01: MAC address missing, DHCP needs it; add `switches: {fe-leaf01: ",
        ),
    ],
)
def test_a_switch_that_dhcp_cannot_know_does_not_boot_fresh(switch: str, reason: str) -> None:
    ran = call("lab", "up", "intent/four-fabrics", "--fresh", switch)
    assert ran.code == 1
    assert reason in ran.err
