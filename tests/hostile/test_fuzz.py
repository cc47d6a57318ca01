"""What strangers write, broken in random ways: an answer or a refusal, never another exception.

FABRICGEN_FUZZ is how many inputs of each kind; `make reliability` gives 10,000.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.calling import ROOT, TENANTS, call
from tests.cli.formats.test_plan import plan
from tests.deploy.eapi.test_health import SHOWN
from tests.deploy.verbs.staff import make_key
from tests.unit.deploy.team.test_windows import KEY
from tests.unit.proof.state.lab import LEAF, RAIL, text

from fabricgen.confined import is_below
from fabricgen.deploy.inventory.files import read_inventory
from fabricgen.deploy.journal.journal import Journal
from fabricgen.deploy.journal.words import Act, JournalFailure, Kind, Phase, Result, Step
from fabricgen.deploy.plan.document import BadPlan, Plan, as_text, read_plan
from fabricgen.deploy.team import leave
from fabricgen.deploy.team.leave import Rules
from fabricgen.deploy.team.policy import Team
from fabricgen.deploy.team.signed import NoSignature, prove, read, text_of, written
from fabricgen.deploy.team.windows import shut
from fabricgen.intent.load import load_texts
from fabricgen.nos.eos.driver.health import look
from fabricgen.nos.health import lost
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.sonic.driver.health import health_of
from fabricgen.nos.sonic.grammar import GRAMMAR
from fabricgen.output.manifest import read_manifest
from fabricgen.tree.database import Database

if TYPE_CHECKING:
    from pathlib import Path

COUNT = int(os.environ.get("FABRICGEN_FUZZ", "30"))
fuzzed = settings(
    max_examples=COUNT,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["/etc/shadow", "../x", "\x1b]0;x\x07", "\ud800", "a" * 5000, [], {}, [[]]]),
)
ODD = ["\0", "{", "[" * 2000, "\ud7ff", '"', "\n", "999999999999999999999", "\x1e", ": "]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to everything inside a JSON value."""
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path] if path else []
    for key, each in inner:
        found += places(each, (*path, key))
    return found


@st.composite
def broken_json(draw: st.DrawFn, whole: Any) -> str:
    """Draw a document of which up to three parts are others, or gone, or under another key."""
    value = json.loads(json.dumps(whole))
    for _ in range(draw(st.integers(1, 3))):
        spots = places(value)
        if not spots:
            break
        *way, key = draw(st.sampled_from(spots))
        holder = value
        for step in way:
            holder = holder[step]
        kind = draw(st.sampled_from(["other", "gone", "key"]))
        if kind == "other" or isinstance(holder, list):
            holder[key] = json.loads(json.dumps(draw(LEAVES)))  # of its own: it may be broken, too
        else:
            kept = holder.pop(key)
            if kind == "key":
                holder[draw(st.text(max_size=5))] = kept
    return json.dumps(value)


@st.composite
def broken_text(draw: st.DrawFn, whole: str) -> str:
    """Draw a text of which up to three pieces are cut out, doubled, or something odd."""
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(whole)))
        end = min(len(whole), begin + draw(st.sampled_from([0, 1, 10, 1000])))
        put = draw(st.sampled_from(["", whole[begin:end] * 2, *ODD]))
        whole = whole[:begin] + put + whole[end:]
    return whole


@fuzzed
@given(broken_text((ROOT / "intent" / "lab" / "backend.yaml").read_text()))
def test_yaml(written: str) -> None:
    loaded = load_texts({"site.yaml": written})
    assert loaded.intent is not None or loaded.findings


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
    manifest = read_manifest(tree)
    assert manifest is None or all(map(is_below, manifest.files))
    before = sorted(tree.parent.rglob("*"))
    said = call("diff", str(tree), str(tree))
    assert said.code in (0, 1)
    assert sorted(tree.parent.rglob("*")) == before


@fuzzed
@given(data=st.data())
def test_plans(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed-plan.json"
    path.write_text(data.draw(broken_json(json.loads(as_text(plan())))))
    with suppress(BadPlan):
        assert isinstance(read_plan(path), Plan)


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
        signed = read(data.draw(broken_text(whole)))
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
    found = read_inventory(folder, {})
    assert found.inventory.team is not None or found.findings or found.policy is None
    if found.inventory.team is not None:
        shut(found.inventory.team, "backend", leave.now())


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
    with suppress(JournalFailure), Journal.open(path, make=False) as kept:
        pushes = kept.history()
        assert isinstance([kept.behind(), kept.takeovers(), kept.plan(plan().id)], list)
        assert all(isinstance(kept.signed(push.id), list) for push in pushes)


@cache
def config_db() -> Any:
    tables = {"PORT": {"Ethernet0": {"admin_status": "up", "mtu": "9100", "lanes": "1,2"}}}
    vlans = {"VLAN": {"Vlan10": {"vlanid": "10"}}, "VLAN_MEMBER": {"Vlan10|Ethernet0": {}}}
    return tables | vlans | {"BUFFER_PG": {"Ethernet0|3-4": {"profile": "lossless"}}}


@fuzzed
@given(data=st.data())
def test_config_db(data: st.DataObject) -> None:
    grammar = GRAMMAR["config_db.json"]
    assert isinstance(grammar, Database)
    assert grammar.read(data.draw(broken_json(config_db()))).facts is not None


@fuzzed
@given(data=st.data())
def test_answers_of_vtysh(data: st.DataObject) -> None:
    """And of lldpcli, ip and tc, which stand in the same output."""
    output = text(data.draw(st.sampled_from([LEAF, RAIL])))
    assert LINUX.parse(data.draw(broken_text(output))) is not None
    assert health_of(data.draw(broken_text(output))) is not None


@fuzzed
@given(data=st.data())
def test_answers_of_eapi(data: st.DataObject) -> None:
    """Up to three of the commands are answered in other shapes."""
    broken = data.draw(st.lists(st.sampled_from(sorted(SHOWN)), min_size=1, max_size=3))

    def run(commands: list[Any]) -> list[Any]:
        answer = SHOWN[command := command_of(commands)]
        return [json.loads(data.draw(broken_json(answer))) if command in broken else answer]

    assert lost(look(lambda asked: [SHOWN[command_of(asked)]]), look(run)) is not None


def command_of(asked: list[Any]) -> str:
    (one,) = asked
    return str(one["cmd"] if isinstance(one, dict) else one)
