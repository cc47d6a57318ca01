"""SONiC's side of a commit, on tables in memory that the programs of SONiC change."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.deploy.sonic.standin.patching import applied
from tests.deploy.sonic.standin.vtysh import applied as told

from fabricgen.compile.output.risks import changes_of
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Risk
from fabricgen.nos.shared.onswitch import disk, frr, hidden, state
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.refusal import Refusal, StepError
from fabricgen.nos.sonic.driver.onswitch import apply, container, shown, switch
from fabricgen.nos.sonic.driver.onswitch.acts import ROUTING, TABLES
from fabricgen.nos.sonic.driver.onswitch.container import CONF
from fabricgen.nos.sonic.driver.onswitch.routing import restarts
from fabricgen.nos.sonic.driver.onswitch.switch import SWITCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabricgen.nos.shared.onswitch.store import Tree

LIMITS = {"updater_timeout": 900.0, "routing_timeout": 0.0}
BGP = "docker exec bgp "
RELOAD = f"{BGP}python3 {frr.RELOADER} --reload --stdout --log-level warning"
OURS: dict[str, Any] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "bgp_asn": "65001"}},
    "PORT": {"Ethernet0": {"mtu": "9100"}, "Ethernet8": {"mtu": "9100"}},
    "SNMP_COMMUNITY": {"hush": {"TYPE": "RO"}},
}
OLD = "router bgp 65001\n neighbor 10.0.0.1 password whisper\n"
NEW = "router bgp 65001\n"


class Sonic:
    """A SONiC of tables and frr.conf. answers: programs that end otherwise, by how they begin."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = copy.deepcopy(OURS)
        self.tables["DEVICE_METADATA"]["localhost"]["mac"] = "m"
        self.tables["FEATURE"] = {"bgp": {"state": "enabled"}}
        self.called: list[str] = []
        self.answers: dict[str, Done] = {}
        self.lies = False
        self.runs = ""
        self.tells: Callable[[str, str], str] = told

    def run(self, words: Sequence[str], *_: object, **__: object) -> Done:
        called = " ".join(words)
        self.called.append(called.partition(" /")[0] if words[0] == "config" else called)
        for start, done in self.answers.items():
            if called.startswith(start):
                return done
        if words[0] == "sonic-cfggen":
            return Done(0, json.dumps(self.tables), "")
        if words[0] == "config" and words[1] in ("apply-patch", "replace"):
            given = json.loads(Path(words[-1]).read_text())
            if "--dry-run" not in words and not self.lies:
                patch = words[1] == "apply-patch"
                self.tables = applied(self.tables, given) if patch else given
        if called.endswith("show running-config no-header"):
            return Done(0, self.runs, "")
        if words[3:5] == ("vtysh", "-f"):
            self.runs = self.tells(self.runs, Path(words[-1]).read_text())
        if words[0] == "systemctl" or "--reload" in words:
            self.runs = (disk.ROOT / CONF).read_text() if (disk.ROOT / CONF).exists() else ""
        return Done(0, "", "")

    @property
    def changing(self) -> list[str]:
        """The calls that change something."""
        looks = ("sonic-cfggen", f"{BGP}vtysh", f"{BGP}test", "show")
        return [called for called in self.called if not called.startswith(looks)]


@pytest.fixture(autouse=True)
def sonic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sonic:
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    made = Sonic()
    for module in (frr, apply, container, switch):
        monkeypatch.setattr(module, "run", made.run)
    monkeypatch.setattr(SWITCH, "limits", LIMITS)
    (tmp_path / CONF).parent.mkdir(parents=True)
    (tmp_path / CONF).write_text(OLD)
    made.runs = OLD
    return made


def conf() -> str:
    return (disk.ROOT / CONF).read_text()


def files(routing: str = OLD, **tables: Any) -> dict[str, str]:
    return {TABLES: json.dumps({**OURS, **tables}), ROUTING: routing}


def candidate(routing: str = OLD, **tables: Any) -> Tree:
    return SWITCH.judge(files(routing, **tables), ())


MORE: dict[str, Any] = {"VLAN": {"Vlan7": {"vlanid": "7"}}}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({TABLES: "{}"}, "not the files of a SONiC switch: config_db.json"),
        ({**files(), "etc/x": ""}, "not the files of a SONiC switch: config_db.json, etc/x, frr"),
        (files("password <<secret:env:X>>\n"), "frr.conf has <<secret:env:X>> instead of a value"),
        ({TABLES: "{", ROUTING: ""}, "config_db.json is no JSON: "),
        (
            files(VERSIONS={"a": {}}, FEATURE={"b": {}}),
            "tables that fabricgen does not manage: FEATURE, VERSIONS",
        ),
        (files(VLAN={}, BUFFER_PG={}), "CONFIG_DB has no empty tables: BUFFER_PG, VLAN"),
    ],
)
def test_what_is_no_candidate_is_refused(given: dict[str, str], why: str) -> None:
    with pytest.raises(Refusal, match=why) as refused:
        SWITCH.judge(given, ())
    assert refused.value.kind == "candidate"


def test_the_updater_judges_a_candidate_that_changes_tables(sonic: Sonic) -> None:
    candidate()
    assert sonic.changing == []
    tree = candidate(**MORE)
    assert {path: file.text for path, file in tree.files.items()} == files(**MORE)
    assert sonic.changing == ["config apply-patch --dry-run"]
    sonic.answers["config"] = Done(1, "", "no table for hush")
    with pytest.raises(
        Refusal, match="SONiC refuses the candidate: config apply-patch: no table for <<hidd"
    ):
        candidate(**MORE)


def test_only_what_is_ours_is_shown_and_no_secret(sonic: Sonic) -> None:
    texts = {path: file.text for path, file in SWITCH.config(None).items()}
    assert set(texts) == {TABLES, ROUTING}
    tables = json.loads(texts[TABLES])
    assert tables["PORT"] == OURS["PORT"]
    assert tables["DEVICE_METADATA"] == OURS["DEVICE_METADATA"]
    assert "FEATURE" not in tables
    (community,) = tables["SNMP_COMMUNITY"]
    assert community.startswith("<<hidden:")
    assert texts[ROUTING].startswith("router bgp 65001\n neighbor 10.0.0.1 password <<hidden:")
    with_candidate = SWITCH.config(candidate(NEW, **MORE))
    assert json.loads(with_candidate[TABLES].text) == {**tables, **MORE}
    assert with_candidate[ROUTING].text == NEW
    (disk.ROOT / CONF).unlink()
    assert set(SWITCH.config(None)) == {TABLES}


def test_a_difference_is_by_field_and_by_line() -> None:
    assert SWITCH.compare(candidate()) == ""
    assert SWITCH.compare(candidate(**MORE)) == "VLAN|Vlan7 vlanid (none) -> 7\n"
    lines = SWITCH.compare(candidate(NEW)).splitlines()
    assert lines[:3] == ["--- frr.conf", "+++ frr.conf", "@@ -1,2 +1 @@"]
    assert lines[-1].startswith("- neighbor 10.0.0.1 password <<hidden:")


def test_what_a_commit_touches() -> None:
    assert SWITCH.touched(candidate()) == []
    assert SWITCH.touched(candidate(**MORE)) == [TABLES]
    assert SWITCH.touched(candidate(NEW)) == [ROUTING]
    assert SWITCH.touched(candidate(NEW, **MORE)) == [TABLES, ROUTING]


def commit(routing: str = OLD, **tables: Any) -> tuple[Tree, dict[str, Any]]:
    """Apply a candidate; return the checkpoint of before and its facts."""
    tree = candidate(routing, **tables)
    touched = SWITCH.touched(tree)
    kept, facts = SWITCH.checkpoint(tree, touched)
    assert SWITCH.apply(tree, touched, facts) == ([], [])
    return kept, facts


def test_tables_and_routing_come_to_run(sonic: Sonic) -> None:
    commit(NEW, **MORE)
    assert sonic.changing[1:] == [
        "config apply-patch",
        f"{RELOAD} {disk.ROOT / CONF}",
    ]
    assert (sonic.tables["VLAN"], conf(), sonic.runs) == (MORE["VLAN"], NEW, NEW)
    assert sonic.tables["FEATURE"] == {"bgp": {"state": "enabled"}}
    assert state.commit()["routed"]


def test_a_watchdog_that_moves_takes_two_patches(sonic: Sonic) -> None:
    timers = {"detection_time": "200"}
    sonic.tables["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": timers}
    moved = {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet8": timers}
    commit(PFC_WD=moved)
    judged, done = ["config apply-patch --dry-run"] * 2, ["config apply-patch"] * 2
    assert sonic.changing == [*judged, *done]
    assert sonic.tables["PFC_WD"] == moved


def test_what_is_not_touched_is_left_alone(sonic: Sonic) -> None:
    commit(**MORE)
    assert not any(call.startswith((RELOAD, "systemctl")) for call in sonic.called)
    assert "routed" not in state.commit()
    sonic.called.clear()
    commit(NEW, **MORE)
    assert sonic.changing == [f"{RELOAD} {disk.ROOT / CONF}"]


def test_without_the_reload_tool_the_container_is_restarted(sonic: Sonic) -> None:
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    commit(NEW)
    assert sonic.changing == ["systemctl reset-failed bgp", "systemctl restart bgp"]


RESTART = ["systemctl reset-failed bgp", "systemctl restart bgp"]


def test_another_asn_restarts_the_container_even_where_frr_can_reload(sonic: Sonic) -> None:
    """The tool cannot end a BGP that VRFs depend on; risk says a restart in any case."""
    other = OLD.replace("router bgp 65001", "router bgp 65002")
    sonic.runs = other
    commit(other)
    assert sonic.changing == RESTART
    changes = changes_of("sonic", files(OLD), files(other))
    assert any("container bgp, which restarts" in each.rule.why for each in changes)


def meta(framework: str) -> dict[str, Any]:
    local = {**OURS["DEVICE_METADATA"]["localhost"], "frr_mgmt_framework_config": framework}
    return {"DEVICE_METADATA": {"localhost": local}}


def test_other_programs_run_only_after_the_container_has_started_again(sonic: Sonic) -> None:
    kept, facts = commit(**meta("true"))
    assert sonic.changing[1:] == ["config apply-patch", *RESTART]
    sonic.called.clear()
    SWITCH.restore(kept, facts)
    assert sonic.changing == ["config replace", *RESTART]


def test_bfd_that_nobody_runs_is_noticed(sonic: Sonic) -> None:
    tree = candidate(NEW + "bfd\n profile UNDERLAY\n", **meta("true"))
    sonic.answers[f"{BGP}vtysh -c"] = Done(0, NEW, "")
    with pytest.raises(StepError, match=r"FRR runs \['router bgp 65001'\], not \['bfd', 'router"):
        SWITCH.apply(tree, [TABLES, ROUTING], {})


GOLDEN = Path(__file__).parents[3] / "golden/full/files/backend/be-su01-leaf1/frr.conf"
FULL = GOLDEN.read_text()


def _without(number: int) -> str:
    lines = FULL.splitlines(keepends=True)
    return "".join(lines[:number] + lines[number + 1 :])


@pytest.mark.parametrize(
    "after",
    [
        *(pytest.param(_without(number), id=f"line {number}") for number in range(0, 120, 7)),
        pytest.param("! a remark\n" + FULL, id="a remark"),
        pytest.param(FULL.replace("exit\n", ""), id="no ends"),
        pytest.param(FULL + "ip prefix-list MORE seq 5 permit 10.0.0.0/8\n", id="a line more"),
    ],
)
def test_no_class_of_risk_is_kinder_than_what_the_driver_does(sonic: Sonic, after: str) -> None:
    """Risk names the restart when there is one, and only then."""
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    (disk.ROOT / CONF).write_text(FULL)
    sonic.runs = FULL
    sonic.tells = lambda *_: after
    changes = changes_of("sonic", files(FULL), files(after))
    commit(after)
    restarted = RESTART[1] in sonic.called
    assert restarted == any("container bgp, which restarts" in each.rule.why for each in changes)
    assert worst(changes) >= Risk.SESSION_RESET or not restarted


def test_both_ways_are_in_the_cases_above() -> None:
    kinds = {bool(restarts(FULL, _without(number))) for number in range(0, 120, 7)}
    assert kinds == {True, False}


LIST = "ip prefix-list MORE seq 5 permit 10.0.0.0/8\n"
TELL = f"{BGP}vtysh -f"


def test_a_running_frr_is_told_and_not_started_again(sonic: Sonic) -> None:
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    kept, facts = commit(OLD + LIST)
    assert (conf(), sonic.runs) == (OLD + LIST, OLD + LIST)
    assert SWITCH.restore(kept, facts) == []
    assert (conf(), sonic.runs) == (OLD, OLD)
    assert sonic.changing == ["config replace"]


def test_what_frr_does_not_run_then_is_an_error(sonic: Sonic) -> None:
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    tree = candidate(OLD + LIST)
    sonic.answers[TELL] = Done(0, "", "")
    with pytest.raises(StepError, match=r"FRR does not run frr\.conf: \+ ip prefix-list MORE"):
        SWITCH.apply(tree, [ROUTING], {})
    (disk.ROOT / CONF).write_text(OLD)
    sonic.answers[TELL] = Done(2, "", "line 1: neighbor 10.0.0.1 password whisper")
    with pytest.raises(StepError, match=r"; line 1: neighbor 10\.0\.0\.1 password <<hidden:"):
        SWITCH.apply(tree, [ROUTING], {})
    assert RESTART[1] not in sonic.called


def test_a_way_back_that_commands_do_not_lead_is_a_restart_and_is_said(sonic: Sonic) -> None:
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    kept, facts = commit(OLD + LIST)
    sonic.answers[TELL] = Done(0, "", "")
    assert SWITCH.restore(kept, facts) == []
    assert (conf(), sonic.runs) == (OLD, OLD)
    assert sonic.changing[-2:] == RESTART
    (said,) = state.commit()["problems"]
    assert said.startswith(
        "the container bgp was restarted for the undo: FRR does not run frr.conf"
    )


def test_a_way_back_after_a_restart_is_a_restart(sonic: Sonic) -> None:
    """The file may have its place already, and the container not be started since."""
    sonic.answers[f"{BGP}test -e {frr.RELOADER}"] = Done(1, "", "")
    kept, facts = commit(NEW)
    (disk.ROOT / CONF).write_text(OLD)
    SWITCH.restore(kept, facts)
    assert (conf(), sonic.runs) == (OLD, OLD)


@pytest.mark.parametrize("framework", ["true", "false"])
def test_starting_other_programs_is_no_hitless_change(sonic: Sonic, framework: str) -> None:
    judged = worst(changes_of("sonic", files(), files(**meta(framework))))
    commit(**meta(framework))
    assert RESTART[1] in sonic.called
    assert judged == Risk.SESSION_RESET


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("config apply-patch /", "config apply-patch: broken by <<hidden:"),
        (f"{BGP}vtysh -C", "FRR refuses frr.conf: line 1: broken"),
        (RELOAD, "frr-reload.py: line 1: broken"),
    ],
)
def test_a_step_that_fails_is_named_without_a_secret(sonic: Sonic, start: str, why: str) -> None:
    tree = candidate(NEW, **MORE)
    said = "broken by hush" if start.startswith("config") else "line 1: broken"
    sonic.answers[start] = Done(1, "", said)
    with pytest.raises(StepError) as failed:
        SWITCH.apply(tree, [TABLES, ROUTING], {})
    assert str(failed.value).startswith(why)
    assert "hush" not in str(failed.value)


def test_a_tool_that_says_it_succeeded_is_not_believed(sonic: Sonic) -> None:
    tree = candidate(PORT={"Ethernet0": {"mtu": "9000"}}, **MORE)
    sonic.lies = True
    with pytest.raises(StepError, match=r"applied, but PORT, VLAN differ"):
        SWITCH.apply(tree, [TABLES], {})


def test_a_frr_conf_that_changes_meanwhile_is_noticed(sonic: Sonic) -> None:
    tree = candidate(NEW)
    with pytest.raises(StepError, match=r"another program changed frr\.conf"):
        SWITCH.apply(tree, [], {})


def test_every_bgp_instance_has_to_run(sonic: Sonic) -> None:
    tree = candidate(NEW + "router bgp 65001 vrf red\n")
    sonic.answers[RELOAD] = Done(0, "", "")
    why = r"frr.conf is not active: FRR runs \['router bgp 65001'\], not \['router bgp 65001', 'ro"
    with pytest.raises(StepError, match=why):
        SWITCH.apply(tree, [ROUTING], {})
    sonic.answers[f"{BGP}vtysh -c"] = Done(1, "", "no container")
    with pytest.raises(
        StepError, match="is not active: vtysh cannot show the running configuration: no container"
    ):
        SWITCH.apply(tree, [ROUTING], {})


def test_what_ran_before_comes_back_to_the_byte(sonic: Sonic) -> None:
    before = copy.deepcopy(sonic.tables)
    kept, facts = commit(NEW, **MORE)
    sonic.called.clear()
    assert SWITCH.restore(kept, facts) == []
    assert (sonic.tables, conf(), sonic.runs) == (before, OLD, OLD)
    assert sonic.changing == ["config replace", f"{RELOAD} {disk.ROOT / CONF}"]


def test_routing_is_put_back_only_when_the_commit_came_to_it(sonic: Sonic) -> None:
    kept, facts = commit(**MORE)
    sonic.called.clear()
    assert SWITCH.restore(kept, facts) == []
    assert sonic.changing == ["config replace"]


def test_where_there_was_no_frr_conf_there_is_none_again(sonic: Sonic) -> None:
    (disk.ROOT / CONF).unlink()
    kept, facts = commit(NEW)
    assert set(kept.files) == {TABLES}
    assert SWITCH.restore(kept, facts) == []
    assert not (disk.ROOT / CONF).exists()


def test_what_was_saved_is_saved_again(sonic: Sonic) -> None:
    kept, facts = commit(**MORE)
    assert SWITCH.keep() == []
    assert state.commit()["saved"]
    assert sonic.called[-1] == "config save -y"
    sonic.called.clear()
    SWITCH.restore(kept, facts)
    assert sonic.changing == ["config replace", "config save -y"]


def test_a_checkpoint_is_a_candidate_of_what_is_ours(sonic: Sonic) -> None:
    kept, facts = SWITCH.checkpoint(candidate(), [])
    again = SWITCH.again(kept, facts)
    assert json.loads(again.files[TABLES].data) == OURS
    assert again.files[ROUTING].text == OLD
    assert SWITCH.touched(again) == []


VERSION = """
SONiC Software Version: SONiC.202505.1
Serial Number: HBG1
HwSKU: Arista-7060X6-64PE
"""


def test_facts_are_those_that_the_switch_says_or_its_tables(sonic: Sonic) -> None:
    (disk.ROOT / "proc").mkdir()
    (disk.ROOT / "proc/uptime").write_text("5 1\n")
    assert SWITCH.facts()["model"] == ""
    sonic.tables["DEVICE_METADATA"]["localhost"]["hwsku"] = "of the tables"
    facts = SWITCH.facts()
    assert (facts["model"], facts["os_version"], facts["serial_number"]) == (
        "of the tables",
        "",
        "",
    )
    sonic.answers["show version"] = Done(0, VERSION, "")
    facts = SWITCH.facts()
    assert (facts["model"], facts["os_version"], facts["serial_number"]) == (
        "Arista-7060X6-64PE",
        "SONiC.202505.1",
        "HBG1",
    )
    assert (facts["hostname"], facts["fqdn"], facts["vendor"]) == ("leaf1", "leaf1", "SONiC")
    assert (facts["interface_list"], facts["uptime"]) == (["Ethernet0", "Ethernet8"], 5.0)


def test_secrets_are_known_wherever_they_stand() -> None:
    tables: dict[str, Any] = {
        "SNMP_COMMUNITY": {"one": {}},
        "A": {"b": {"passwd": "two", "PassKey": "three", "secret": "", "plain": "open"}},
    }
    known = shown.secrets(tables, " neighbor 1.1.1.1 password four\n")
    assert sorted(known) == ["four", "one", "three", "two"]
    assert [len(secret) for secret in known] == sorted(map(len, known), reverse=True)
    assert shown.masked("one two open", known) == f"{known['one']} {known['two']} open"
    assert shown.shown(tables) == {
        "SNMP_COMMUNITY": {known["one"]: {}},
        "A": {
            "b": {
                "passwd": known["two"],
                "PassKey": known["three"],
                "secret": hidden.token(""),
                "plain": "open",
            }
        },
    }
