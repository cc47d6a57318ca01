"""A cable that no optic reaches is said once, at the key that has its length."""

import json

from tests.unit.design.sites import Keys, backend, frontend, intent

from fabricgen.design.site import design_site
from fabricgen.diagnostics import Code
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


def said(keys: Keys) -> list[tuple[tuple[object, ...], str]]:
    findings = design_site(intent(keys))[1]
    return [(item.path, item.message) for item in findings if item.code is Code.CABLE_BEYOND_REACH]


def rails(metres: int, **more: object) -> Keys:
    keys = backend("rail-only", "7060X6-64PE", 32, gpus=4)
    keys["backend"]["servers"] |= {"cable_length": metres, **more}
    return keys


def test_a_server_is_reached_by_what_its_card_and_its_leaf_take() -> None:
    assert not said(rails(500))
    ((path, message),) = said(rails(501))
    assert path == ("backend", "servers", "cable_length")
    assert "OSFP-800G-2DR4 to QSFP112-400G-DR4 reaches farthest, 500 m" in message


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
    assert "QSFP-40G-SR4 reaches farthest, 150 m" in message


def test_an_optic_of_the_site_counts_however_short_it_is() -> None:
    words = backend("rail-only", "Blade-9", 8)
    words["backend"]["servers"] |= {"nic": "pollara-400", "cable_length": 3}
    words["site"] = {"name": "lab", "management": {"subnet": "10.0.0.0/8"}}
    texts = {
        "site.yaml": json.dumps(words),
        "catalog/switches/acme-blade-9.yaml": BLADE,
        "catalog/optics.yaml": STUB,
    }
    loaded = load_texts(texts)
    assert loaded.intent is not None, loaded.findings
    (told,) = (
        item for item in design_site(loaded.intent)[1] if item.code is Code.CABLE_BEYOND_REACH
    )
    assert "Stub-400 reaches farthest, 2 m" in told.message
