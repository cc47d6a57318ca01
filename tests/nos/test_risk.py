"""The risk of a change: each rule has a case, and what no rule knows is not called harmless."""

import json
import random
from functools import cache
from pathlib import Path

import pytest
from tests.nos.risk_cases import FOLDER, Case, cases

from fabricgen.compile.compiler import HOSTS
from fabricgen.compile.output.risks import changes_in, changes_of, dialects_of, remarks
from fabricgen.core.tree.judge import rule_for, worst
from fabricgen.core.tree.risk import Change, Kind, Risk, Rule
from fabricgen.nos.registry import OURS
from fabricgen.nos.shared.frr import risk as frrouting

GOLDEN = Path(__file__).parents[1] / "golden"
DIALECTS = sorted(path.stem for path in FOLDER.glob("*.txt"))
ALL = [case for dialect in DIALECTS for case in cases(dialect)]


def own_rules(platform: str) -> tuple[Rule, ...]:
    """Return the rules of a platform, without those of a dialect that it embeds."""
    own = [each for each in dialects_of(platform) if each.rules != frrouting.RULES]
    return tuple(rule for dialect in own for rule in dialect.rules)


RULES: dict[str, tuple[Rule, ...]] = {
    "frrouting": frrouting.RULES,
    **{name: own_rules(name) for name in (*OURS, HOSTS)},
}
OTHER_FILES = {"same": "as ever\n"}  # the device stands


def judged(case: Case) -> list[Change]:
    before, after = {case.file: case.before}, {case.file: case.after}
    return changes_of(case.platform, {**OTHER_FILES, **before}, {**OTHER_FILES, **after})


@cache
def used(dialect: str) -> frozenset[int]:
    return frozenset(id(change.rule) for case in cases(dialect) for change in judged(case))


def test_every_dialect_has_cases() -> None:
    assert sorted(RULES) == DIALECTS


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_change_has_its_class(case: Case) -> None:
    changes = judged(case)
    assert worst(changes).word == case.risk, remarks(changes)
    assert all(change.known for change in changes), remarks(changes)
    assert changes


@pytest.mark.parametrize(
    ("dialect", "rule"),
    [(dialect, rule) for dialect, rules in RULES.items() for rule in rules],
    ids=lambda item: item if isinstance(item, str) else f"{item.risk.word} {item.where}"[:60],
)
def test_every_rule_is_used_by_a_case(dialect: str, rule: Rule) -> None:
    assert id(rule) in used(dialect), rule


@pytest.mark.parametrize("rule", [rule for rules in RULES.values() for rule in rules])
def test_every_rule_says_why_and_where_from(rule: Rule) -> None:
    assert rule.why
    assert rule.source


@pytest.mark.parametrize(
    ("platform", "file", "line", "risk"),
    [
        ("eos", "eos.cfg", "quantum entanglement on", Risk.LOSSLESS_DISRUPTIVE),
        ("linux", "etc/frr/frr.conf", "quantum entanglement on", Risk.SESSION_RESET),
        ("sonic", "config_db.json", '{"QUANTUM": {"a": {}}}', Risk.REBOOT),
        ("linux", "etc/quantum.conf", "entangled", Risk.LOSSLESS_DISRUPTIVE),
        ("hosts", "etc/quantum.conf", "entangled", Risk.LOSSLESS_DISRUPTIVE),
    ],
)
def test_what_no_rule_knows_is_said_and_never_hitless(
    platform: str, file: str, line: str, risk: Risk
) -> None:
    (change,) = changes_of(platform, OTHER_FILES, {**OTHER_FILES, file: line})
    assert (change.risk, change.known) == (risk, False)
    assert change.rule.why.startswith("not known")


def golden(platform: str) -> list[tuple[str, str]]:
    first = {"eos": "eos.cfg", "sonic": "config_db.json", "linux": "etc/network/interfaces"}
    switches = [
        path.parents[first[platform].count("/")]
        for path in GOLDEN.glob(f"*/files/*/*/{first[platform]}")
    ]
    return [
        (path.relative_to(switch).as_posix(), path.read_text())
        for switch in switches
        for path in sorted(switch.rglob("*"))
        if path.is_file()
    ]


@pytest.mark.parametrize("platform", OURS)
def test_a_rule_speaks_of_every_line_of_the_golden_files(platform: str) -> None:
    unknown = set()
    files = golden(platform)
    assert files
    for file, text in files:
        dialect = next(item for item in dialects_of(platform) if item.file.fullmatch(file))
        state = dialect.read(text)
        unknown |= {
            (file, path)
            for path in state
            for kind in Kind
            if rule_for(dialect, path, kind, state, state) is dialect.unknown
        }
    assert not unknown


def shuffled(file: str, text: str) -> str:
    """Return the same configuration in another order, with other comments."""
    dice = random.Random(7)
    if file == "config_db.json":
        return json.dumps(_shuffled(json.loads(text), dice), indent=8)
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line and not line[0].isspace() and line[0] != "!" and line != "end":
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    dice.shuffle(blocks)
    return "! moved\n\n" + "\n".join(line for block in blocks for line in block) + "\n"


def _shuffled(data: object, dice: random.Random) -> object:
    if not isinstance(data, dict):
        return data
    keys = list(data)
    dice.shuffle(keys)
    return {key: _shuffled(data[key], dice) for key in keys}


@pytest.mark.parametrize("platform", OURS)
def test_another_order_is_no_change(platform: str) -> None:
    ordered = ("eos.cfg", "config_db.json", "frr.conf", "interfaces")
    files = [(file, text) for file, text in golden(platform) if file.endswith(ordered)]
    assert files
    for file, text in files:
        moved = shuffled(file, text)
        assert moved != text
        assert changes_of(platform, {file: text}, {file: moved}) == []


def test_lines_within_a_section_may_move() -> None:
    before = "router bgp 1\n   router-id 1.1.1.1\n   neighbor 2.2.2.2 remote-as 2\n"
    after = "router bgp 1\n   neighbor 2.2.2.2 remote-as 2\n   router-id 1.1.1.1\n"
    assert changes_of("eos", {"eos.cfg": before}, {"eos.cfg": after}) == []


def test_two_settings_of_one_kind_are_two_changes() -> None:
    before = "interface Vlan10\n   mtu 9000\n"
    after = before + "   ip address 10.0.0.1/24\n   ip address 10.0.1.1/24\n"
    assert len(changes_of("eos", {"eos.cfg": before}, {"eos.cfg": after})) == 2


def test_a_value_that_changes_is_one_change_with_both_states() -> None:
    (change,) = changes_of(
        "eos",
        {"eos.cfg": "router bgp 1\n   router-id 1.1.1.1\n"},
        {"eos.cfg": "router bgp 1\n   router-id 2.2.2.2\n"},
    )
    assert change.kind is Kind.CHANGED
    assert (change.before, change.after) == ("router-id 1.1.1.1", "router-id 2.2.2.2")


def test_a_script_is_the_same_with_other_comments_but_not_in_another_order() -> None:
    def of(text: str) -> list[Change]:
        file = "etc/fabricgen/tc.batch"
        return changes_of("linux", {file: "a\nb\n"}, {file: text})

    assert of("# said\na\n\nb\n") == []
    assert worst(of("b\na\n")) is Risk.LOSSLESS_DISRUPTIVE


def test_a_new_switch_harms_nobody_and_one_that_leaves_is_down() -> None:
    assert worst(changes_in("fabric/leaf1", {}, {"eos.cfg": "hostname leaf1"})) is Risk.HITLESS
    assert worst(changes_in("fabric/leaf1", {"eos.cfg": "hostname leaf1"}, {})) is Risk.REBOOT


def test_another_network_os_is_a_reboot() -> None:
    (change,) = changes_in("fabric/leaf1", {"eos.cfg": "a"}, {"config_db.json": "{}"})
    assert (change.risk, change.before, change.after) == (Risk.REBOOT, "eos", "sonic")


def test_files_of_no_platform_are_not_judged_by_the_rules_of_one() -> None:
    (change,) = changes_in("lab/x", {"README.md": "hostname a"}, {"README.md": "hostname b"})
    assert (change.risk, change.known) == (Risk.LOSSLESS_DISRUPTIVE, False)


def test_the_classes_are_ordered_by_harm() -> None:
    assert [risk.word for risk in sorted(Risk)] == [
        "hitless",
        "session-reset",
        "lossless-disruptive",
        "reboot",
    ]
