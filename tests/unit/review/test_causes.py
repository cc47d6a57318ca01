"""The changed keys of an intent, with both values and both places."""

import pytest

from fabricgen.intent.load import Loaded, load_texts
from fabricgen.review.causes import causes

SITE = """\
site:
  name: a
  management: {subnet: 10.0.0.0/24, ntp: [10.0.0.1, 10.0.0.2]}
frontend:
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
"""


def loaded(text: str, **more: str) -> Loaded:
    return load_texts({"site.yaml": text, **{f"{name}.yaml": own for name, own in more.items()}})


def told(old: str, new: str) -> list[tuple[str, str, str]]:
    return [
        (".".join(map(str, each.path)), each.before, each.after)
        for each in causes(loaded(old), loaded(new))
    ]


def test_an_equal_intent_has_no_cause_whatever_its_form() -> None:
    flow = "{subnet: 10.0.0.0/24, ntp: [10.0.0.1, 10.0.0.2]}"
    rows = ("", "    ntp:", "    - 10.0.0.1  # first", "    - 10.0.0.2", "    subnet: 10.0.0.0/24")
    formed = SITE.replace(flow, "\n".join(rows))
    assert told(SITE, formed) == []


def test_a_changed_value_has_both_values_and_places() -> None:
    (cause,) = causes(loaded(SITE), loaded("# more\n" + SITE.replace("count: 2", "count: 4")))
    assert (cause.path, cause.before, cause.after) == (("frontend", "spine", "count"), "2", "4")
    assert cause.old is not None
    assert cause.new is not None
    assert (cause.old.line, cause.new.line) == (5, 6)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: a", "name: a\n  x: {b: 1, c: 2}", ("site.x", "", "{b: 1, c: 2}")),
        ("ntp: [10.0.0.1, 10.0.0.2]", "ntp: [10.0.0.1]", ("site.management.ntp.1", "10.0.0.2", "")),
        (
            "ntp: [10.0.0.1, 10.0.0.2]",
            "ntp: [10.0.0.9, 10.0.0.1, 10.0.0.2]",
            ("site.management.ntp.0", "", "10.0.0.9"),
        ),
        ("platform: eos", "platform: sonic", ("frontend.spine.platform", "eos", "sonic")),
    ],
)
def test_new_and_removed_keys_and_items(old: str, new: str, expected: tuple[str, str, str]) -> None:
    assert told(SITE, SITE.replace(old, new)) == [expected]


def test_changed_keys_of_one_item_are_one_cause() -> None:
    item = "tenants:\n  a:\n    attachments:\n      - {servers: gpu, access: web}\n"
    other = item.replace("access: web", "trunk: [web, app], native: web")
    (cause,) = causes(loaded(SITE, t=item), loaded(SITE, t=other))
    assert cause.path == ("tenants", "a", "attachments", 0)
    assert (cause.before, cause.after) == ("{access: web}", "{trunk: [web, app], native: web}")


def test_a_long_value_is_shortened_and_stays_on_one_line() -> None:
    ((_, _, after),) = told(SITE, SITE.replace("name: a", f'name: a\n  x: "{"y" * 90}\\n"'))
    assert len(after) == 60
    assert "\n" not in after


def test_a_release_is_a_cause_of_its_own_kind() -> None:
    (cause,) = causes(
        loaded(SITE), loaded(SITE.replace("platform: eos", "platform: eos, release: x"))
    )
    assert cause.kind == "release"
