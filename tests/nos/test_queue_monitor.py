"""LANZ: the line of EOS, its way back into the intent, and models and platforms without it."""

import pytest
from tests.unit.adopt.examples import network

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Diagnostic, Severity
from fabricgen.importer.management import read
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove

SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/24, queue_monitor: {on}}}
frontend:
  leaf: {{model: {model}, platform: {platform}}}
  spine: {{model: {model}, platform: {platform}, count: 1}}
  links: {{speed: 100G}}
  leaf_groups: {{a: {{leafs: 1-1, servers: {{per_leaf: 2, speed: 25G}}}}}}
"""
LINE = "queue-monitor length\n"
LISTED = "7050CX3-32S"


def written(*, on: bool) -> tuple[SwitchSlice, dict[str, str]]:
    text = SITE.format(on=str(on).lower(), model=LISTED, platform="eos")
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    switch_slice = next(each for _, each in slices(made.site))
    files = {each.path.split("/", 2)[2]: each.text for each in files_of(switch_slice, Renderer())}
    return switch_slice, files


def findings(model: str, platform: str) -> list[Diagnostic]:
    text = SITE.format(on="true", model=model, platform=platform)
    found = compile_site(load_texts({"site.yaml": text})).findings
    return [each for each in found if "queue-monitor" in each.message]


@pytest.mark.parametrize("on", [True, False])
def test_eos_monitors_its_queues_if_the_intent_asks(*, on: bool) -> None:
    switch_slice, files = written(on=on)
    assert files["eos.cfg"].count(LINE) == on
    assert not prove(switch_slice, files).findings
    name = switch_slice.switch.name
    found = read(network({name: files}, {name: "eos"}), {})["site"]["management"]
    assert found.get("queue_monitor", False) == on


def test_a_file_without_the_line_does_not_match_the_design() -> None:
    switch_slice, files = written(on=True)
    files["eos.cfg"] = files["eos.cfg"].replace(LINE, "")
    (only,) = prove(switch_slice, files).findings
    assert "queue monitor is missing" in only.message


def test_a_chip_that_the_manual_does_not_list_is_a_warning() -> None:
    assert findings(LISTED, "eos") == []
    (only,) = findings("7060DX5-64S", "eos")
    assert (only.severity, only.path) == (
        Severity.WARNING,
        ("site", "management", "queue_monitor"),
    )
    assert "Tomahawk4" in only.message


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("sonic", "does not support queue-monitor: it always records the highest depth"),
        ("linux", "does not support queue-monitor: packets that the chip forwards"),
    ],
)
def test_a_platform_without_it_refuses_the_key(platform: str, words: str) -> None:
    (only,) = findings("SN3700", platform)
    assert only.severity is Severity.ERROR
    assert words in only.message
