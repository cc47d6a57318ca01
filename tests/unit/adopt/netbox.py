"""A site as an inventory of NetBox, without its configurations."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fabricgen.importer.inventory.read import read
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.export.netbox import netbox

if TYPE_CHECKING:
    from fabricgen.importer.inventory.model import Inventory


def written(site: Site, folder: Path) -> None:
    """Write what NetBox would export of a site."""
    for each in netbox(site).files:
        (folder / each.path).write_text(each.text, encoding="utf-8")


def inventory_of(site: Site) -> Inventory:
    """Return what such an export says."""
    with TemporaryDirectory() as folder:
        written(site, Path(folder))
        found = read(Path(folder))
    assert not found.findings
    return found.inventory
