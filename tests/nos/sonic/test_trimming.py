"""A fabric without PFC: trimmed queues, read back, and refused where no source supports them."""

import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MODELS
from tests.nos.sonic.test_yang import needs_models, needs_yanglint
from tests.unit.proof.qos.rendered import Rendered, render, state

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.compile.reports.lossless import as_data, commons, kinds
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.port_qos import Cut
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.models import Candidate
from fabricgen.nos.sonic.facts import sku_of
from fabricgen.nos.sonic.trimming import trimming_gaps, with_trimming
from fabricgen.nos.sonic.yang.judge import refusals

SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22}}
  accept_unsupported: [{accepted}]
backend:
  design: rail-optimized
  planes: {planes}
  servers: {{count: 4, gpus: 2, nic: thor2, nic_ports: {planes}, nic_speed: 100G}}
  links: {{speed: 100G}}
  oversubscription: 4
  leaf: {{model: {model}, platform: {platform}, {more}}}
  spine: {{model: {model}, platform: {platform}, count: 2, {more}}}
  roce: {roce}
"""
PROFILE = "{profile: nvidia-lossy-multi-tc}"
DB = "config_db.json"
LEAF = "be-p1-su01-leaf1"


def text(roce: str = PROFILE, **words: object) -> str:
    usual = {"planes": 4, "model": "SN5640", "platform": "sonic", "accepted": "packet-trimming"}
    return SITE.format(**usual | {"more": 'release: "202605"', "roce": roce} | words)


def compiled(roce: str = PROFILE, **words: object) -> Compiled:
    return compile_site(load_texts({"site.yaml": text(roce, **words)}))


def errors(roce: str = PROFILE, **words: object) -> list[str]:
    found = compiled(roce, **words).findings
    return [item.message for item in found if item.severity is Severity.ERROR]


@cache
def site() -> Rendered:
    return render(text())


def tables() -> dict[str, Any]:
    made = site()
    found: dict[str, Any] = json.loads(made.files[made.switch(LEAF)][DB])
    return found


def test_four_planes_trim_and_pause_nothing() -> None:
    db = tables()
    assert db["SWITCH_TRIMMING"] == {
        "GLOBAL": {"size": "256", "dscp_value": "11", "queue_index": "4"}
    }
    profiles = db["BUFFER_PROFILE"]
    assert profiles["q_lossy_trim_profile"] == {
        **profiles["q_lossy_profile"],
        "packet_discard_action": "trim",
    }
    port = min(db["PORT_QOS_MAP"].keys() - {"global"})
    queues = {key: row for key, row in db["BUFFER_QUEUE"].items() if key.startswith(f"{port}|")}
    assert {key.partition("|")[2]: row["profile"] for key, row in queues.items()} == {
        "0-2": "q_lossy_profile",
        "3": "q_lossy_trim_profile",
        "4-7": "q_lossy_profile",
    }
    assert db["SCHEDULER"]["scheduler.trimmed"] == {"type": "STRICT"}
    assert "scheduler.lossless" not in db["SCHEDULER"]
    (marking,) = db["WRED_PROFILE"].values()
    assert marking["green_min_threshold"] == "166912"
    assert not {"PFC_WD", "MAP_PFC_PRIORITY_TO_QUEUE", "LOSSLESS_TRAFFIC_PATTERN"} & db.keys()
    assert all("pfc_enable" not in row for row in db["PORT_QOS_MAP"].values())
    assert {switch.name[:5] for switch in site().files} == {f"be-p{n}" for n in range(1, 5)}


def test_all_switches_read_back_as_designed() -> None:
    made = site()
    leaf = made.switch(LEAF)
    read = state(made.files[leaf], leaf)
    assert read.faults == ()
    used = [port for port in read.ports.values() if port.up]
    assert used
    assert all(port.cuts == {3: Cut(256, 11, 4)} for port in used)
    assert made.verified().findings == ()


# A table, a key, its new row (None: without it), and what is said. `*` is the port of queue 3.
CHANGED: list[tuple[str, str, Any, str]] = [
    ("SWITCH_TRIMMING", "GLOBAL", {"size": "300", "dscp_value": "11", "queue_index": "4"}, "300"),
    ("SWITCH_TRIMMING", "GLOBAL", {"size": "256", "dscp_value": "9", "queue_index": "4"}, "DSCP 9"),
    (
        "SWITCH_TRIMMING",
        "GLOBAL",
        {"size": "256", "dscp_value": "11", "queue_index": "6"},
        "ueue 6",
    ),
    ("SWITCH_TRIMMING", "GLOBAL", {"size": "256", "dscp_value": "11"}, "is not rendered"),
    ("SWITCH_TRIMMING", "GLOBAL", None, "must be used together"),
    ("BUFFER_PROFILE", "q_lossy_trim_profile", None, "must be used together"),
    (
        "BUFFER_PROFILE",
        "q_lossy_trim_profile",
        {
            "pool": "egress_lossy_pool",
            "size": "0",
            "dynamic_th": "7",
            "packet_discard_action": "trim",
        },
        "q_lossy_trim_profile is pool",
    ),
    (
        "BUFFER_QUEUE",
        "*|3",
        {"profile": "q_lossy_profile"},
        "drops packets; it must be that it trims",
    ),
    ("BUFFER_QUEUE", "*|4-7", {"profile": "q_lossy_trim_profile"}, "must be that it drops packets"),
]


@pytest.mark.parametrize(("table", "key", "row", "said"), CHANGED)
def test_a_changed_file_is_found(table: str, key: str, row: Any, said: str) -> None:
    made, db = site(), tables()
    leaf = made.switch(LEAF)
    port = min(name for name in db["BUFFER_QUEUE"] if name.endswith("|3")).partition("|")[0]
    name = key.replace("*", port)
    if row is None:
        del db[table][name]
    else:
        db[table][name] = row
    files = {**made.files[leaf], DB: json.dumps(db, indent=4) + "\n"}
    assert any(said in item.message for item in made.verified({leaf: files}).findings)


def test_the_report_claims_no_lossless_class() -> None:
    made = site().site
    data = as_data(kinds(made, LEAF), commons(made))
    assert [item["class"] for item in data["classes"]["backend"]] == [
        "best-effort",
        "lossy",
        "trimmed",
        "cnp",
        "control",
    ]
    claims = [one for kind in data["switches"] for port in kind["files"] for one in port["claims"]]
    trims = [one for one in claims if one["rule"].startswith("a full queue trims")]
    assert trims
    assert {one["state"] for one in trims} == {"holds"}
    assert "config_db.json: SWITCH_TRIMMING > GLOBAL > size" in trims[0]["lines"]
    assert not [one for one in claims if "pause" in one["rule"]]
    (fabric,) = made.fabrics
    assert fabric.qos is not None
    assert "lossy with trimming" in fabric.qos.because.rule


@pytest.mark.parametrize(
    ("roce", "words", "said"),
    [
        ("{trimming: {}}", {}, "a paused queue drops nothing"),
        ("{profile: nvidia-lossy-multi-tc, pfc: true}", {}, "a paused queue drops nothing"),
        ("{pfc: false, trimming: {dscp: 26}}", {}, "DSCP 26 of trimmed packets is already used"),
        ("{pfc: false, trimming: {dscp: 48}}", {}, "DSCP 48 of trimmed packets is already used"),
        ("{pfc: false, trimming: {priority: 3}}", {}, "trimmed packets is already used by RoCE"),
        ("{pfc: false, trimming: {priority: 7}}", {}, "already used by routing protocols"),
        ("{pfc: false, storage: {}, trimming: {}}", {}, "already used by storage"),
        ("{pfc: false, trimming: {size: 255}}", {}, "trims packets to 256 to 4084 bytes, not"),
        (PROFILE, {"model": "SN5600", "more": ""}, "no source shows that hwsku"),
        (PROFILE, {"model": "7060X6-64PE", "more": ""}, "(Tomahawk5) trims packets"),
        (
            PROFILE,
            {"more": 'release: "202411"', "accepted": ""},
            "does not support packet-trimming",
        ),
        (PROFILE, {"accepted": ""}, "no source states a DSCP by which thor2"),
    ],
)
def test_what_cannot_be_is_refused_by_name(roce: str, words: dict[str, str], said: str) -> None:
    found = errors(roce, **words)
    assert any(said in message for message in found), found


@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_other_platforms_refuse_it_and_still_mark(platform: str) -> None:
    words = {"platform": platform, "more": "", "planes": 1}
    words["model"] = "7060X6-64PE" if platform == "eos" else "SN4700"
    found = errors(PROFILE, **words | {"accepted": ""})
    assert any("does not support packet-trimming" in message for message in found)
    made = render(text(PROFILE, **words))
    assert made.verified().findings == ()
    switch = made.switch("be-su01-leaf1")
    used = [port for port in state(made.files[switch], switch).ports.values() if port.marks]
    assert used
    assert not any(port.paused or port.cuts for port in used)


def test_a_nic_of_the_site_agrees_or_is_refused() -> None:
    shipped = Path("src/fabricgen/model/catalog/data/nics/thor2.yaml").read_text()
    own = shipped.replace("model: thor2", "model: thor2-t")
    told = "trimmed: {dscp: 11, source: the letter of its maker}\n"
    for dscp, expected in (("11", []), ("12", [Code.TRIMMING_UNKNOWN])):
        texts = {
            "site.yaml": text(accepted="").replace("nic: thor2", "nic: thor2-t"),
            "catalog/nics/thor2-t.yaml": own + told.replace("11", dscp),
        }
        found = compile_site(load_texts(texts)).findings
        bad = [item for item in found if item.severity is Severity.ERROR]
        assert [item.code for item in bad] == expected
        assert all("DSCP 11, but thor2-t expects 12" in item.message for item in bad)


def test_a_key_of_null_removes_the_trimming_of_a_profile() -> None:
    made = compiled("{profile: nvidia-lossy-multi-tc, trimming: null}")
    assert made.site is not None
    (fabric,) = made.site.fabrics
    assert fabric.qos is not None
    assert fabric.qos.trimmed is None
    assert not fabric.qos.lossless


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("", ["to exactly 206 bytes, not to 256"]),
        ("size: 206", []),
        ("size: 206, priority: 5", ["in queue 4, not in 5"]),
    ],
)
def test_a_hwsku_of_tomahawk5_trims_as_its_files_say(keys: str, said: list[str]) -> None:
    words = {"model": "7060X6-64PE", "planes": 1, "more": ""}
    made = compiled(f"{{pfc: false, trimming: {{{keys}}}}}", **words)
    assert made.site is not None
    (switch_slice, *_) = (each for _, each in slices(made.site))
    assert isinstance(switch_slice, SwitchSlice)
    shipped = sku_of(switch_slice)
    sku = replace(shipped, name="Arista-7060X6-64PE-B-C512S2")
    gaps = [item.message for item in trimming_gaps(switch_slice, sku)]
    assert len(gaps) == len(said)
    assert all(word in gap for word, gap in zip(said, gaps, strict=True))
    assert switch_slice.qos is not None
    memory: dict[str, Any] = {"BUFFER_POOL": {}, "BUFFER_PROFILE": {}}
    tables = with_trimming(memory, sku, switch_slice.qos)
    usual = {name: str(value) for name, value in sku.profiles["egress_lossy_profile"].items()}
    own = tables["BUFFER_PROFILE"]["q_lossy_trim_profile"]
    assert own == {**usual, "packet_discard_action": "trim"}


@needs_models
@needs_yanglint
@pytest.mark.parametrize("release", ["202505", "202511", "202605", "master"])
def test_no_release_that_trims_refuses_the_files(release: str) -> None:
    made = render(text(more=f'release: "{release}"'))
    judged = [Candidate(switch.name, release, files[DB]) for switch, files in made.files.items()]
    assert list(refusals(Path(os.environ[MODELS]), judged[:8])) == []
