"""A network of another hand becomes one fabric that compiles; what it cannot be is named."""

import json
from pathlib import Path
from typing import Any

from tests.unit.adopt.foreign import MODELS, configurations
from tests.unit.adopt.strangers import said

COUNTS = ("lines", "by_keys", "own_lines", "share", "compiles")


def adopted(
    folder: Path, files: dict[str, str], *words: str, unsaid: bool = False
) -> tuple[dict[str, Any], str]:
    """Return the report, and what is said. unsaid: without the models."""
    models = () if unsaid else MODELS
    code, out, err = said(folder, files, *models, "--format", "json", *words)
    assert code == 0, err
    return json.loads(out), err


def test_ports_and_descriptions_of_another_hand_make_one_fabric(tmp_path: Path) -> None:
    report, _ = adopted(tmp_path, configurations())
    assert report["compiles"]
    assert report["share"] > 80, report["remainders"]
    fabric = (tmp_path / "site" / "frontend.yaml").read_text(encoding="utf-8")
    assert 'names: {leaf: "dc1-tor{index}", spine: "dc1-sp{index}"}' in fabric
    assert "servers: {per_leaf: 4, speed: 25G" in fabric
    assert "growth: {spines: 8}" in fabric
    assert not [pin for pin in report["pins"] if ".links." in pin["path"]]


def test_ports_of_a_lab_are_taken_by_their_number_and_that_is_said(tmp_path: Path) -> None:
    named, _ = adopted(tmp_path / "named", configurations())
    report, err = adopted(tmp_path / "lab", configurations("Ethernet{}", "Ethernet{}"))
    assert [report[each] for each in COUNTS] == [named[each] for each in COUNTS]
    assert "FG889 warning: `Ethernet1` of dc1-sp1 and 1 other switch is read as" in err
    assert "`Ethernet49/1` of 7280SR3-48YC8: 6 ports matched by number" in err


def test_a_port_that_no_model_has_is_said_and_its_lines_are_not_lost(tmp_path: Path) -> None:
    files = configurations()
    files["sp1.cfg"] += "interface Ethernet77\n   ip address 10.9.9.1/31\n"
    report, err = adopted(tmp_path, files)
    assert "`Ethernet77` of dc1-sp1 is not a port of 7050CX3-32S: its cable is ignored" in err
    fabric = (tmp_path / "site" / "frontend.yaml").read_text(encoding="utf-8")
    remains = str(report["remainders"])
    assert "ip address 10.9.9.1/31" in fabric + remains


def test_what_no_intent_may_say_is_left_out_and_named_so_that_the_rest_compiles(
    tmp_path: Path,
) -> None:
    files = {  # a tunnel that starts at the loopback, as many FRR networks have it
        name: text.replace("10.1.1.", "10.1.0.") for name, text in configurations().items()
    }
    report, err = adopted(tmp_path, files)
    assert report["compiles"]
    assert report["share"] > 80
    assert "FG890 warning: removed frontend." in err
    assert "to avoid FG301: 10.1.0.11 is on the loopback of" in err
