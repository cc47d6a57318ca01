"""Effects and refusals of a review as findings, in every format of a forge."""

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from fabricgen.cli.formats.findings import FORMATS
from fabricgen.cli.formats.review_entries import entries
from fabricgen.core.diagnostics import Position, Severity
from fabricgen.core.tree.risk import Risk
from fabricgen.review.model import INTENT, Act, Block, Cause, Effect, Review, Shape

SHAPE = Shape(file="running-config", place=(), removed=("x",), added=("y",), rows=(("leaf1",),))
CAUSE = Cause(
    kind=INTENT,
    path=("tenants", "acme", "vni"),
    before="1",
    after="2",
    old=Position("main:site/tenants.yaml", 3, 5),
    new=Position("site/tenants.yaml", 4, 5),
)
GONE = Cause(kind=INTENT, path=("tenants", "beta"), before="{}", after="", old=CAUSE.old)
VNI = Effect(
    act=Act.CHANGED,
    kind="vlan",
    name="310",
    attribute="vni",
    text="VNI of VLAN 310: 1 → 2",
    on=("leaf1", "leaf2", "gpu1"),
    causes=(0,),
    risk=Risk.SESSION_RESET,
)
NTP = Effect(act=Act.CHANGED, kind="ntp", name="", text="NTP server", on=("leaf1",))


def review(*effects: Effect, causes: tuple[Cause, ...] = (CAUSE,), after: str = "site") -> Review:
    folders = ("frontend/leaf1", "frontend/leaf2", "hosts/gpu1")
    block = Block(
        folders=folders,
        shapes=(SHAPE,),
        risk=Risk.SESSION_RESET,
        status="changed",
        added=1,
        removed=1,
    )
    return Review(
        before="main:site", after=after, devices=9, effects=effects, blocks=(block,), causes=causes
    )


REFUSAL = "limits: 3 switches change, but the site allows 2"


def test_an_effect_is_a_note_with_its_number_of_devices() -> None:
    (entry,) = entries(review(VNI), [])
    assert entry.message == "session-reset: VNI of VLAN 310: 1 → 2 (2 switches, 1 server)"
    assert entry.severity is Severity.NOTE
    assert entry.path == "tenants.acme.vni"


def test_an_effect_is_at_its_first_cause() -> None:
    (entry,) = entries(review(VNI), [])
    assert entry.place == "site/tenants.yaml:4:5"


def test_a_removed_key_is_at_its_old_place_without_the_revision() -> None:
    (entry,) = entries(review(VNI, causes=(GONE,)), [])
    assert entry.place == "site/tenants.yaml:3:5"


def test_an_effect_without_a_cause_is_at_a_rendered_file() -> None:
    (entry,) = entries(review(NTP), [])
    assert entry.place == "frontend/leaf1/running-config:1:1"


def test_an_effect_of_rendered_trees_is_at_a_file_of_side_b() -> None:
    (entry,) = entries(review(NTP, causes=(), after="HEAD:rendered"), [])
    assert entry.file == "rendered/frontend/leaf1/running-config"


def test_a_refusal_is_an_error_at_the_place_of_the_worst_effect() -> None:
    first, second = entries(review(VNI), [REFUSAL])
    assert (first.severity, first.message) == (Severity.ERROR, REFUSAL)
    assert first.place == "site/tenants.yaml:4:5"
    assert second.severity is Severity.NOTE


def test_a_refusal_has_a_place_without_effects() -> None:
    (entry,) = entries(review(), [REFUSAL])
    assert entry.file == "frontend/leaf1/running-config"


def test_a_refused_effect_is_an_error_and_precedes_the_others() -> None:
    rows = entries(review(NTP, VNI), [], keys=[VNI.key])
    assert [(it.severity, it.path) for it in rows] == [
        (Severity.ERROR, "tenants.acme.vni"),
        (Severity.NOTE, NTP.key),
    ]


def test_a_sentence_that_quotes_a_key_refuses_its_effect() -> None:
    rows = entries(review(VNI), [f"not declared: '{VNI.key}'"])
    assert [each.severity for each in rows] == [Severity.ERROR, Severity.ERROR]
    rows = entries(review(VNI), ["not declared: 'changed vlan 310'"])
    assert [each.severity for each in rows] == [Severity.ERROR, Severity.NOTE]


def test_control_characters_of_an_effect_do_not_reach_a_terminal() -> None:
    (entry,) = entries(review(worded(VNI, "a\x1b[31mb")), [])
    assert "\x1b" not in entry.message


def worded(effect: Effect, text: str) -> Effect:
    return Effect(act=effect.act, kind=effect.kind, name=effect.name, text=text, on=effect.on)


def printed(form: str, *refused: str) -> str:
    return FORMATS[form](entries(review(VNI, NTP), refused), [], [])


def test_junit_fails_when_a_gate_refuses() -> None:
    suite = ET.fromstring(printed("junit", REFUSAL))  # noqa: S314 - our own
    assert suite.attrib["failures"] == "1"
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == REFUSAL
    assert ET.fromstring(printed("junit")).attrib["failures"] == "0"  # noqa: S314 - our own


def test_github_shows_an_error_when_a_gate_refuses() -> None:
    lines = printed("github", REFUSAL).splitlines()
    assert lines[0].startswith("::error file=site/tenants.yaml,line=4,col=5,")
    assert not any(line.startswith("::error") for line in printed("github").splitlines())


def test_sarif_has_a_place_in_the_intent() -> None:
    results = json.loads(printed("sarif", REFUSAL))["runs"][0]["results"]
    assert [each["level"] for each in results] == ["error", "note", "note"]
    place = results[1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "site/tenants.yaml"
    assert place["region"] == {"startLine": 4, "startColumn": 5}


@pytest.fixture
def quality() -> list[dict[str, Any]]:
    """Return the code quality report of a refused change."""
    return json.loads(printed("gitlab", REFUSAL))  # type: ignore[no-any-return]


def test_gitlab_blocks_when_a_gate_refuses(quality: list[dict[str, Any]]) -> None:
    assert [each["severity"] for each in quality] == ["blocker", "info", "info"]


def test_a_code_quality_report_has_every_documented_field(quality: list[dict[str, Any]]) -> None:
    for each in quality:
        assert each.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert each["location"].keys() == {"path", "lines"}
        assert each["location"]["lines"]["begin"] >= 1
        assert each["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert not each["location"]["path"].startswith(("./", "/"))
        assert each["description"]
        assert each["check_name"]


def test_a_fingerprint_is_stable_and_unique(quality: list[dict[str, Any]]) -> None:
    marks = [each["fingerprint"] for each in quality]
    assert len(set(marks)) == len(marks)
    assert marks == [each["fingerprint"] for each in json.loads(printed("gitlab", REFUSAL))]


def test_equal_findings_are_all_shown() -> None:
    rows = entries(review(NTP, NTP), [])
    marks = {each["fingerprint"] for each in json.loads(FORMATS["gitlab"](rows, [], []))}
    assert len(marks) == 2
