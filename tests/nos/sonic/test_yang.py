"""CONFIG_DB against YANG models: a small model of our own, and SONiC's where they are named.

`FABRICGEN_SONIC_YANG=DIR make test` names a folder with the models of each release.
"""

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.conftest import MODELS
from tests.nos import tenants
from tests.nos.sonic.switches import SITES, rendered

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import Loaded, load_site, load_texts
from fabricgen.nos.models import Candidate, NotRun
from fabricgen.nos.sonic.first_boot import TABLES, first_boot
from fabricgen.nos.sonic.nos import NOS
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.yang import judge, tables
from fabricgen.nos.sonic.yang.judge import refusals, spelled
from fabricgen.prove.models import held

INTENT = Path(__file__).parents[3] / "intent"
FRONTEND = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
frontend:
  leaf_groups:
    cpu: {leafs: 1-2, servers: {per_leaf: 8, speed: 100G}}
    bond: {leafs: 3-3, servers: {per_leaf: 4, speed: 100G, links: 2, lag: true}}
  leaf: {model: 7060DX5-64S, platform: sonic}
  spine: {model: 7060DX5-64S, platform: sonic, count: 2}
"""
BOTH_FAMILIES = FRONTEND + tenants.TENANTS
TENANTS = {
    "both families": BOTH_FAMILIES,
    "VNIs as they are": BOTH_FAMILIES.replace("id: 1\n", "id: 1\n        vni: 9001\n").replace(
        "web: {id: 110,", "web: {id: 110, vni: 7110,"
    ),
    "zones": tenants.between_zones(BOTH_FAMILIES),
    "leaks": tenants.leaking(BOTH_FAMILIES),
    "shares of cables to the outside": tenants.edged("7060DX5-64S", "sonic"),
    "legs on firewalls": tenants.fenced("7060DX5-64S", "sonic"),
    "servers on two leafs": tenants.paired("SN3700", "sonic"),
    "servers that speak BGP": tenants.spoken("SN3700", "sonic"),
    "classes": tenants.classed("SN3700", "sonic", trust=True),
    "ports with profiles": tenants.profiled("SN3700", "sonic", portfast=False),
}
TOY = """
module sonic-toy {
  namespace "urn:toy"; prefix toy;
  grouping row { leaf speed { type uint32 { range "1..9"; } } leaf-list peers { type string; } }
  container sonic-toy {
    container TOY {
      list TOY_LIST {
        key "name"; leaf name { type string; }
        choice kind { case a { leaf left { type string; } } case b { leaf right { type string; } } }
        uses row;
      }
      list TOY_PREFIX_LIST {
        key "name prefix";
        leaf name { type leafref { path "../../TOY_LIST/name"; } } leaf prefix { type string; }
      }
    }
    container TOY_MAP {
      list TOY_MAP_LIST {
        key "name"; leaf name { type string; }
        list TOY_MAP { key "dscp"; leaf dscp { type uint8; } leaf tc { type uint8; } }
      }
    }
    container TOY_GLOBAL { container global { leaf admin { type enumeration { enum up; } } } }
    container TOY_JOINED { list TOY_JOINED_LIST {
      key "port"; leaf port { type string; }
      leaf-list profile_list { type string { length "1..4"; } }
    } }
  }
}
"""
SOUND: dict[str, Any] = {
    "TOY": {"a": {"speed": "3", "peers": ["x", "y"], "left": "<&"}, "a|10.0.0.1/31": {}},
    "TOY_MAP": {"AZURE": {"26": "3", "48": "7"}},
    "TOY_GLOBAL": {"global": {"admin": "up"}},
    "TOY_JOINED": {"Ethernet0": {"profile_list": "one,two"}},
}
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "a table": ({"SAG": {"GLOBAL": {}}}, "SAG", "no such table"),
    "a field": ({"TOY": {"a": {"mac": "x"}}}, "TOY > a > mac", "no such field"),
    "an entry": ({"TOY": {"a|b|c": {}}}, "TOY > a|b|c", "no such entry"),
    "a field of a container": (
        {"TOY_GLOBAL": {"global": {"vrf": "mgmt"}}},
        "TOY_GLOBAL > global > vrf",
        "no such entry",
    ),
    "a range": ({"TOY": {"a": {"speed": "10"}}}, "TOY > a > speed", "range"),
    "a reference": ({"TOY": {"b|10.0.0.1/31": {}}}, "TOY > b|10.0.0.1/31 > name", "leafref"),
    "a word": ({"TOY_GLOBAL": {"global": {"admin": "x"}}}, "TOY_GLOBAL > global > admin", "enum"),
    "a row of a map": ({"TOY_MAP": {"AZURE": {"999": "3"}}}, "", "999"),
    "a part of a joined text": (
        {"TOY_JOINED": {"Ethernet0": {"profile_list": "one,three"}}},
        "TOY_JOINED > Ethernet0 > profile_list",
        "length",
    ),
}
needs_yanglint = pytest.mark.skipif(
    shutil.which("yanglint") is None, reason="yanglint is not installed (libyang-tools)"
)
needs_models = pytest.mark.skipif(
    MODELS not in os.environ, reason="FABRICGEN_SONIC_YANG names no folder of SONiC's YANG models"
)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    folder = tmp_path / "models" / "202505"
    folder.mkdir(parents=True)
    (folder / "sonic-toy.yang").write_text(TOY)
    return folder


def candidate(db: dict[str, Any], name: str = "leaf1", release: str = "202505") -> Candidate:
    return Candidate(name, release, json.dumps(db))


@needs_yanglint
def test_what_the_models_have_is_not_refused(toy: Path) -> None:
    assert list(refusals(toy, [candidate(SOUND)])) == []


@needs_yanglint
@pytest.mark.parametrize("fault", FAULTS)
def test_what_they_do_not_have_is_refused_with_its_place(fault: str, toy: Path) -> None:
    db, place, why = FAULTS[fault]
    (refusal,) = refusals(toy, [candidate(SOUND), candidate(db, "leaf2")])
    assert (refusal.switch, refusal.release) == ("leaf2", "202505")
    assert refusal.place.startswith(place)
    assert why in refusal.why
    assert "location" not in refusal.why


def test_a_placeholder_is_judged_as_a_word_and_two_references_as_two() -> None:
    one, other = (judge.resolved(f"<<secret:env:{name}>>") for name in ("A", "B"))
    assert one != other
    assert all(re.fullmatch("[a-z0-9-]{8,32}", word) for word in (one, other))


@needs_yanglint
def test_one_refused_file_hides_no_other(toy: Path) -> None:
    bad = {"TOY": {"a": {"speed": "10"}}}
    judged = [candidate(bad if number % 3 else SOUND, f"leaf{number}") for number in range(7)]
    assert [each.switch for each in refusals(toy, judged)] == ["leaf1", "leaf2", "leaf4", "leaf5"]


@needs_yanglint
def test_a_release_has_its_own_folder_where_there_is_one(toy: Path) -> None:
    other = toy.parent / "202511"
    other.mkdir()
    (other / "sonic-toy.yang").write_text(TOY.replace("1..9", "1..2"))
    judged = [candidate(SOUND), candidate(SOUND, "leaf2", "202511")]
    assert [each.switch for each in refusals(toy.parent, judged)] == ["leaf2"]
    with pytest.raises(NotRun, match="no models of 202605"):
        list(refusals(toy.parent, [candidate(SOUND, release="202605")]))
    with pytest.raises(NotRun, match="is no folder"):
        list(refusals(toy.parent / "none", [candidate(SOUND)]))


@needs_yanglint
def test_models_that_cannot_be_read_judge_nothing(tmp_path: Path) -> None:
    (tmp_path / "sonic-toy.yang").write_text("module sonic-toy {")
    with pytest.raises(NotRun, match="cannot read"):
        list(refusals(tmp_path, [candidate(SOUND)]))


def test_a_machine_without_yanglint_says_so(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PROGRAM", "no-such-program")
    with pytest.raises(NotRun, match="libyang-tools"):
        list(refusals(toy, [candidate(SOUND)]))


def test_a_place_is_spelled_as_in_the_file() -> None:
    deep = "/sonic-x:sonic-x/X/X_LIST[name='a'][ip-prefix='10.0.0.1/31']/mtu"
    assert spelled(deep) == "X > a|10.0.0.1/31 > mtu"
    assert spelled("/sonic-x:sonic-x/X/global/vrf") == "X > global > vrf"


@cache
def example(site: str, release: str) -> list[Candidate]:
    """Render an example site as if every switch ran a release, also one older than its hwskus."""
    return judged_of(load_site(INTENT / site), release)


def judged_of(loaded: Loaded, release: str) -> list[Candidate]:
    """Render every switch as if it ran a release."""
    made = compile_site(loaded, f"sonic:{release}")
    assert made.site is not None
    errors = [one.message for one in made.findings if one.severity is Severity.ERROR]
    assert all("has its ports and packet memory from" in text for text in errors), errors
    renderer = Renderer()
    return [
        Candidate(switch_slice.switch.name, release, files_of(switch_slice, renderer)[0].text)
        for _, switch_slice in slices(made.site)
    ]


@needs_models
@needs_yanglint
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("site", sorted(path.name for path in INTENT.iterdir()))
def test_no_release_refuses_a_file_of_an_example_site(site: str, release: str) -> None:
    assert list(refusals(Path(os.environ[MODELS]), example(site, release))) == []


@needs_models
@needs_yanglint
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("text", TENANTS.values(), ids=TENANTS.keys())
def test_no_release_refuses_what_tenants_ask_for(text: str, release: str) -> None:
    judged = judged_of(load_texts({"site.yaml": text}), release)
    assert list(refusals(Path(os.environ[MODELS]), judged)) == []


@needs_models
@needs_yanglint
@pytest.mark.parametrize("release", RELEASES)
def test_no_release_refuses_what_a_first_boot_brings(release: str) -> None:
    switch_slice = cast("Any", SimpleNamespace(services=SimpleNamespace(users=())))
    first = [
        each._replace(text=first_boot(switch_slice, {TABLES: each.text}, "").files[TABLES])
        for each in example("full", release)
    ]
    assert list(refusals(Path(os.environ[MODELS]), first)) == []


@needs_models
@needs_yanglint
@pytest.mark.parametrize("site", SITES)
def test_the_default_release_refuses_no_file_of_a_small_site(site: str) -> None:
    judged = [
        Candidate(each.switch_slice.switch.name, NOS.release, json.dumps(each.db))
        for each in rendered(site)
    ]
    assert list(refusals(Path(os.environ[MODELS]), judged)) == []


def test_a_site_that_is_not_judged_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    made = compile_site(load_site(INTENT / "rail-only"), "sonic")
    assert made.site is not None
    (unnamed,) = held(made.site, None)
    assert unnamed.not_run.endswith("(use --models or FABRICGEN_SONIC_YANG)")
    monkeypatch.setenv("FABRICGEN_SONIC_YANG", "/nowhere")
    (missing,) = held(made.site, None)
    assert missing.not_run == "/nowhere is no folder"
    assert not missing.findings


@needs_yanglint
def test_a_site_is_judged_by_the_folder_that_is_named(toy: Path) -> None:
    made = compile_site(load_site(INTENT / "rail-only"), "sonic:202505")
    assert made.site is not None
    (said,) = held(made.site, toy.parent)
    assert said.objects == 4
    assert len(said.findings) == 21  # the toy has none of SONiC's tables
    assert "be-leaf1 (and 3 more) config_db.json: DEVICE_METADATA: " in said.findings[0].message
    assert "202505" in said.findings[0].message
    assert "config reload" in said.findings[0].hint
