"""`fabricgen size`: designs side by side, and the intent of the one chosen, which compiles."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from tests.cli.calling import call

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.plan.sizing.counts import counted


def row(said: str, name: str) -> list[str]:
    (line,) = (line for line in said.splitlines() if line.startswith(f"{name}  "))
    return line[len(name) :].split()


def test_every_design_is_a_column_and_what_does_not_fit_says_why() -> None:
    said = call("size", "--servers", "128", "--growth", "1.5")
    assert said.code == 0
    heads = row(said.out, "backend")
    assert heads == ["rails-apart", "rail-optimized", "three-tier", "infiniband-2", "infiniband-3"]
    assert row(said.out, "leafs") == ["16", "16", "16", "32", "32"]
    assert row(said.out, "links to servers") == ["1,024"] * 5
    assert "rail-only does not fit: 192 servers need that many ports per rail" in said.out
    assert "chosen: rail-optimized, " in said.out
    assert "room for 192 servers" in said.out


@pytest.mark.parametrize("design", ["rail-only", "rails-apart", "rail-optimized", "three-tier"])
def test_what_is_written_compiles_to_what_was_counted(design: str, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    words = ("--servers", "40", "--frontend-ports", "2", "--storage-servers", "6")
    without = [word for part in ("racks", "oob", "edge") for word in ("--without", part)]
    said = call("size", *words, *without, "--design", design, "-o", str(target), "--format", "json")
    assert said.code == 0, said.err
    assert f"to {target}: {design}" in said.err
    data = json.loads(said.out)
    result = compile_site(load_site(target))
    assert result.ok, [item.message for item in result.findings]
    assert result.site is not None
    found = counted(result.site)
    told = data["designs"][design]["fabrics"]
    assert {name: each.switches for name, each in found.items()} == {
        name: each["switches"] for name, each in told.items()
    }
    assert {name: each.links for name, each in found.items()} == {
        name: each["links"] for name, each in told.items()
    }


SHAPES = (
    "",
    "--frontend-ports 1 --frontend-speed 25G --frontend-ratio 1",
    "--frontend-ports 2 --frontend-ratio 1",
    "--frontend-ports 2 --frontend-switch SN4600C",
    "--frontend-ports 2 --frontend-leafs 1",
)


WHOLE = (
    "--servers 8",
    "--servers 256 --frontend-ports 2 --storage-servers 24",
    "--servers 40 --frontend-ports 2 --growth 2 --design three-tier",
    "--servers 16 --frontend-ports 2 --frontend-switch SN4600C",
    "--servers 24 --frontend-ports 1 --frontend-speed 25G --design rail-only",
)


@pytest.mark.parametrize("words", WHOLE)
def test_a_written_site_is_clean_and_has_a_cabling_plan(words: str, tmp_path: Path) -> None:
    target, plan = tmp_path / "mine", tmp_path / "plan"
    assert call("size", *words.split(), "-o", str(target)).code == 0
    said = call("check", str(target))
    assert said.code == 0, said.out
    assert "warning" not in said.out
    assert call("cabling", str(target), "-o", str(plan)).code == 0
    racks = (plan / "racks.csv").read_text()
    assert "oob-leaf01" in racks
    assert "gpu0001" in racks
    front = "--frontend-ports" in words
    assert (target / "tenants.yaml").exists() is front
    if front:
        assert "wan2" in (target / "tenants.yaml").read_text()


@pytest.mark.parametrize(
    ("without", "names"),
    [
        ("racks oob", {"tenants.yaml"}),
        ("oob", {"tenants.yaml", "racks.yaml"}),
        ("tenants", {"racks.yaml", "oob.yaml"}),
        ("edge", {"tenants.yaml", "racks.yaml", "oob.yaml"}),
    ],
)
def test_parts_can_be_left_out(without: str, names: set[str], tmp_path: Path) -> None:
    target = tmp_path / "mine"
    options = [word for part in without.split() for word in ("--without", part)]
    words = ("--servers", "16", "--frontend-ports", "2")
    assert call("size", *words, *options, "-o", str(target)).code == 0
    usual = {"site.yaml", "servers.yaml", "backend.yaml", "frontend.yaml"}
    assert {each.name for each in target.iterdir()} == usual | names
    assert call("check", str(target)).code == 0
    assert ("border" in (target / "frontend.yaml").read_text()) is (
        without not in {"edge", "tenants"}
    )


def test_an_out_of_band_network_needs_racks(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    said = call("size", "--servers", "8", "--without", "racks", "-o", str(target))
    assert said.code == 1
    assert "`--without racks --without oob`" in said.err
    assert not target.exists()


@pytest.mark.parametrize("words", SHAPES)
def test_the_intent_renders(words: str, tmp_path: Path) -> None:
    site, out = tmp_path / "mine", tmp_path / "out"
    assert call("size", "--servers", "8", *words.split(), "-o", str(site)).code == 0
    said = call("render", str(site), "-o", str(out), "--jobs", "1")
    assert said.code == 0, said.err
    assert (out / "manifest.json").exists()


def test_64_servers_on_one_leaf_and_sixteen_spines_are_no_shape() -> None:
    words = ("--frontend-ports", "1", "--frontend-speed", "25G", "--frontend-ratio", "1")
    said = call("size", "--servers", "64", *words).out
    other = said[said.index("other fabrics") :]
    assert row(other, "leafs") == row(other, "spines") == ["2"]
    assert row(other, "links to spines") == ["16"]


def test_an_intent_that_the_check_refuses_is_not_written(tmp_path: Path) -> None:
    """The design fits. No release of SONiC has packet memory for lossless traffic on SN5640."""
    target = tmp_path / "mine"
    words = ("--servers", "16", "--switch", "SN5640", "--design", "rail-only")
    said = call("size", *words, "-o", str(target))
    assert said.code == 1
    assert "nothing was written: the intent of rail-only has errors" in said.err
    assert "FG223" in said.err
    assert "warning" not in said.err
    assert not target.exists()


def own_hardware(folder: Path) -> Path:
    """Write a site whose only file is a switch of its own."""
    text = (files("fabricgen.model.catalog") / "data/switches/arista-7050cx3-32s.yaml").read_text()
    text = text.replace("model: 7050CX3-32S", "model: Box-32")
    file = folder / "catalog" / "switches" / "acme-box-32.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return folder


def test_hardware_of_a_site_is_used_and_written(tmp_path: Path) -> None:
    mine, target = own_hardware(tmp_path / "mine"), tmp_path / "sized"
    words = ("--servers", "24", "--frontend-ports", "1", "--frontend-switch", "Box-32")
    assert "switch 'Box-32' is not in the catalog" in call("size", *words).err
    said = call("size", *words, "--site", str(mine), "-o", str(target))
    assert said.code == 0, said.err
    assert "wrote backend.yaml, catalog/switches/acme-box-32.yaml" in said.err
    assert call("check", str(target)).code == 0


def test_hardware_of_a_site_that_has_errors_ends_the_verb(tmp_path: Path) -> None:
    mine = own_hardware(tmp_path / "mine")
    (mine / "catalog" / "asics.yaml").write_text("Anvil: {cells: 4}\n")
    said = call("size", "--servers", "8", "--site", str(mine))
    assert said.code == 1
    assert "catalog/asics.yaml" in said.err
    assert said.out == ""


def test_a_demand_above_the_uplinks_is_an_error(tmp_path: Path) -> None:
    words = ("size", "--servers", "16", "--frontend-ports", "2", "--growth", "2")
    held = call(*words, "--ingest", "400G")
    assert held.code == 0
    assert "ingest 400Gb/s x 2 = 800Gb/s <= " in held.out
    over = call(*words, "--ingest", "40T")
    assert over.code == 1
    assert "ingest 40Tb/s x 2 = 80Tb/s > " in over.out


def test_a_transfer_that_the_links_do_not_carry_in_time_is_an_error() -> None:
    words = ("size", "--servers", "4", "--transfer", "500", "--wan", "400G")
    held = call(*words, "--window", "8")
    assert held.code == 0
    assert "need 138.889Gb/s <= 400Gb/s between the sites" in held.out
    assert call(*words, "--window", "2").code == 1
    assert call(*words, "--window", "0").code == 64


def test_a_frontend_is_told_beside_the_backend() -> None:
    said = call("size", "--servers", "8", "--frontend-ports", "2").out
    assert "3.2Tb/s on the backend, 200Gb/s on the frontend: 16 to 1" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--servers", "0"), "FG103 0 servers: the network has nothing to connect"),
        (("--servers", "8", "--leaf-ratio", "0.5"), "FG103 a ratio of 0.5"),
        (("--servers", "8", "--nic-speed", "300G"), "FG206 7060X6-64PE has no ports of 300G"),
        (("--servers", "8", "--switch", "SN560"), "did you mean 'SN5640'?"),
        (("--servers", "8", "--design", "rail-onyl"), "did you mean 'rail-only'?"),
        (("--servers", "8", "--ingest", "1T"), "`--frontend-ports 2`"),
    ],
)
def test_what_cannot_be_is_one_clear_error(words: tuple[str, ...], told: str) -> None:
    said = call("size", *words)
    assert said.code == 1
    assert told in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--servers", "-1"),
        ("--servers", "8", "--gpus", "0"),
        ("--servers", "8", "--nic-speed", "400"),
    ],
)
def test_words_that_are_no_numbers_are_wrong_usage(words: tuple[str, ...]) -> None:
    assert call("size", *words).code == 64


def test_nothing_is_written_where_nothing_is_to_be(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    said = call("size", "--servers", "16", "--design", "infiniband-2", "-o", str(target))
    assert said.code == 1
    assert "fabricgen counts infiniband-2 but cannot configure it" in said.err
    said = call("size", "--servers", "200", "--design", "rail-only", "-o", str(target))
    assert said.code == 1
    assert "room for 128 servers" in said.err
    assert not target.exists()
    target.mkdir()
    (target / "kept").write_text("")
    said = call("size", "--servers", "8", "-o", str(target))
    assert said.code == 1
    assert "is not an empty folder" in said.err
