"""Hardware facts that another package brings: they stand beside ours and replace none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.diagnostics.planted import SITE
from tests.outside.packages import installed, written

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Failure
from fabricgen.core.units import Bytes
from fabricgen.intent.load import load_texts
from fabricgen.model import catalog
from fabricgen.model.catalog.asics import asic
from fabricgen.model.catalog.nics import nic_model, nic_names
from fabricgen.model.catalog.switches import model_names, switch_model

DATA = Path(catalog.__file__).parent / "data"
BOX = """
model: Box-9
vendor: Acme
asic: Anvil
source: the manual
cages:
  - {first: 1, last: 32, form: OSFP, lanes: 8, modes: {1x800G: 8, 2x400G: 4}}
platforms:
  acme: {}
"""
ADDED = "model: 7060X6-64PE\nplatforms:\n  acme: {image: roadrunner}\n"
ANVIL = "Anvil: {packet_buffer: 1000, cell: 100, source: the manual}\n"
NIC = (DATA / "nics" / "thor2.yaml").read_text()


@contextmanager
def brought(folder: Path, files: dict[str, str]) -> Iterator[None]:
    """Install a package whose folder `facts` holds these files."""
    placed = {f"acme/facts/{path}": text for path, text in files.items()}
    placed["acme/__init__.py"] = placed["acme/facts/__init__.py"] = ""
    with installed(written(folder, placed, {"catalog": {"acme": "acme.facts"}})):
        yield


def test_models_nics_and_asics_stand_beside_ours(tmp_path: Path) -> None:
    files = {"switches/acme-box-9.yaml": BOX, "asics.yaml": ANVIL, "nics/coyote.yaml": NIC}
    with brought(tmp_path, files):
        box, chip, nic = switch_model("Box-9"), asic("Anvil"), nic_model("coyote")
        assert {"Box-9", "7060X6-64PE"} <= set(model_names())
        assert {"coyote", "thor2"} <= set(nic_names())
    assert box is not None
    assert (box.asic, len(box.usable), box.platforms) == ("Anvil", 32, {"acme": {}})
    assert chip is not None
    assert chip.packet_buffer == Bytes(1000)
    assert nic is not None
    assert nic.family == "thor"


def test_a_model_of_ours_learns_what_another_platform_needs(tmp_path: Path) -> None:
    with brought(tmp_path, {"switches/arista-7060x6-64pe.yaml": ADDED}):
        model = switch_model("7060X6-64PE")
    assert model is not None
    assert model.platforms["acme"] == {"image": "roadrunner"}
    assert model.platforms["eos"]


BAD = {
    "cages of ours": (
        "switches/arista-7060x6-64pe.yaml",
        BOX.replace("Box-9", "7060X6-64PE"),
        "7060X6-64PE is already in the catalog; keep only `platforms` in the file to add platforms",
    ),
    "a platform of ours": (
        "switches/arista-7060x6-64pe.yaml",
        ADDED.replace("acme", "eos"),
        "the facts of 7060X6-64PE for eos are already in the catalog",
    ),
    "a file of another name": (
        "switches/acme-box.yaml",
        BOX,
        "the file name must be vendor-model.yaml, in lower case",
    ),
    "a fact is missing": (
        "switches/acme-box-9.yaml",
        BOX.replace("asic:", "chip:"),
        "KeyError: 'asic'",
    ),
    "no mapping": ("switches/acme-box-9.yaml", "model: Box-9\n- a", "ParserError: "),
    "an ASIC of ours": (
        "asics.yaml",
        ANVIL.replace("Anvil", "Tomahawk5"),
        "ASIC Tomahawk5 is already in the catalog",
    ),
    "half an ASIC": ("asics.yaml", "Anvil: {cell: 1, source: a}\n", "Anvil needs packet_buffer"),
    "a NIC of ours": ("nics/thor2.yaml", NIC, "a NIC of this name is already in the catalog"),
    "a strange NIC": (
        "nics/coyote.yaml",
        NIC.replace("family: thor", "family: acme"),
        "ValueError: the family must be one of connectx, pollara, thor",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_stand_beside_ours_names_package_and_file(case: str, tmp_path: Path) -> None:
    path, text, said = BAD[case]
    with brought(tmp_path, {path: text}), pytest.raises(Failure) as caught:
        (switch_model("7060X6-64PE"), switch_model("Box-9"), asic("Anvil"), nic_model("coyote"))
    assert caught.value.diagnostic.code == Code.EXTENSION_FAILED
    start = f"the package acme-net (catalog, acme): {Path(path).name}: {said}"
    assert caught.value.diagnostic.message.startswith(start)


def test_a_module_without_a_folder_is_refused_where_it_is_asked(tmp_path: Path) -> None:
    entries = {"catalog": {"acme": "acme_facts"}}
    with installed(written(tmp_path, {"acme_facts.py": ""}, entries)):
        made = compile_site(load_texts({"site.yaml": SITE}))
    (finding,) = made.findings
    assert not made.ok
    assert finding.message.endswith("acme_facts is not a package, so it has no folder of facts")
