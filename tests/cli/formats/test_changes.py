"""A difference of two trees in each format, word for word."""

import json

import pytest

from fabricgen.cli.formats.changes import (
    markdown,
    radius,
    show,
    summary,
    text,
    title,
)
from fabricgen.cli.formats.document import COMMENT_LIMIT, folded
from fabricgen.compile.output.changes import Changes, FileChange, Group
from fabricgen.core.tree.risk import Change, Kind, Risk, Rule

RESET = Rule(where="", risk=Risk.SESSION_RESET, why="the session ends", source="a manual")
QUIET = Rule(where="", risk=Risk.HITLESS, why="nobody notices", source="a test")
LINES = ("@@ -1 +1 @@", "-vlan 10", "+vlan\x1b 11")


def change(rule: Rule = RESET, place: str = "router bgp", file: str = "eos.cfg") -> Change:
    return Change(file=file, where=(place,), kind=Kind.CHANGED, rule=rule, known=True)


def group(
    *names: str,
    judged: tuple[Change, ...] = (),
    lines: tuple[str, ...] = LINES,
    path: str = "e.cfg",
) -> Group:
    return Group(
        switches=names,
        files=(FileChange(path, "changed", lines),),
        added=2,
        removed=1,
        judged=judged,
    )


ONE = group("fe/leaf1", judged=(change(),))
NONE = Changes((), 7)


def test_a_group_is_titled_by_risk_names_and_lines() -> None:
    assert title(ONE) == "session-reset: leaf1 (+2 -1)"
    six = [f"fe/leaf{number}" for number in range(1, 7)]
    assert title(group(*six)) == (
        "hitless: 6 switches share this change: leaf1, leaf2, leaf3, leaf4, leaf5, leaf6 (+2 -1)"
    )
    assert title(group(*six, "fe/x", "fe/y")).endswith("leaf5, leaf6 and 2 more (+2 -1)")
    assert title(group("hosts/a", "hosts/b")) == (
        "hitless: 2 servers share this change: a, b (+2 -1)"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (NONE, "no differences in 7 switches"),
        (Changes((), 9, 2), "no differences in 9 switches and servers"),
        (
            Changes((ONE,), 7),
            "1 of 7 switches change (1 different change): 2 lines added, 1 removed",
        ),
        (
            Changes((ONE, group("hosts/a", "hosts/b")), 9, 2),
            "3 of 9 switches and servers change (2 different changes): 6 lines added, 3 removed",
        ),
    ],
)
def test_a_difference_is_summed_up_in_a_line(changes: Changes, words: str) -> None:
    assert summary(changes) == words


def test_the_radius_counts_devices_by_the_worst_that_happens_to_each() -> None:
    assert radius(NONE) == "blast radius: none"
    both = Changes((ONE, group("fe/leaf2", "fe/leaf3", judged=(change(QUIET),))), 7)
    assert radius(both) == "blast radius: 1 session-reset, 2 hitless"


def test_text_shows_reasons_then_lines_then_the_sum() -> None:
    assert text(Changes((ONE,), 7)).splitlines() == [
        "session-reset: leaf1 (+2 -1)",
        "  session-reset        eos.cfg: router bgp (changed)",
        "                       the session ends",
        "--- e.cfg (changed)",
        "@@ -1 +1 @@",
        "-vlan 10",
        "+vlan\\u001b 11",
        "",
        "1 of 7 switches change (1 different change): 2 lines added, 1 removed",
        "blast radius: 1 session-reset",
    ]
    assert "  hitless              only order or comments differ\n" in text(
        Changes((group("fe/leaf1"),), 7)
    )


def test_a_place_is_cut_and_the_others_are_counted() -> None:
    long = group("fe/leaf1", judged=(change(place="x" * 91), change(place="y")))
    assert f"eos.cfg: {'x' * 89}… and 1 more (changed)" in text(Changes((long,), 1))
    fits = group("fe/leaf1", judged=(change(place="x" * 90),))
    assert f"eos.cfg: {'x' * 90} (changed)" in text(Changes((fits,), 1))


def test_a_change_of_a_whole_device_is_all_of_it() -> None:
    whole = group("fe/leaf1", judged=(change(file="", place=""),))
    assert "  session-reset        all files (changed)" in text(Changes((whole,), 1))


def test_a_comment_has_a_table_and_the_lines_folded() -> None:
    both = Changes((ONE, group("fe/leaf|2")), 7)
    assert markdown(both).splitlines() == [
        "<!-- fabricgen:diff -->",
        f"**fabricgen diff**: {summary(both)}; {radius(both)}",
        "",
        "| risk | switches | files | added | removed |",
        "|--|--|--|--|--|",
        "| session-reset | leaf1 | e.cfg | 2 | 1 |",
        "| hitless | leaf\\|2 | e.cfg | 2 | 1 |",
        "",
        "<details><summary>session-reset: leaf1 (+2 -1)</summary>",
        "",
        "| risk | where | why |",
        "|--|--|--|",
        "| session-reset | eos.cfg: router bgp (changed) | the session ends |",
        "",
        "```diff",
        "--- e.cfg (changed)",
        "@@ -1 +1 @@",
        "-vlan 10",
        "+vlan\\u001b 11",
        "```",
        "</details>",
        "",
        "<details><summary>hitless: leaf|2 (+2 -1)</summary>",
        "",
        "Only order or comments differ.",
        "",
        "```diff",
        "--- e.cfg (changed)",
        "@@ -1 +1 @@",
        "-vlan 10",
        "+vlan\\u001b 11",
        "```",
        "</details>",
    ]
    assert markdown(NONE).splitlines()[2:] == [""]


def test_a_comment_has_20_reasons_of_a_group() -> None:
    def shown(count: int) -> str:
        rules = [
            Rule(where="", risk=Risk.HITLESS, why=f"why {number}", source="")
            for number in range(count)
        ]
        judged = tuple(change(rule) for rule in rules)
        return markdown(Changes((group("fe/leaf1", judged=judged),), 1))

    assert shown(20).count("| why ") == 20 + 1
    assert "more\n" not in shown(20)
    assert shown(23).count("| why ") == 20 + 1
    assert "\n\n3 more\n" in shown(23)


def test_a_comment_has_100_groups_in_its_table() -> None:
    every = Changes(tuple(group(f"fe/leaf{n}", lines=()) for n in range(150)), 150)
    assert markdown(every).count("| hitless |") == 100


@pytest.mark.parametrize("size", [100, 1000, 7000])
def test_a_comment_is_cut_where_it_would_be_too_long(size: int) -> None:
    many = [group(f"fe/leaf{n}", lines=("+" + "x" * size,)) for n in range(99)]
    shown = markdown(Changes(tuple(many), 99))
    blocks = shown.count("<details>")
    assert len(shown) <= COMMENT_LIMIT
    if size == 100:
        assert (blocks, "do not fit" in shown) == (99, False)
        return
    assert f"\n{99 - blocks} more changes do not fit into a comment; " in shown
    assert len(shown) > COMMENT_LIMIT - 200 - size - 400, "another one would have fit"


@pytest.mark.parametrize(
    ("body", "fence"), [("plain", "```"), ("a `` b", "```"), ("```", "````"), ("`````", "``````")]
)
def test_a_fence_is_longer_than_any_run_of_ticks_in_it(body: str, fence: str) -> None:
    assert folded("head\x00", [body], "table\n") == (
        "\n<details><summary>head\\u0000</summary>\n\ntable\n"
        f"{fence}diff\n{body}\n{fence}\n</details>"
    )


def test_json_has_every_group_with_its_reasons_and_lines() -> None:
    assert json.loads(show(Changes((ONE,), 7), "json")) == {
        "format_version": 1,
        "switches": 7,
        "changed": 1,
        "blast_radius": {risk.word: int(risk is Risk.SESSION_RESET) for risk in Risk},
        "groups": [
            {
                "switches": ["fe/leaf1"],
                "risk": "session-reset",
                "changes": [
                    {
                        "risk": "session-reset",
                        "file": "eos.cfg",
                        "kind": "changed",
                        "places": ["router bgp"],
                        "reason": "the session ends",
                        "source": "a manual",
                        "known": True,
                    }
                ],
                "added": 2,
                "removed": 1,
                "files": [{"path": "e.cfg", "status": "changed", "diff": list(LINES)}],
            }
        ],
    }


def test_other_formats_have_a_note_with_its_place_for_each_group() -> None:
    assert show(Changes((ONE,), 7), "github").splitlines() == [
        "::notice file=fe/leaf1/e.cfg,line=1,col=1,title=FG504::session-reset: leaf1 (+2 -1)",
        "1 note",
    ]


@pytest.mark.parametrize(
    ("bar", "level", "failures"),
    [(Risk.SESSION_RESET, "error", 1), (Risk.LOSSLESS_DISRUPTIVE, "note", 0)],
)
def test_what_is_refused_is_an_error_in_every_format(bar: Risk, level: str, failures: int) -> None:
    made = {form: show(Changes((ONE,), 7), form, bar=bar) for form in ("sarif", "junit", "github")}
    assert [row["level"] for row in json.loads(made["sarif"])["runs"][0]["results"]] == [level]
    assert f'failures="{failures}"' in made["junit"]
    assert made["github"].startswith("::error ") == bool(failures)
