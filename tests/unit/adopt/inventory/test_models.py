"""A device type of NetBox is a model of the catalog, or of none; it is never guessed."""

from __future__ import annotations

import pytest

from fabricgen.importer.inventory.taken import model_of
from fabricgen.model.catalog.catalog import SHIPPED


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("DCS-7060X6-64PE-F", "7060X6-64PE"),
        ("arista-dcs-7060x6-64pe", "7060X6-64PE"),
        ("mellanox-sn2201", "SN2201"),
        ("AS9817-64O-O-AC-F", "AS9817-64O"),
        ("DCS-7060X6-64PE-B", None),
        ("SN5601", None),
        ("Arista", None),
        ("", None),
    ],
)
def test_parts_of_a_type_are_compared(kind: str, model: str | None) -> None:
    assert model_of(SHIPPED, kind) == model


@pytest.mark.parametrize("name", SHIPPED.switch_names())
def test_every_model_is_found_by_its_own_name_and_as_a_slug(name: str) -> None:
    maker = SHIPPED.known(name).vendor
    assert model_of(SHIPPED, name) == name
    assert model_of(SHIPPED, f"{maker}-{name}".lower().replace(" ", "-")) == name
