"""A network of another hand becomes one fabric that compiles; what it cannot be is named."""

import json
from pathlib import Path
from typing import Any

from tests.unit.adopt.foreign import MODELS, configurations
from tests.unit.adopt.strangers import said


def adopted(folder: Path, files: dict[str, str], *words: str) -> tuple[dict[str, Any], str]:
    """Return the report, and what is said."""
    code, out, err = said(folder, files, *MODELS, "--format", "json", *words)
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
