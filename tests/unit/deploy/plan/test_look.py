"""A look at one switch: what it is asked, what is judged, and how it is left behind."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fabricgen.cli.formats.drift import Drifts, show
from fabricgen.compile.output.manifest import sha256
from fabricgen.nos.driver import LOOK, OnlyByReload, pack
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.plan.document import Entry
from fabricgen.operate.deploy.plan.switch_preview import SecretFilter, files_of, identify
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.texts import Rendered

LEAF = Target(name="leaf1", fabric="frontend", platform="eos", address="10.0.0.1")
RUNNING = "hostname leaf1\n!\nntp server 10.0.0.1\nusername a secret ***\n"
RENDERED = "hostname leaf1\n!\nntp server 10.0.0.2\nusername a secret MARK\n"
NTP = "ntp server 10.0.0.2"
DIFF = "-ntp server 10.0.0.1\n+ntp server 10.0.0.2\n+username a secret S3CRET"


class Switch:
    """A driver that notes what it is asked, and breaks at one of the verbs."""

    def __init__(self, diff: str = "", candidate: str = "", breaks: str = "") -> None:
        self.diff, self.candidate, self.breaks = diff, candidate, breaks
        self.asked, self.version = list[str](), ""

    def _note(self, verb: str) -> None:
        self.asked.append(verb)
        if verb == self.breaks:
            raise OSError("gone")

    def get_facts(self) -> dict[str, str]:
        self._note("facts")
        return {"hostname": "leaf1", "os_version": self.version}

    def get_config(self, retrieve: str = "all") -> dict[str, str]:
        self._note(f"config {retrieve}")
        return {"running": RUNNING, "candidate": self.candidate}

    def claim(self, plan: str, over: frozenset[str]) -> None:
        self._note("claim")
        self.claimed, self.over = plan, over

    def load_replace_candidate(self, *, config: str) -> None:
        self._note("load")
        self.loaded = config

    def compare_config(self) -> str:
        self._note("compare")
        return self.diff

    def discard_config(self) -> None:
        self._note("discard")


def lens(most: int = 400) -> SecretFilter:
    rendered = Rendered({"eos.cfg": RENDERED}, RENDERED)
    return SecretFilter(
        texts=cast("Any", SimpleNamespace(of={"leaf1": rendered}.__getitem__)),
        targets={"leaf1": LEAF},
        reveal=lambda text: text.replace("MARK", "S3CRET"),
        hide=lambda text: text.replace("S3CRET", "***"),
        most=most,
        over=frozenset({"dead"}),
    )


def looked(switch: Switch, most: int = 400) -> Entry:
    return lens(most).look(cast("Any", switch), "leaf1").entry


def told(entry: Entry) -> list[tuple[str, str, int]]:
    return [(one.kind, one.where, one.more) for one in entry.reasons]


def test_a_candidate_is_loaded_compared_and_discarded() -> None:
    switch = Switch()
    entry = looked(switch)
    assert switch.asked == ["facts", "config all", "claim", "load", "compare", "discard"]
    assert switch.claimed.startswith(LOOK)
    assert len(switch.claimed) == len(LOOK) + 12
    assert switch.over == {"dead"}
    assert switch.loaded == RENDERED.replace("MARK", "S3CRET")
    assert entry == Entry(
        switch="leaf1",
        fabric="frontend",
        platform="eos",
        state="same",
        running=sha256(RUNNING),
        rendered=sha256(RENDERED),
    )


@pytest.mark.parametrize(
    ("platform", "release", "version", "said"),
    [
        ("eos", "4.35", "4.35.1F", ""),
        ("eos", "4.34", "4.35.1F", "runs 4.35.1F, the intent has release 4.34"),
        ("eos", "", "4.35.1F", ""),
        ("sonic", "202505+iccpd", "SONiC.202505.1091234-0a1b2c3d4", ""),
        ("sonic", "202505", "SONiC.master.487-a98cf221", "runs SONiC.master.487-a98cf221, the"),
        ("sonic", "202505", "SONiC.20220531.27", "not compared: the intent has release 202505, "),
        ("sonic", "202505", "", "reports no version"),
        ("linux", "debian13", "Debian 12.5", ""),  # FRR decides its lines, and verify reads it
    ],
)
def test_another_release_is_told(platform: str, release: str, version: str, said: str) -> None:
    switch = Switch()
    switch.version = version
    some = lens()
    target = replace(LEAF, platform=platform, release=release)
    found = replace(some, targets={"leaf1": target}).look(cast("Any", switch), "leaf1").entry
    assert bool(found.release) == bool(said)
    assert said in found.release
    assert found.state == "same"
    drifted = f"release: leaf1: {found.release}\n"
    assert (drifted in show(Drifts(entries=(found,)), "text")) == bool(said)


def test_two_looks_never_claim_by_the_same_name() -> None:
    one, other = Switch(), Switch()
    looked(one)
    looked(other)
    assert one.claimed != other.claimed


def test_what_differs_is_judged_without_secrets() -> None:
    switch = Switch(DIFF, RENDERED.replace("MARK", "S3CRET"))
    entry = looked(switch)
    assert "config candidate" in switch.asked
    assert entry.state == "changes"
    assert entry.diff == DIFF.replace("S3CRET", "***")
    assert entry.change == sha256(entry.diff)
    assert entry.risk == "hitless"
    assert told(entry) == [("removed", "ntp server 10.0.0.1", 0), ("added", NTP, 0)]
    assert {(one.risk, one.file) for one in entry.reasons} == {("hitless", "eos.cfg")}
    assert all(one.why.startswith("management only") for one in entry.reasons)


def test_who_gives_no_candidate_is_judged_by_what_is_rendered() -> None:
    """It still has the mark of the secret, which the running side has not."""
    assert [more for _, _, more in told(looked(Switch(DIFF)))] == [1, 1]


@pytest.mark.parametrize("breaks", ["load", "compare", "config candidate"])
def test_whatever_breaks_the_candidate_is_discarded(breaks: str) -> None:
    switch = Switch(DIFF, RENDERED, breaks)
    with pytest.raises(OSError, match="gone"):
        looked(switch)
    assert switch.asked[-1] == "discard"


@pytest.mark.parametrize("breaks", ["config all", "claim"])
def test_who_was_not_claimed_is_left_alone(breaks: str) -> None:
    switch = Switch(DIFF, RENDERED, breaks)
    with pytest.raises(OSError, match="gone"):
        looked(switch)
    assert switch.asked[-1] == breaks


@pytest.mark.parametrize(
    ("most", "diff"),
    [
        (3, DIFF),
        (2, "-ntp server 10.0.0.1\n+ntp server 10.0.0.2\n… 1 more line; "),
        (1, "-ntp server 10.0.0.1\n… 2 more lines; "),
    ],
)
def test_a_long_difference_is_cut_but_its_hash_is_of_all(most: int, diff: str) -> None:
    entry = looked(Switch(DIFF, RENDERED), most)
    assert entry.diff.startswith(diff.replace("S3CRET", "***"))
    assert len(entry.diff.splitlines()) == most + (most < 3)
    assert entry.change == sha256(DIFF.replace("S3CRET", "***"))


def test_more_places_of_one_reason_are_counted() -> None:
    after = RENDERED.replace("MARK", "***") + "ntp server 10.0.0.3\nntp server 10.0.0.4\n"
    assert told(looked(Switch(DIFF, after)))[-1] == ("added", NTP, 2)


def test_a_text_is_the_one_file_of_its_platform_or_a_bundle() -> None:
    assert files_of("eos", "text") == {"eos.cfg": "text"}
    files = {"etc/a": "one\n", "etc/b": "two\n"}
    assert files_of("linux", pack(files, [])) == files
    assert files_of("linux", "never pushed to") == {}


@pytest.mark.parametrize(
    ("said", "name", "is_it"),
    [
        ("leaf1", "leaf1", True),
        ("leaf1.example.net", "leaf1", True),
        ("leaf1", "leaf1.example.net", True),
        ("leaf10", "leaf1", False),
        ("", "leaf1", False),
    ],
)
def test_a_switch_is_who_it_says_whatever_its_domain(said: str, name: str, *, is_it: bool) -> None:
    if is_it:
        identify(box(said), replace(LEAF, name=name))
        return
    with pytest.raises(
        Stopped, match=f"^wrong switch: expected {name}, its host name is '{said}'$"
    ) as it:
        identify(box(said), replace(LEAF, name=name))
    assert it.value.fault is Fault.STALE


def box(hostname: str, serial: str = "") -> Any:
    facts = {"hostname": hostname, "serial_number": serial}
    return SimpleNamespace(get_facts=lambda: facts)


@pytest.mark.parametrize(
    ("said", "serial", "intended", "why"),
    [
        ("leaf1", "S1", "S1", ""),
        ("old1.example.net", "S1", "S1", ""),
        ("old1", "", "", ""),
        ("localhost", "S1", "S1", ""),
        ("leaf1", "S2", "S1", "wrong switch: serial number is S2, the intent has S1 for leaf1"),
        (
            "leaf1",
            "",
            "S1",
            "wrong switch: the switch reports no serial number, the intent has S1 for leaf1",
        ),
        ("localhost", "S2", "S1", "wrong switch: serial number is S2, the intent has S1 for leaf1"),
        ("leaf2", "S1", "S1", "wrong switch: expected leaf1, its host name is 'leaf2'"),
        (
            "localhost",
            "S1",
            "",
            (
                "wrong switch: expected leaf1, its host name is 'localhost', a factory default; "
                "set `serial` in the intent to identify it"
            ),
        ),
        ("sonic", "S1", "S1", "wrong switch: expected leaf1, its host name is 'sonic'"),
    ],
)
def test_name_or_former_name_and_the_serial_where_it_is_said(
    said: str, serial: str, intended: str, why: str
) -> None:
    target = replace(LEAF, previous_name="old1", serial=intended)
    if not why:
        identify(box(said, serial), target)
        return
    with pytest.raises(Stopped, match=f"^{re.escape(why)}$"):
        identify(box(said, serial), target)


class Stubborn(Switch):
    """A driver whose switch takes the candidate by a reload alone."""

    def load_replace_candidate(self, *, config: str) -> None:
        super().load_replace_candidate(config=config)
        raise OnlyByReload("leaf1: S3CRET is illegal")

    def load_for_reload(self, config: str) -> None:
        self._note("load for reload")
        self.loaded = config

    def load_checkpoint_for_reload(self, plan: str) -> None:
        raise AssertionError(plan)


def test_what_only_a_reload_brings_is_planned_as_one_where_that_is_allowed() -> None:
    switch = Stubborn(DIFF)
    entry = replace(lens(), reload=True).look(cast("Any", switch), "leaf1").entry
    assert switch.asked[3:5] == ["load", "load for reload"]
    assert switch.loaded == RENDERED.replace("MARK", "S3CRET")
    assert (entry.state, entry.path, entry.risk) == ("changes", "reload", "reboot")
    assert entry.because == "leaf1: *** is illegal"
    assert entry.reasons[0].why.startswith("by a reload, because leaf1: *** is illegal. All ser")
    assert {reason.risk for reason in entry.reasons[1:]} == {"hitless"}


def test_what_only_a_reload_brings_is_refused_where_none_is_allowed() -> None:
    switch = Stubborn(DIFF)
    with pytest.raises(Stopped, match=r"is illegal; a reload .* \(--allow-reload\)") as stopped:
        looked(switch)
    assert stopped.value.fault is Fault.REFUSED
    assert switch.asked[-1] == "discard"


def test_a_switch_without_a_second_path_refuses_as_it_did() -> None:
    class Plain(Switch):
        def load_replace_candidate(self, *, config: str) -> None:
            raise OnlyByReload(config)

    with pytest.raises(OnlyByReload):
        replace(lens(), reload=True).look(cast("Any", Plain(DIFF)), "leaf1")


def test_a_reload_that_would_change_nothing_is_none() -> None:
    entry = replace(lens(), reload=True).look(cast("Any", Stubborn("")), "leaf1").entry
    assert (entry.state, entry.path) == ("same", "in place")
