"""A plan in each format, word for word."""

from __future__ import annotations

import json

import pytest

from fabricgen.api.comment_parts import COMMENT_LIMIT
from fabricgen.cli.formats.plan import groups, headline, markdown, show, text
from fabricgen.operate.deploy.plan.document import Entry, Plan, PlannedBatch, Reason, Split, Stage

HASH = "0" * 64


def reason(where: str = "router bgp", **more: object) -> Reason:
    words = {"risk": "session-reset", "file": "eos.cfg", "more": 0, "kind": "changed"}
    return Reason.model_validate(words | {"where": where, "why": "the session ends"} | more)


def entry(name: str, state: str = "changes", **more: object) -> Entry:
    words = {"switch": name, "fabric": "frontend", "platform": "eos", "rendered": HASH}
    if state == "changes":
        words |= {"risk": "session-reset", "diff": "-a\n+b", "reasons": (reason(),)}  # type: ignore[dict-item]
    return Entry.model_validate(words | {"state": state} | more)


def plan(*entries: Entry, batches: tuple[PlannedBatch, ...] = ()) -> Plan:
    return Plan(
        id="0123456789ab",
        site="oslo",
        made="2026-01-02T03:04:05",
        by="ann@noc",
        tool="1",
        sizes="1,10%,50%",
        floor=75,
        together=False,
        window=False,
        switches=entries,
        batches=batches,
    )


def batch(
    *names: str, why: str = "", stays: tuple[str, ...] = (), warnings: tuple[str, ...] = ()
) -> PlannedBatch:
    return PlannedBatch(fabric="frontend", switches=names, why=why, stays=stays, warnings=warnings)


GONE = entry("leaf3", "unreachable", said="no\x1b answer")


def test_a_plan_is_summed_up_in_a_line() -> None:
    head = "plan 0123456789ab of site oslo: "
    assert headline(plan(entry("leaf1", "same"))) == f"{head}0 of 1 switches change"
    quiet = entry("leaf2", risk="hitless")
    reboots = entry("leaf4", risk="reboot")
    assert headline(plan(entry("leaf1"), quiet, reboots, entry("leaf5"), GONE)) == (
        f"{head}4 of 5 switches change: 1 reboot, 2 session-reset, 1 hitless; 1 unknown"
    )


def test_switches_with_the_same_change_are_one_group_the_worst_first() -> None:
    token = "<<hidden:{}>>".format
    one, two = (
        entry(name, diff=f"+key {token(digit * 12)}", reasons=(reason(f"key {token(digit * 12)}"),))
        for name, digit in (("leaf1", "a"), ("leaf2", "b"))
    )
    worse = entry("leaf3", risk="reboot")
    other = entry("leaf4", reasons=(reason(), reason("vlan 10")))
    swapped = entry("leaf5", reasons=(reason("vlan 10"), reason()))
    found = groups([one, two, other, swapped, worse])
    assert [[each.switch for each in group] for group in found] == [
        ["leaf3"],
        ["leaf1", "leaf2"],
        ["leaf4", "leaf5"],
    ]
    assert found[1][0].diff == "+key <<hidden>>"
    assert found[1][0].reasons[0].where == "key <<hidden>>"


def test_text_has_changes_then_what_is_not_known_then_the_batches() -> None:
    whole = plan(
        entry("leaf1"),
        entry("leaf2"),
        GONE,
        batches=(
            batch(
                "leaf1", why="the first goes alone", stays=("75 % stay",), warnings=("one leaf",)
            ),
            batch("leaf2", stays=("75 % stay",)),
            batch("leaf9"),
        ),
    )
    assert show(whole, "text").splitlines() == [
        "session-reset: leaf1, leaf2",
        "  session-reset        eos.cfg: router bgp (changed)",
        "                       the session ends",
        "  -a",
        "  +b",
        "",
        "unreachable: leaf3: no\\u001b answer",
        "",
        "batch 1   leaf1 (the first goes alone; 75 % stay)",
        "          warning: one leaf",
        "batch 2   leaf2 (75 % stay)",
        "batch 3   leaf9",
        headline(whole),
    ]
    assert text(plan()) == headline(plan()) + "\n"


def test_names_reasons_and_places_are_cut_and_the_rest_is_counted() -> None:
    def shown(names: int, reasons: int, place: str = "x") -> str:
        every = tuple(reason(f"{place}{number:02}") for number in range(reasons))
        return text(plan(*(entry(f"leaf{n}", reasons=every) for n in range(names))))

    assert shown(8, 12).startswith("session-reset: leaf0, leaf1, leaf2, leaf3, leaf4, leaf5, leaf6")
    assert " more\n" not in shown(8, 12)
    assert "leaf6, leaf7 and 2 more\n" in shown(10, 1)
    assert shown(1, 15).count("the session ends") == 12
    assert "\n  and 3 more\n" in shown(1, 15)
    assert f"eos.cfg: {'x' * 88}00 (changed)" in shown(1, 1, "x" * 88)
    assert f"eos.cfg: {'x' * 89}… (changed)" in shown(1, 1, "x" * 89)
    one = text(plan(entry("leaf1", reasons=(reason(more=4),))))
    assert "eos.cfg: router bgp and 4 more (changed)" in one


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_window_is_hinted_at_where_none_was_asked_for(form: str) -> None:
    """In a plan that breaks something in its batches, and in one that goes by steps."""
    split = Split(
        fabric="frontend",
        what="VLAN 10",
        differs="",
        begins=1,
        ends=2,
        effect="cut",
        source="",
        breaks=True,
        servers=2,
        between=(),
        outside=(),
    )
    breaks = {"splits": (split,), "batches": (batch("leaf1"), batch("leaf2"))}
    first = {"step": Stage(number=1, of=3, said="others take any ASN")}
    for more, said in ((breaks, "VLAN 10"), (first, "step 1 of 3")):
        asked = plan(entry("leaf1"), entry("leaf2")).model_copy(update=more)
        window = asked.model_copy(update={"window": True})
        assert said in show(window, form)
        assert [each.window for each in (asked, window) if "--one-batch" in show(each, form)] == [
            False
        ]


def test_json_is_the_document_of_the_plan() -> None:
    whole = plan(entry("leaf1"))
    assert json.loads(show(whole, "json"))["sha256"] == whole.sha256


def test_a_comment_names_the_hash_and_folds_the_lines() -> None:
    whys = tuple(reason(why=why) for why in ("one", "two", "two", "three"))
    whole = plan(entry("leaf|1", reasons=whys), GONE)
    assert show(whole, "markdown").splitlines() == [
        "<!-- fabricgen:plan -->",
        f"**fabricgen {headline(whole)}**",
        "",
        f"Approve it by its hash: `{whole.sha256}`",
        "",
        "| risk | switches | why |",
        "|--|--|--|",
        "| session-reset | leaf\\|1 | one; two |",
        "",
        "- unreachable: leaf3: no\\\\u001b answer",
        "",
        "<details><summary>session-reset: leaf|1</summary>",
        "",
        "```diff",
        "-a",
        "+b",
        "```",
        "</details>",
    ]
    assert len(markdown(plan()).splitlines()) == 4


def test_a_comment_has_100_groups_and_50_unknown_switches() -> None:
    many = [entry(f"leaf{n}", diff=f"+{n}") for n in range(120)]
    lost = [entry(f"lost{n}", "busy", said="x") for n in range(60)]
    shown = markdown(plan(*many, *lost))
    assert shown.count("| session-reset |") == 100
    assert shown.count("- busy: lost") == 50


@pytest.mark.parametrize("size", [100, 1000, 7000])
def test_a_comment_is_cut_where_it_would_be_too_long(size: int) -> None:
    many = [entry(f"leaf{n}", diff=f"+{n}{'x' * size}") for n in range(99)]
    shown = markdown(plan(*many))
    blocks = shown.count("<details>")
    assert len(shown) <= COMMENT_LIMIT
    if size == 100:
        assert (blocks, "more changes" in shown) == (99, False)
        return
    assert shown.endswith(f"\n{99 - blocks} more changes are in the plan file.\n")
    assert len(shown) > COMMENT_LIMIT - 200 - size - 200, "another one would have fit"
