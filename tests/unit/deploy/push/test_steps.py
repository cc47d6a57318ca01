"""What each step asks of a switch, and which answer stops it."""

from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from napalm.base.exceptions import CommandErrorException, CommandTimeoutException

from fabricgen.compile.output.manifest import sha256
from fabricgen.nos.driver import Busy, OnlyByReload, Unfinished
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, End, Traffic
from fabricgen.nos.traffic import Kind as EndKind
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.journal.records import Kind, Phase
from fabricgen.operate.deploy.plan.document import IN_PLACE, RELOAD
from fabricgen.operate.deploy.push.change import PlanChange, RestoreChange
from fabricgen.operate.deploy.push.renamed_state import Present
from fabricgen.operate.deploy.push.steps import Ready, Steps, Unchanged
from fabricgen.operate.deploy.targets import Target

PLAN = "0123456789ab"
LEAF = Target(name="leaf1", fabric="frontend", platform="linux", address="10.0.0.1")


class Switch:
    """A driver that notes what it is asked. diffs: what comparing gives, in turn."""

    def __init__(
        self, *diffs: str, pending: str | None = None, name: str = "leaf1", running: str = "old"
    ) -> None:
        self.diffs, self.name, self.running = list(diffs), name, running
        self.pending, self.asked, self.breaks = pending, list[str](), False
        self.cables = frozenset[str]()
        self.remarks = ("left out",)

    def __getattr__(self, verb: str) -> Any:
        def ask(*words: object, **named: object) -> None:
            said = [str(word) for word in words] + [f"{key}={it}" for key, it in named.items()]
            self.asked.append(" ".join([verb, *said]))

        return ask

    def unfinished(self) -> Unfinished | None:
        return None if self.pending is None else Unfinished(self.pending, 9.0)

    def get_facts(self) -> dict[str, str]:
        return {"hostname": self.name}

    def get_config(self) -> dict[str, str]:
        return {"running": self.running}

    def compare_config(self) -> str:
        self.asked.append("compare_config")
        return self.diffs.pop(0) if self.diffs else ""

    def reach(self, ends: Collection[End], seen: Traffic) -> dict[End, bool]:
        self.asked.append("reach")
        assert seen == Traffic()
        return dict.fromkeys(ends, True)

    def health(self) -> Health:
        self.asked.append("health")
        if self.breaks:
            raise OSError("gone")
        return Health(cables=self.cables)


class Wanted:
    """A change of what runs `old`, to whatever the switch compares."""

    id, kind, since = PLAN, Kind.PUSH, "the plan; make it anew"
    present = around = None
    reviews = True
    expects: str | None = sha256("old")

    def expected(self, name: str) -> str | None:
        assert name == "leaf1"
        return self.expects

    def load(self, driver: Any, name: str) -> None:
        driver.load(name)

    def path(self, name: str) -> str:
        assert name == "leaf1"
        return RELOAD

    def reviewed(self, name: str, diff: str) -> bool:
        assert (name, diff) == ("leaf1", "+x")
        return self.reviews


def steps(change: Any = None) -> Steps:
    return Steps(
        change=cast("Any", change or Wanted()),
        ours=frozenset({PLAN, "ours"}),
        timer=60,
        target=lambda _: LEAF,
    )


def prepared(switch: Switch, change: Any = None) -> Ready | Unchanged:
    return steps(change).prepare(cast("Any", switch), "leaf1")


def test_a_switch_is_claimed_loaded_and_looked_at() -> None:
    switch = Switch("+x")
    assert prepared(switch) == Ready(sha256("old"), Health())
    assert [word.partition("(")[0] for word in switch.asked] == [
        f"claim {PLAN} {frozenset({PLAN, 'ours'})}".partition("(")[0],
        "load leaf1",
        "compare_config",
        "health",
        "reach",
    ]


def test_a_switch_that_needs_nothing_is_given_up_again() -> None:
    switch = Switch("", running="whatever")
    assert prepared(switch) == Unchanged(sha256("whatever"))
    assert switch.asked[-2:] == ["compare_config", "discard_config"]


def stopped(switch: Switch, change: Any = None) -> Stopped:
    with pytest.raises(Stopped) as it:
        prepared(switch, change)
    return it.value


def test_a_switch_that_was_changed_since_is_stale() -> None:
    switch = Switch("+x", running="by hand")
    it = stopped(switch)
    assert (it.fault, str(it)) == (
        Fault.STALE,
        "running configuration changed since the plan; make it anew",
    )
    assert switch.asked[-1] == "discard_config"


def look_again(switch: Switch, change: Any = None) -> str:
    """Return what a second look before the push says; empty where it may begin."""
    try:
        steps(change).unchanged(cast("Any", switch), "leaf1")
    except Stopped as it:
        return f"{it.fault}: {it}"
    return ""


def test_a_second_look_asks_a_switch_that_runs_what_it_ran_for_nothing_more() -> None:
    switch = Switch("+x")
    assert look_again(switch) == ""
    assert switch.asked == []


def test_a_second_look_finds_what_was_changed_and_takes_nothing_away() -> None:
    switch = Switch("+x", running="by hand")
    assert look_again(switch) == "stale: running configuration changed since the plan; make it anew"
    assert [word.partition(" ")[0] for word in switch.asked] == [
        "claim",
        "load",
        "compare_config",
        "discard_config",
    ]


def test_a_second_look_lets_pass_what_is_done_or_waits() -> None:
    assert look_again(Switch("", running="what was planned")) == ""
    assert look_again(Switch("+x", running="half", pending="elsewhere")) == ""
    other = look_again(Switch("+x", name="leaf2"))
    assert other == "stale: wrong switch: expected leaf1, its host name is 'leaf2'"


def test_where_anything_goes_what_ran_does_not_matter() -> None:
    change = Wanted()
    change.expects = None
    assert prepared(Switch("+x", running="by hand"), change) == Ready(sha256("by hand"), Health())


def test_another_difference_than_the_reviewed_one_is_stale() -> None:
    change = Wanted()
    change.reviews = False
    it = stopped(Switch("+x"), change)
    assert it.fault is Fault.STALE
    assert "not the reviewed one" in str(it)


def test_another_switch_is_stale_and_not_claimed() -> None:
    switch = Switch("+x", name="leaf2.example.net")
    assert "its host name is 'leaf2.example.net'" in str(stopped(switch))
    assert switch.asked == []
    assert isinstance(prepared(Switch("+x", name="leaf1.example.net")), Ready)


def test_a_switch_that_breaks_while_prepared_is_given_up() -> None:
    switch = Switch("+x")
    switch.breaks = True
    with pytest.raises(OSError, match="gone"):
        prepared(switch)
    assert switch.asked[-1] == "discard_config"


def test_what_an_earlier_push_of_ours_left_is_undone_first() -> None:
    switch = Switch("+x", pending="ours")
    prepared(switch)
    assert switch.asked[:2] == ["claim ours", "rollback"]


def test_what_another_left_keeps_us_out() -> None:
    class Taken(Switch):
        def claim(self, *_: object) -> None:
            raise Busy("a commit of theirs waits")

    switch = Taken("+x", pending="theirs")
    with pytest.raises(Busy, match="a commit of theirs waits"):
        prepared(switch)
    assert switch.asked == []


def test_a_commit_is_against_the_clock_and_looked_at() -> None:
    switch = Switch("")
    assert steps().commit(cast("Any", switch), "leaf1") == ("by a reload", ("left out",))
    assert switch.asked == ["commit_config revert_in=60", "compare_config"]


def test_a_commit_that_did_not_arrive_is_undone() -> None:
    switch = Switch("+x\n-y")
    with pytest.raises(
        Stopped, match="the switch reported a commit, but 2 lines differ; rolled back"
    ) as it:
        steps().commit(cast("Any", switch), "leaf1")
    assert it.value.fault is Fault.FAILED
    assert switch.asked[-1] == "rollback"


def test_release_look_and_confirm() -> None:
    switch = Switch()
    steps().release(cast("Any", switch), "leaf1")
    assert steps().look({"leaf1": Health()})(cast("Any", switch), "leaf1") == Health()
    assert steps().confirm(cast("Any", switch), "leaf1") == sha256("old")
    assert switch.asked == ["discard_config", "health", "reach", "confirm_commit"]


OLD, NEW = (End(EndKind.VTEP, "", far) for far in ("10.65.0.2", "10.65.0.3"))


class Asking(Switch):
    """One that hears nobody but who answered before."""

    why: type[Exception] = CommandErrorException

    def health(self) -> Health:
        far = frozenset({OLD.far, NEW.far})
        return Health(traffic=Traffic(vtep="10.65.0.1", vlans={10: Bridged(vni=1, far=far)}))

    def reach(self, ends: Collection[End], seen: Traffic) -> dict[End, bool]:
        assert seen.vtep
        if self.breaks:
            raise self.why("no python3")
        return {end: end == OLD for end in ends}


def test_before_a_change_all_are_asked_and_afterwards_those_that_answered() -> None:
    ready = steps().prepare(cast("Any", Asking("+x")), "leaf1")
    assert isinstance(ready, Ready)
    assert ready.health.traffic.reached == {OLD: True, NEW: False}
    later = steps().look({"leaf1": ready.health})(cast("Any", Asking()), "leaf1")
    assert later.traffic.reached == {OLD: True}


@pytest.mark.parametrize("why", [CommandErrorException, CommandTimeoutException])
def test_a_switch_that_cannot_ask_says_so_and_one_that_shall_not_asks_nobody(
    why: type[Exception],
) -> None:
    switch = Asking()
    switch.breaks, switch.why = True, why
    assert steps().neighbor(cast("Any", switch), "leaf1").unread == ("pings: no python3",)
    still = replace(steps(), probe=False).neighbor(cast("Any", switch), "leaf1")
    assert (still.unread, still.traffic.reached) == ((), {})


@pytest.mark.parametrize(
    ("pending", "asked"),
    [(PLAN, [f"claim {PLAN}", "rollback"]), ("another", []), (None, [])],
)
def test_only_our_own_commit_is_undone(pending: str | None, asked: list[str]) -> None:
    switch = Switch(pending=pending)
    assert steps().undo(cast("Any", switch), "leaf1") is Phase.ROLLED_BACK
    assert switch.asked == asked


def test_only_who_runs_what_ran_before_has_undone_it_by_itself() -> None:
    with pytest.raises(Stopped, match="the previous configuration is not restored") as it:
        steps().undo(cast("Any", Switch(running="something")), "leaf1")
    assert it.value.fault is Fault.UNKNOWN


def settled(switch: Switch) -> tuple[Phase, str]:
    return steps().settle(cast("Any", switch), "leaf1")


def test_after_a_lost_confirmation_it_is_confirmed_again_or_found_done() -> None:
    waits, done = Switch("", pending=PLAN, running="new"), Switch("", running="new")
    assert settled(waits) == settled(done) == (Phase.CONFIRMED, sha256("new"))
    assert waits.asked == [
        *(f"claim {PLAN}", "confirm_commit", "load leaf1", "compare_config", "discard_config")
    ]
    assert "confirm_commit" not in done.asked


def test_after_a_lost_confirmation_its_timer_may_have_undone_it() -> None:
    assert settled(Switch("+x")) == (Phase.ROLLED_BACK, sha256("old"))
    with pytest.raises(Stopped, match="is not the old or the new one") as it:
        settled(Switch("+x", running="something"))
    assert it.value.fault is Fault.UNKNOWN


def to_plan(**entry: object) -> PlanChange:
    known = {"running": "r", "rendered": "s", "change": sha256("+hidden"), "path": IN_PLACE}
    said = SimpleNamespace(**known | entry)
    plan = SimpleNamespace(id=PLAN, entry=lambda name: {"leaf1": said}[name])
    rendered = SimpleNamespace(sha256="s", text="key <<secret>>")
    return PlanChange(
        id=PLAN,
        plan=cast("Any", plan),
        texts=cast("Any", SimpleNamespace(of=lambda name: {"leaf1": rendered}[name])),
        reveal=lambda text: text.replace("<<secret>>", "S3CRET"),
        hide=lambda text: text.replace("S3CRET", "hidden"),
    )


def test_a_plan_brings_what_was_rendered_for_it_with_its_secrets() -> None:
    change, switch = to_plan(), Switch()
    change.load(cast("Any", switch), "leaf1")
    assert switch.asked == ["load_replace_candidate config=key S3CRET"]
    assert (change.id, change.kind, change.expected("leaf1")) == (PLAN, Kind.PUSH, "r")
    assert change.reviewed("leaf1", "+S3CRET")
    assert not change.reviewed("leaf1", "+S3CRET2")


def test_a_plan_of_other_files_is_stale() -> None:
    with pytest.raises(Stopped, match="the rendered configuration differs from the plan") as it:
        to_plan(rendered="another").load(cast("Any", Switch()), "leaf1")
    assert it.value.fault is Fault.STALE


def test_a_rollback_brings_what_the_switch_kept() -> None:
    back, switch = (
        RestoreChange(id="new", undoes=PLAN, after={"leaf1": "sha", "leaf2": None}),
        Switch(),
    )
    back.load(cast("Any", switch), "leaf1")
    assert switch.asked == [f"load_checkpoint {PLAN}"]
    assert (back.kind, back.expected("leaf1"), back.expected("leaf2")) == (
        *(Kind.ROLLBACK, "sha", None),
    )
    assert back.reviewed("leaf1", "+anything")


def test_a_rollback_reads_neighbors_by_their_names_of_now() -> None:
    """LLDP tells the former name while the plan is there, and again the one before after it."""
    names = Present({"fe-leaf01": "leaf1"}, frozenset())
    back = RestoreChange(id="new", undoes=PLAN, after={}, present=names)
    switch = Switch("+x")
    switch.cables = frozenset({"swp1 fe-leaf01 swp5"})
    look = steps(back).look({"leaf1": Health()})
    assert look(cast("Any", switch), "leaf1").cables == {"swp1 leaf1 swp5"}


class Stubborn(Switch):
    """A driver whose switch has a second path, and takes what it kept by that alone."""

    def load_checkpoint(self, plan: str) -> None:
        raise OnlyByReload(f"plan {plan} reloaded the switch")

    def load_for_reload(self, config: str) -> None:
        self.asked.append(f"load_for_reload {config}")

    def load_checkpoint_for_reload(self, plan: str) -> None:
        self.asked.append(f"load_checkpoint_for_reload {plan}")


def test_a_planned_reload_is_loaded_as_one() -> None:
    change, switch = to_plan(path=RELOAD), Stubborn()
    change.load(cast("Any", switch), "leaf1")
    assert switch.asked == ["load_for_reload key S3CRET"]


def test_a_rollback_is_a_reload_only_where_it_may_be_one() -> None:
    back, switch = RestoreChange(id="new", undoes=PLAN, after={"leaf1": "sha"}), Stubborn()
    with pytest.raises(Stopped, match=r"reloaded the switch \(--allow-reload\)"):
        back.load(cast("Any", switch), "leaf1")
    assert (switch.asked, back.path("leaf1")) == ([], IN_PLACE)

    allowed = RestoreChange(id="new", undoes=PLAN, after={"leaf1": "sha"}, reload=True)
    allowed.load(cast("Any", switch), "leaf1")
    assert switch.asked == [f"load_checkpoint_for_reload {PLAN}"]
    assert allowed.path("leaf1") == RELOAD
