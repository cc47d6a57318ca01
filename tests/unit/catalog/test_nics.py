"""What a NIC runs, by its ports and speeds; and every NIC and ASIC that ships, beside its file."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from fabricgen.core.units import BitsPerSecond
from fabricgen.model import catalog
from fabricgen.model.catalog.asics import asic
from fabricgen.model.catalog.nics import NicModel, nic_model, nic_names

DATA = Path(catalog.__file__).parent / "data"
FILES = sorted((DATA / "nics").glob("*.yaml"))
ASICS = yaml.safe_load((DATA / "asics.yaml").read_text())
SPEED = BitsPerSecond.parse


def test_every_file_is_a_nic_of_its_name() -> None:
    assert nic_names() == tuple(file.stem for file in FILES)
    assert nic_model("nonesuch") is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_nic_that_ships_is_as_its_file_says(file: Path) -> None:
    facts, found = yaml.safe_load(file.read_text()), nic_model(file.stem)
    assert found is not None
    assert found.name == facts["model"]
    for key in ("vendor", "family", "largest_mtu", "spray", "dcqcn", "source"):
        assert getattr(found, key) == facts[key]
    for key in ("gid_index", "ecn_bits", "queue_pairs"):
        assert getattr(found, key) == facts["nccl"][key]
    assert (found.lossless, found.lossless_source) == (
        facts["lossless"]["priorities"],
        facts["lossless"]["source"],
    )
    assert found.spreads == facts.get("spreads", False)
    assert found.firmware == facts.get("firmware", {})
    assert found.split == facts.get("split", {})
    assert found.rates == facts.get("rates", {})
    assert {count: str(top) for count, top in found.ports.items()} == facts["ports"]
    assert [str(speed) for speed in found.speeds] == facts["speeds"]
    assert {count: list(forms) for count, forms in found.cages.items()} == facts.get("cages", {})
    assert found.ports_per_cage == facts.get("ports_per_cage", {})


def card() -> NicModel:
    """Return a NIC of one port of 400G, two of 200G or four of 50G."""
    found = nic_model("connectx-7")
    assert found is not None
    ports = {1: SPEED("400G"), 2: SPEED("200G"), 4: SPEED("50G")}
    speeds = tuple(map(SPEED, ("400G", "200G", "100G", "50G")))
    return replace(found, ports=ports, speeds=speeds)


@pytest.mark.parametrize(
    ("ports", "speed", "runs"),
    [
        (1, "400G", True),
        (1, "800G", False),
        (1, "100G", True),
        (1, "25G", False),
        (2, "200G", True),
        (2, "400G", False),
        (3, "50G", True),  # a card of four
        (3, "100G", False),
        (4, "50G", True),
        (5, "50G", False),
    ],
)
def test_a_card_with_more_ports_may_be_slower(ports: int, speed: str, *, runs: bool) -> None:
    assert card().runs(ports, SPEED(speed)) is runs


def test_the_card_of_two_ports_has_other_cages_than_that_of_one() -> None:
    found = nic_model("connectx-6-lx")
    assert found is not None
    assert found.cages == {1: ("QSFP28",), 2: ("SFP28",)}
    assert found.runs(2, SPEED("25G"))
    assert not found.runs(2, SPEED("40G"))
    assert found.runs(1, SPEED("50G"))


@pytest.mark.parametrize("name", ASICS)
def test_an_asic_is_as_its_file_says(name: str) -> None:
    found, facts = asic(name), ASICS[name]
    assert found is not None
    assert (found.name, found.packet_buffer, found.cell, found.source) == (
        name,
        facts["packet_buffer"],
        facts["cell"],
        facts["source"],
    )


def test_an_asic_that_nobody_knows_is_none() -> None:
    assert asic("nonesuch") is None
