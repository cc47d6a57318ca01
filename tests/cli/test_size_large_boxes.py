"""Boxes of 144, 288 and 576 ports that a site brings: by counts without an OS, else whole."""

import json
from pathlib import Path

import pytest
from tests.cli.calling import call

# 7804R3: 144 ports, 7808R3: 288 ports of 400G (Arista 7800R3 architecture white paper, table 1).
CHASSIS = {"7804R3": 144, "7808R3": 288, "Box-576": 576}


def site(folder: Path, model: str, platforms: str, asic: str = "Jericho2") -> str:
    facts = folder / "catalog" / "switches"
    facts.mkdir(parents=True)
    modes = "{1x400G: 8}"
    (facts / f"acme-{model.lower()}.yaml").write_text(
        f"model: {model}\nvendor: Acme\nasic: {asic}\nsource: 'Arista 7800R3 white paper'\ncages:\n"
        f"  - {{first: 1, last: {CHASSIS[model]}, form: QSFP-DD, lanes: 8, modes: {modes}}}\n"
        f"platforms: {platforms}\n"
    )
    return str(folder)


def sized(here: str, model: str, *more: str) -> tuple[int, str]:
    said = call(
        *("size", "--servers", "64", "--site", here, "--spine", model, "--leaf", "7060DX5-64S"),
        *more,
    )
    return said.code, said.out + said.err


@pytest.mark.parametrize("model", CHASSIS)
def test_a_chassis_without_an_os_is_counted_and_not_configured(model: str, tmp_path: Path) -> None:
    here = site(tmp_path, model, "{}")
    code, text = sized(here, model, "--format", "json")
    assert code == 0
    (design,) = (
        row for name, row in json.loads(text)["designs"].items() if name == "rail-optimized"
    )
    assert design["unconfigured"] == [model]
    switches = design["fabrics"]["backend"]["switches"]
    assert switches["spine"] * CHASSIS[model] >= 64 * 8
    _, text = sized(here, model)
    assert f"counted, not configured: {model} in rails-apart, rail-optimized" in text
    code, text = sized(here, model, "-o", str(tmp_path / "new"))
    assert code != 0
    assert f"nothing was written: the catalog knows no network OS of {model}" in text
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("model", CHASSIS)
def test_a_box_with_facts_of_an_os_is_whole(model: str, tmp_path: Path) -> None:
    here = Path(site(tmp_path / "site", model, "{linux: {}}", asic="unknown"))
    (here / "site.yaml").write_text(
        "site: {name: big, management: {subnet: 10.0.0.0/16}}\n"
        "backend:\n"
        "  design: rail-optimized\n"
        "  scalable_unit: {servers: 8}\n"
        "  servers: {count: 8, gpus: 8, nic_speed: 400G}\n"
        "  leaf: {model: 7060DX5-64S, platform: eos}\n"
        f"  spine: {{model: {model}, platform: linux}}\n"
        "  roce: {pfc: false}\n"
    )
    said = call("render", str(here), "-o", str(tmp_path / "out"))
    assert said.code == 0, said.out
    spines = [
        path.name for path in (tmp_path / "out" / "backend").iterdir() if "spine" in path.name
    ]
    assert spines
    interfaces = tmp_path / "out" / "backend" / spines[0] / "etc" / "network" / "interfaces"
    assert "swp1" in interfaces.read_text()
