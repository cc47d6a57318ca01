"""A SONiC network of another hand: no server, no tunnel, no model, and more than a text takes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.unit.adopt.inventories import put
from tests.unit.adopt.sonic_lab import cables, configurations
from tests.unit.adopt.strangers import said
from tests.unit.adopt.test_labs import fabric


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Adopt it once."""
    folder = tmp_path_factory.mktemp("lab")
    put(folder / "stock", {"cables.csv": cables()})
    words = ("--inventory", "stock", "--format", "json")
    code, out, err = said(folder, configurations(), *words)
    assert code == 0, err
    return folder, json.loads(out)


def test_who_has_vrfs_is_a_leaf_where_no_server_is_known(lab: tuple[Path, dict[str, Any]]) -> None:
    folder, report = lab
    written = fabric(folder)
    assert report["compiles"]
    assert report["share"] > 75, report["remainders"]
    assert "leafs: 1-2" in written
    assert 'names: {leaf: "dc7-edge{index}", spine: "dc7-core{index}"}' in written


def test_the_platform_says_the_model_where_the_sku_is_unknown(
    lab: tuple[Path, dict[str, Any]],
) -> None:
    assert "leaf: {model: SONIC-VS" in fabric(lab[0]).replace("\n    model", " {model")


def test_sections_of_frr_and_entries_of_the_database_are_own_lines(
    lab: tuple[Path, dict[str, Any]],
) -> None:
    written = fabric(lab[0])
    assert "DEVICE_METADATA" in written  # the text of all entries is longer than one line may be
    assert "network fd07:12::/48" in written  # two prefixes are no contradiction
    assert "network fd07:12::1/128" in written
    assert "router bgp {{ switch.asn }} vrf Red7" in written
    nested = "segment-routing\n   srv6\n      encapsulation\n         source-address fd07:11::1\n"
    assert nested in re.sub(r"(?m)^ {10}", "", written)


def test_without_cables_nothing_is_lost(tmp_path: Path) -> None:
    code, out, err = said(tmp_path, configurations(), "--format", "json")
    report = json.loads(out)
    assert code == 1, err
    assert "no cable of dc7-core1, dc7-core2, dc7-edge1, dc7-edge2 is known" in err
    theirs = [each for each in report["remainders"] if not each["rendered"]]
    assert len(theirs) == report["lines"]
    assert {each["why"] for each in theirs} == {"the intent has no such switch"}
