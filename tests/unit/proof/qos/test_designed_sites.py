"""From designed sites of every shape on every platform: that their files prove clean."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.proof.qos.rendered import RAIL_OPTIMIZED, Rendered, render, rendered

from fabricgen.api.proof import read_back
from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.port_qos import Lack
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import OURS, nos
from fabricgen.prove.qos import verify

ROOT = Path(__file__).resolve().parents[4]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())

MIXED = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: 400G, cable_length: 3}}
  scalable_unit: {{servers: 2}}
  oversubscription: 2
  links: {{speed: 400G, length: 30}}
  leaf: {{model: {leaf[0]}, platform: {leaf[1]}}}
  spine: {{model: {spine[0]}, platform: {spine[1]}, count: 2}}
"""
STORAGE = "  roce: {over_subscription: 8, storage: {}}\n"
BOXES = [("7060X6-64PE", "eos"), ("7060X6-64PE", "sonic"), ("SN4700", "sonic"), ("SN4700", "linux")]
MODELS = {"eos": ("7060X6-64PE", "7060DX5-64S"), "sonic": ("SN4700", "7060X6-64PE")}
MODELS["linux"] = ("SN4700", "SN5600")


@pytest.mark.parametrize(
    ("site", "runs"),
    [(site, None) for site in SITES]
    + [(site, runs) for site in ("lab", "rail-only", "tenants") for runs in OURS],
)
def test_an_example_proves_clean(site: str, runs: str | None) -> None:
    made = compile_site(load_site(ROOT / "intent" / site), runs)
    assert made.site is not None
    lines, chain, laws, *silent, ways = read_back(made.site)
    assert not laws.findings
    assert all(each.not_run for each in silent)
    assert lines.findings == chain.findings == ways.findings == ()
    assert chain.objects > 0


@pytest.mark.parametrize("more", ["", STORAGE], ids=["one class", "storage"])
@pytest.mark.parametrize("leaf", BOXES, ids=str)
@pytest.mark.parametrize("spine", BOXES, ids=str)
def test_two_platforms_agree_on_the_wire(
    leaf: tuple[str, str], spine: tuple[str, str], more: str
) -> None:
    made = render(MIXED.format(leaf=leaf, spine=spine) + more)
    assert made.verified().findings == ()


@st.composite
def roce(draw: st.DrawFn) -> str:
    """Draw the lines of a RoCE design."""
    words = {True: "true", False: "false"}
    share = draw(st.integers(1, 99))
    priority = draw(st.integers(1, 5))
    storage = draw(st.integers(0, 5).filter(lambda number: number != priority))
    own = draw(st.integers(1, share - 1)) if share > 1 and storage else 0
    told = f"{{dscp: {draw(st.integers(1, 23))}, priority: {storage}, share: {own}}}"
    return f"""  roce:
    profile: nvidia-roce
    over_subscription: 16
    storage: {told if own else "null"}
    dscp: {draw(st.sampled_from([24, 26, 33, 46]))}
    priority: {priority}
    pfc: {words[draw(st.booleans())]}
    ecn: {{enabled: {words[draw(st.booleans())]}}}
    scheduler: {{lossless: {share - own}, best_effort: {100 - share}}}
"""


@settings(max_examples=15)
@given(
    runs=st.sampled_from(OURS),
    newer=st.booleans(),
    design=roce(),
    length=st.sampled_from([1, 5, 6, 40, 41, 150, 200]),
)
def test_any_roce_design_proves_clean(runs: str, design: str, length: int, *, newer: bool) -> None:
    model = MODELS[runs][newer]
    text = RAIL_OPTIMIZED.format(platform=runs, model=model, speed="400G", more=design)
    if "share" in design:  # two classes of long cables on every port of an SN5600 do not fit
        length = min(length, 6)
    made = render(text.replace("length: 40", f"length: {length}"))
    examined = made.verified()
    assert examined.findings == ()
    assert examined.objects == 24


def clean() -> Rendered:
    return rendered(RAIL_OPTIMIZED, "eos", "7060X6-64PE", "400G")


def test_what_a_platform_lacks_is_what_its_capabilities_say() -> None:
    made = {runs: rendered(RAIL_OPTIMIZED, runs, "SN4700", "400G") for runs in ("sonic", "linux")}
    for runs, site in {**made, "eos": clean()}.items():
        switch = next(iter(site.files))
        reader = nos(runs).qos
        assert reader is not None
        told = reader.load()(None, site.files[switch])
        answer = nos(runs).capabilities[Feature.WATCHDOG]
        assert (Lack.WATCHDOG in told.lacks) == isinstance(answer, Unsupported)


def test_a_platform_without_a_reader_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "nos", lambda name: replace(nos(name), qos=None))
    (found,) = clean().verified().findings
    assert (found.code, found.severity) == (Code.LOSSLESS_CHAIN, Severity.WARNING)
    assert "eos files are not read back" in found.message


def test_switches_that_are_not_seen_are_not_judged() -> None:
    made = clean()
    (first, *_) = made.files
    alone = Rendered(made.site, {first: made.files[first]})
    assert alone.verified().findings == ()
    assert 0 < alone.verified().objects < made.verified().objects


def test_many_faults_are_counted_and_not_listed() -> None:
    made = clean()
    spoiled = {
        switch: {"eos.cfg": files["eos.cfg"].replace("priority-flow-control on", f"odd {number}")}
        for number, (switch, files) in enumerate(made.files.items())
    }
    many = made.verified(spoiled).findings
    assert len(many) <= 21
    assert all(item.path == ("backend", "roce") for item in many)
    assert replace(many[0], message="") == replace(many[-1], message="")
