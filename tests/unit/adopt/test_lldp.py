"""Configurations whose ports say nothing, and what LLDP heard: the network is found by it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml
from tests.unit.adopt.examples import rendered, tree_of
from tests.unit.adopt.strangers import said

from fabricgen.compile.compiler import compile_site
from fabricgen.importer.tree import loaded
from fabricgen.plan.documents.plan import neighbors

if TYPE_CHECKING:
    from pathlib import Path

EOS, SONIC = ("--model", "7050CX3-32S"), ("--model", "7060X6-64PE=*spine*")
_TEXT = re.compile(r"(?m)^ +(?:neighbor \S+ )?description .*\n")
_TOLD = re.compile(r"description|DEVICE_NEIGHBOR|(?:IN-|OUT-|ZONE6?-)red_")
"""What stands in texts alone: far ends, and what a router outside is called."""


def silent(path: str, text: str) -> str:
    """Return a file without texts on ports and sessions."""
    if not path.endswith(".json"):
        return _TEXT.sub("", text)
    tables = json.loads(text)
    tables.pop("DEVICE_NEIGHBOR", None)
    for port in tables["PORT"].values():
        del port["description"]
    return json.dumps(tables, indent=4)


def answer(platform: str, heard: list[tuple[str, str, str]]) -> Any:
    """Return what a switch prints: `show lldp neighbors | json`, or `lldpctl -f json`."""
    if platform == "eos":
        keys = ("port", "neighborDevice", "neighborPort")
        return {"lldpNeighbors": [dict(zip(keys, row, strict=True)) for row in heard]}
    rows = [
        {port: {"chassis": {name: {}}, "port": {"id": {"type": "local", "value": there}}}}
        for port, name, there in heard
    ]
    return {"lldp": {"interface": rows}}


def network(example: str, *, servers: bool = True) -> dict[str, str]:
    """Return the files of an example and what its switches heard. servers: these speak LLDP."""
    tree = tree_of(example)
    texts, platforms = rendered(tree)
    site = compile_site(loaded(tree)).site
    assert site is not None
    behind = neighbors(site)
    files: dict[str, str] = {}
    for folder, own in texts.items():
        name = folder.rpartition("/")[2]
        files |= {f"{name}/{path}": silent(path, text) for path, text in own.items()}
        heard = [(port, far[0], far[1]) for port, far in behind[name].items() if far[2] or servers]
        files[f"lldp/{name}.json"] = json.dumps(answer(platforms[folder], heard))
    return files


def adopted(folder: Path, files: dict[str, str], *words: str) -> tuple[Any, str, Any]:
    """Return the report, what is said beside the progress, and the intent."""
    code, out, err = said(folder, files, *words, "--format", "json")
    assert code == 0, err
    texts = [each.read_text(encoding="utf-8") for each in (folder / "site").rglob("*.yaml")]
    intent: dict[str, Any] = {}
    for each in map(yaml.safe_load, texts):
        intent |= each
    findings = [line for line in err.splitlines(keepends=True) if not line.endswith("…\n")]
    return json.loads(out), "".join(findings), intent


def test_servers_and_spines_are_found_by_what_eos_heard(tmp_path: Path) -> None:
    report, err, intent = adopted(tmp_path, network("tenants"), *EOS)
    assert err == ""
    groups = intent["frontend"]["leaf_groups"].values()
    assert [each["servers"]["per_leaf"] for each in groups] == [16, 8]
    wrong = [each for each in report["remainders"] if not _TOLD.search(each["text"])]
    assert wrong == []


def test_aliases_that_sonic_tells_are_its_ports(tmp_path: Path) -> None:
    report, err, intent = adopted(tmp_path, network("storage"), *SONIC)
    assert err == ""
    kinds = intent["servers"]
    assert {name: kinds[name]["count"] for name in kinds} == {
        "storage-compute": 8,
        "storage-storage": 4,
    }
    wrong = [each for each in report["remainders"] if not _TOLD.search(each["text"])]
    assert wrong == []


def test_servers_that_say_nothing_are_named_by_their_ports(tmp_path: Path) -> None:
    _, err, intent = adopted(tmp_path, network("tenants", servers=False), *EOS)
    assert "FG885 warning: unknown neighbor of used port `Ethernet1/1` of fe-leaf01 and 95 " in err
    assert "servers" not in intent
    assert intent["frontend"]["spine"] == {"model": "7050CX3-32S", "platform": "eos"}
