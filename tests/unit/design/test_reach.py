"""A cable that no allowed medium reaches is refused once, at the key that has its length."""

import json

import pytest
from tests.unit.design.sites import Keys, backend, frontend, intent

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

STUB = """
Stub-400:
  kind: DAC
  cages: {Blade: {1x400G: stub}}
  lanes: 4
  reach: 2
  media: twinax
  source: "Acme, drawing"
"""
BLADE = """
model: Blade-9
vendor: Acme
asic: unknown
source: "Acme, drawing"
cages: [{first: 1, last: 64, form: Blade, lanes: 4, modes: {1x400G: 4}}]
platforms: {linux: {}}
"""
PAIRS = """
model: Pairs-9
vendor: Acme
asic: unknown
source: "Acme, drawing"
cages: [{first: 1, last: 64, form: RJ45, lanes: 1, modes: {1x25G: 1}}]
platforms: {linux: {}}
"""
BEYOND = Code.CABLE_BEYOND_REACH


def said(keys: Keys) -> list[tuple[tuple[object, ...], str]]:
    found = [i for i in design_site(intent(keys))[1] if i.code is BEYOND]
    assert all(item.severity is Severity.ERROR for item in found)
    return [(item.path, item.message) for item in found]


def rails(meters: int, **more: object) -> Keys:
    keys = backend("rail-only", "7060X6-64PE", 32, gpus=4)
    keys["backend"]["servers"] |= {"cable_length": meters, **more}
    return keys


def test_a_server_is_reached_by_what_its_card_and_its_leaf_take() -> None:
    assert not said(rails(500))
    ((path, message),) = said(rails(501))
    assert path == ("backend", "servers", "cable_length")
    assert "OSFP-800G-2DR4 to QSFP112-400G-DR4 has the longest reach, 500 m" in message


def test_a_card_of_which_no_cage_is_known_is_judged_by_the_leaf() -> None:
    assert not said(rails(501, nic="pollara-400"))


def test_a_link_between_switches_is_judged_at_the_words_about_links() -> None:
    keys = frontend(links={"speed": "40G", "length": 2000})
    assert not said(keys)
    keys["frontend"]["leaf_groups"]["racks"]["servers"] = {
        "per_leaf": 4,
        "speed": "10G",
        "cable_length": 151,
    }
    ((path, message),) = said(keys)
    assert path == ("frontend", "leaf_groups", "racks", "servers", "cable_length")
    assert "QSFP-40G-SR4 has the longest reach, 150 m" in message


def test_multimode_alone_ends_at_50_meters() -> None:
    keys = backend("rail-optimized", "7060X6-64PE", 32)
    keys["backend"]["links"]["length"] = 51
    assert not said(keys)  # single-mode is laid
    keys["cabling"] = {"media": {"backend": {"switches": ["multimode"]}}}
    ((path, message),) = said(keys)
    assert path == ("backend", "links", "length")
    assert "cables of 51 m (75 m as sold)" in message
    assert "has the longest reach, 50 m" in message
    keys["backend"]["links"]["length"] = 50
    assert not said(keys)


@pytest.mark.parametrize(
    ("medium", "speed", "meters", "reach"), [("copper", "100G", 5, 5), ("AOC", "100G", 100, 100)]
)
def test_a_cable_with_fixed_ends_is_refused_beyond_its_length(
    medium: str, speed: str, meters: int, reach: int
) -> None:
    keys = frontend()
    servers = keys["frontend"]["leaf_groups"]["racks"]["servers"]
    servers |= {"speed": speed, "cable_length": meters}
    keys["cabling"] = {"media": {"frontend": {"servers": [medium]}}}
    assert not said(keys)
    servers["cable_length"] = meters + 1
    ((path, message),) = said(keys)
    assert path == ("frontend", "leaf_groups", "racks", "servers", "cable_length")
    assert f"has the longest reach, {reach} m" in message


def test_a_limit_of_the_site_for_copper_is_its_reach() -> None:
    keys = frontend()
    keys["frontend"]["leaf_groups"]["racks"]["servers"]["cable_length"] = 3
    keys["cabling"] = {"media": {"frontend": {"servers": ["copper"], "copper": 2}}}
    ((_, message),) = said(keys)
    assert "has the longest reach, 2 m" in message


@pytest.mark.parametrize(
    ("speed", "reach"),
    [("2.5G", 100), ("5G", 100), ("10G", 100), ("25G", 30), ("40G", 30)],
)
def test_twisted_pair_ends_where_its_category_does(speed: str, reach: int) -> None:
    texts = {"catalog/switches/acme-pairs-9.yaml": PAIRS.replace("25G", speed)}
    for meters, refused in ((reach, False), (reach + 1, True)):
        words = frontend(links={"speed": speed, "length": meters})
        for role in ("leaf", "spine"):
            words["frontend"][role]["model"] = "Pairs-9"
        words["frontend"]["leaf_groups"]["racks"]["servers"]["speed"] = speed
        words["site"] = {"name": "lab", "management": {"subnet": "10.0.0.0/8"}}
        loaded = load_texts({"site.yaml": json.dumps(words), **texts})
        assert loaded.intent is not None, loaded.findings
        found = [item.message for item in design_site(loaded.intent)[1] if item.code is BEYOND]
        assert bool(found) is refused
        want = f"{speed}BASE-T has the longest reach, {reach} m"
        assert all(want in message for message in found)


def test_an_optic_of_the_site_counts_however_short_it_is() -> None:
    words = backend("rail-only", "Blade-9", 8)
    words["backend"]["servers"] |= {"nic": "pollara-400", "cable_length": 3}
    words["cabling"] = {"media": {"backend": {"servers": ["copper"]}}}
    words["site"] = {"name": "lab", "management": {"subnet": "10.0.0.0/8"}}
    texts = {
        "site.yaml": json.dumps(words),
        "catalog/switches/acme-blade-9.yaml": BLADE,
        "catalog/optics.yaml": STUB,
    }
    loaded = load_texts(texts)
    assert loaded.intent is not None, loaded.findings
    (told,) = (item for item in design_site(loaded.intent)[1] if item.code is BEYOND)
    assert "Stub-400 has the longest reach, 2 m" in told.message
