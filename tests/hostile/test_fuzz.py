"""What strangers write, broken in random ways: an answer or a refusal, never another exception.

Nothing is written, started or connected to by who reads it, and no input is worked on for long.
"""

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.calling import ROOT, TENANTS, call
from tests.cli.formats.test_plan import batch, entry, plan
from tests.deploy.verbs.staff import make_key
from tests.hostile.breaking import broken_json, broken_text, fuzzed
from tests.hostile.guard import guarded
from tests.unit.deploy.team.test_windows import KEY

from fabricgen.cli.formats.plan import show
from fabricgen.compile.design.site import design_site
from fabricgen.compile.output.manifest import read_manifest
from fabricgen.compile.output.risks import changes_of, remarks
from fabricgen.core.confined import is_below
from fabricgen.core.tree.database import Database
from fabricgen.intent.load import load_texts
from fabricgen.nos.sonic.grammar import GRAMMAR
from fabricgen.operate.deploy.batches.sizes import sizes
from fabricgen.operate.deploy.coordination.terms import compared
from fabricgen.operate.deploy.inventory.files import read_inventory
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Act, JournalFailure, Kind, Phase, Result, Step
from fabricgen.operate.deploy.plan.document import (
    BadPlan,
    Keeps,
    Plan,
    Split,
    Stage,
    Together,
    as_text,
    identified,
    read_plan,
)
from fabricgen.operate.deploy.team import authorization as leave
from fabricgen.operate.deploy.team.authorization import Rules, closed_reason
from fabricgen.operate.deploy.team.policy import Team
from fabricgen.operate.deploy.team.signed import NoSignature, prove, read, text_of, written

SITE = {path.name: path.read_text() for path in sorted((ROOT / "intent/lab").rglob("*.yaml"))}


@fuzzed
@given(data=st.data())
def test_yaml(data: st.DataObject) -> None:
    """One file of a site is broken; what is left of it is designed."""
    name = data.draw(st.sampled_from(sorted(SITE)))
    written = data.draw(broken_text(SITE[name]))
    with guarded():
        loaded = load_texts(SITE | {name: written})
        assert loaded.intent is not None or loaded.findings
        if loaded.intent is not None:
            design_site(loaded.intent)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tree") / "out"
    assert call("render", TENANTS, "-o", str(out)).code == 0
    return out


@fuzzed
@given(data=st.data())
def test_manifests(tree: Path, data: st.DataObject) -> None:
    whole = {
        "format_version": 2,
        "site": "s",
        "inputs": "0" * 64,
        "parts": {"frontend": "0" * 64},
        "findings": [{"code": "FG101", "severity": "error", "message": "m"}],
        "files": {"frontend/fe-leaf01/eos.cfg": {"sha256": "0" * 64, "executable": True}},
    }
    (tree / "manifest.json").write_text(data.draw(broken_json(whole)))
    with guarded():
        manifest = read_manifest(tree)
        assert manifest is None or all(map(is_below, manifest.files))
        assert call("diff", str(tree), str(tree)).code in (0, 1)


@fuzzed
@given(data=st.data())
def test_plans(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """As they stand, and with the hash that whoever writes one by hand can write, too."""
    path = tmp_path_factory.getbasetemp() / "fuzzed-plan.json"
    whole = data.draw(broken_json(json.loads(as_text(whole_plan()))))
    path.write_text(whole)
    with guarded(), suppress(BadPlan):
        looked_at(read_plan(path))
    with suppress(ValueError):
        path.write_text(as_text(identified(unhashed(whole))))
        with guarded(), suppress(BadPlan):
            looked_at(read_plan(path))


@cache
def whole_plan() -> Plan:
    """Return a plan with something of everything."""
    split = Split(
        fabric="frontend",
        what="VLAN 100 jobs",
        differs="VNI 10100 on 1, 20100 on 1",
        begins=1,
        ends=2,
        effect="they do not reach each other",
        source="RFC 7348",
        breaks=True,
        servers=4,
        between=("leaf1", "leaf2"),
        outside=(),
    )
    window = Together(vlans=(100,), vrfs=("red",), cables=False)
    alone = batch("leaf1", why="the first").model_copy(update={"window": window})
    gone = entry("leaf3", "unreachable", said="no answer")
    kept = {"leaf1": Keeps(imports=(64999,), asn=65000, strangers=("leaf2",))}
    made = plan(entry("leaf1"), entry("leaf2"), gone, batches=(alone, batch("leaf2")))
    stage = Stage(number=1, of=3, said="both", kept=kept)
    return identified(made.model_copy(update={"splits": (split,), "step": stage}))


def unhashed(text: str) -> Plan:
    """Read a plan whose hash nobody compares. ValueError when it is none."""
    content = json.loads(text)
    if not isinstance(content, dict):
        raise ValueError("no plan")  # noqa: TRY004 - as what pydantic and json raise
    content.pop("sha256", None)
    return Plan.model_validate_json(json.dumps(content))


def looked_at(found: Plan) -> None:
    """Do what a push does with a plan before it asks a switch: show it, and ask of what it says."""
    for form in ("text", "json", "markdown"):
        assert show(found, form)
    assert found.unknown is not None
    assert found.age(leave.now()) is not None
    assert found.step is None or found.step.transitions is not None
    assert sizes(found.sizes).at(10) is not None


@pytest.fixture(scope="module")
def approval(tmp_path_factory: pytest.TempPathFactory) -> tuple[Team, str]:
    """Return the rules of a team, and what its one person signed."""
    key = make_key(tmp_path_factory.mktemp("key") / "bob")
    people = {"bob": {"keys": [key.with_suffix(".pub").read_text()]}}
    team = Team.model_validate({"people": people, "may": {"approve": ["bob"]}})
    rules = Rules(team=team, policy="", site="small", clock=leave.now)
    return team, written(rules.signed(Act.APPROVE, "a" * 64, key))


@fuzzed
@given(data=st.data())
def test_approvals(approval: tuple[Team, str], data: st.DataObject) -> None:
    """What is proven in the end says what was signed."""
    team, whole = approval
    with suppress(NoSignature):
        said = data.draw(broken_text(whole))
        with guarded():
            signed = read(said)
        prove(team, signed)
        assert whole.startswith(text_of(signed))


RULES = {
    "people": {"bob": {"keys": [KEY]}},
    "may": {"plan": ["bob"], "approve": ["bob"]},
    "approvals": {"needed": 1, "hours": 8},
    "windows": [{"days": ["mon"], "from": "22:00", "to": "04:00", "zone": "Europe/Berlin"}],
    "freezes": [{"from": "2026-12-18T18:00Z", "to": "2027-01-04T08:00Z", "reason": "x"}],
}


@fuzzed
@given(data=st.data())
def test_rules(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "team.yaml").write_text(data.draw(broken_json(RULES)), errors="replace")
    with guarded():
        found = read_inventory(folder, {})
        assert found.inventory.team is not None or found.findings or found.policy is None
        if found.inventory.team is not None:
            closed_reason(found.inventory.team, "backend", leave.now())


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    with Journal.open(path) as kept, kept.lock("site", plan().id, "who") as lock:
        lock.keep(as_text(plan()))
        push = lock.start(Kind.PUSH, "0.1.0", plan().id)
        lock.record(push, [Step(switch="leaf1", phase=Phase.UNREACHABLE, message="no answer")])
        lock.end(push, Result.FAILED)
    return path


@fuzzed
@given(data=st.data())
def test_journals(journal: Path, data: st.DataObject) -> None:
    whole = bytearray(journal.read_bytes())
    for _ in range(data.draw(st.integers(1, 20))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = journal.with_name("fuzzed.db")
    path.write_bytes(whole)
    with guarded(), suppress(JournalFailure), Journal.open(path, make=False) as kept:
        pushes = kept.history()
        assert isinstance([kept.behind(), kept.takeovers(), kept.plan(plan().id)], list)
        assert all(isinstance(kept.signed(push.id), list) for push in pushes)
    assert path.read_bytes() == whole
    assert {each.name for each in path.parent.iterdir()} == {"journal.db", "fuzzed.db"}


@cache
def config_db() -> tuple[Any, str]:
    """Return what is rendered for a SONiC leaf, the first entries of each table, and its FRR."""
    files = ROOT / "tests/golden/rail-optimized/files/backend/be-su01-leaf1"
    tables = json.loads((files / "config_db.json").read_text())
    return {name: dict(list(of.items())[:2]) for name, of in tables.items()}, (
        files / "frr.conf"
    ).read_text()


@fuzzed
@given(data=st.data())
def test_config_db(data: st.DataObject) -> None:
    """Read, and compared with what is rendered, as a plan does with what runs."""
    tables, routing = config_db()
    running = data.draw(broken_json(tables))
    grammar = GRAMMAR["config_db.json"]
    assert isinstance(grammar, Database)
    sound = {"config_db.json": json.dumps(tables), "frr.conf": routing}
    with guarded():
        grammar.trace(running)
        runs = sound | {"config_db.json": running}
        for old, new in ((runs, sound), (sound, runs)):
            changes = changes_of("sonic", old, new)
            assert remarks(changes) is not None
            assert compared("sonic", old, new) is not None
