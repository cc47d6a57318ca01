"""Lines of a switch in; those that `explain` chooses, and what it prints of them, out."""

from dataclasses import replace
from itertools import count

import pytest

from fabricgen.api.files import ExplainedLine, IntentPlace, Reason, numbers_in
from fabricgen.cli.explain import _first_of_each_rule, _is, _listed, _matching, _print

WHY = Reason("the name", (IntentPlace("site.name", "site.yaml:2:9"),))
OTHER = Reason("another rule", ())
CFG, DB = "etc/frr/frr.conf", "config_db.json"


def line(file: str, number: int, text: str, *reasons: Reason, template: str = "") -> ExplainedLine:
    return ExplainedLine(file=file, number=number, text=text, reasons=reasons, template=template)


LINES = [
    line(CFG, 1, "hostname leaf1", WHY),
    line(CFG, 2, "vlan 10", OTHER),
    line(CFG, 3, "vlan 12", OTHER, WHY),
    line(CFG, 4, "end"),
    line(DB, 2, '"vlan": "x"', WHY),
]


@pytest.mark.parametrize(
    ("what", "numbers"),
    [
        ("vlan", [(CFG, 2), (CFG, 3), (DB, 2)]),
        ("2", [(CFG, 2)]),  # the first file that has so many lines
        ("12", [(CFG, 3)]),  # beyond the last line it is text
        ("frr.conf:3", [(CFG, 3)]),
        ("config_db.json:2", [(DB, 2)]),
        (":4", [(CFG, 4)]),
        ("frr.conf:9", []),
        ("nothing", []),
        ('"vlan": "x"', [(DB, 2)]),
    ],
)
def test_a_line_is_chosen_by_number_place_or_text(
    what: str, numbers: list[tuple[str, int]]
) -> None:
    assert [(each.file, each.number) for each in _matching(LINES, what)] == numbers


@pytest.mark.parametrize(
    ("file", "numbers"),
    [
        ("", [1, 2, 3, 4, 2]),
        (CFG, [1, 2, 3, 4]),
        (DB, [2]),
        (f"{CFG}:3", [3]),
        (f"{DB}:3", []),
        ("frr.conf", []),
        ("frr.conf:3", []),
    ],
)
def test_a_file_of_the_tree_is_meant_by_its_whole_path(file: str, numbers: list[int]) -> None:
    assert [each.number for each in LINES if _is(each, file)] == numbers


def test_of_each_rule_the_first_line_is_shown_and_none_without() -> None:
    assert _first_of_each_rule(LINES) == LINES[:2]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([5], "line 5"),
        ([5, 7], "lines 5, 7"),
        ([1, 2, 3, 4, 5], "lines 1, 2, 3, 4, 5"),
        (list(range(1, 1007)), "lines 1, 2, 3, 4, 5 and 1,001 more"),
    ],
)
def test_the_first_five_numbers_are_named(numbers: list[int], words: str) -> None:
    assert _listed(numbers) == words


def printed(
    lines: list[ExplainedLine], capsys: pytest.CaptureFixture[str], **numbers: str
) -> list[str]:
    told = {key.removeprefix("n"): how for key, how in numbers.items()}
    _print([replace(each, numbers=numbers_in(each.text, told)) for each in lines])
    return capsys.readouterr().out.splitlines()


def test_a_line_has_its_numbers_its_rules_and_their_places(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = line(CFG, 3, "   vlan 12 of 12 and 13", OTHER, WHY)
    assert printed([first], capsys, n12="ten and two", n1="one") == [
        f"{CFG}:3  vlan 12 of 12 and 13",
        "    12: ten and two",
        "    another rule",
        "    the name",
        "      from site.yaml:2:9  site.name",
    ]


def test_a_line_without_a_reason_is_the_platforms_or_the_sites_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = line(CFG, 5, "banner", WHY, template="templates/eos/system.j2")
    assert printed([LINES[3], own], capsys) == [
        f"{CFG}:4  end",
        "    constant on this platform",
        f"{CFG}:5  banner",
        "    from the custom template templates/eos/system.j2 of the site",
        "    the name",
        "      from site.yaml:2:9  site.name",
    ]


def test_lines_that_are_alike_are_printed_once_and_those_beyond_forty_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    number = count(1)
    alike = [line(CFG, next(number), " " * indent + "end") for indent in range(3)]
    others = [line(CFG, next(number), f"vlan x{place}") for place in range(41)]
    lines = printed([*alike, *others], capsys)
    assert lines[:3] == [
        f"{CFG}:1  end",
        "    constant on this platform",
        "    the same at lines 2, 3",
    ]
    assert lines[-1] == "… and 2 more lines: give a longer TEXT"
    assert sum(text.startswith(CFG) for text in lines) == 40
    assert "more lines" not in "\n".join(printed([*alike, *others[:39]], capsys))
