"""What `export netbox` writes is what NetBox's forms take, and is read back as it was."""

import csv
from io import StringIO

import pytest
from tests.unit.adopt.examples import EXAMPLES, tree_of
from tests.unit.adopt.netbox import inventory_of

from fabricgen.compile.compiler import compile_site
from fabricgen.importer.tree import loaded
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.export.netbox import netbox


def site_of(name: str) -> Site:
    compiled = compile_site(loaded(tree_of(name)))
    assert compiled.site is not None
    return compiled.site


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_device_and_cable_is_read_back(name: str) -> None:
    site = site_of(name)
    inventory = inventory_of(site)
    switches = [each for fabric in site.fabrics for each in fabric.topology.switches]
    links = [link for fabric in site.fabrics for link in fabric.topology.links]
    assert len(inventory.cables) == len(links)
    assert len(inventory.devices) == netbox(site).devices
    for switch in switches:
        device = inventory.named[switch.name]
        assert (device.model, device.platform) == (switch.model.name, switch.platform)
        stand = site.floor.stands[switch.name]
        assert (device.rack, device.unit) == (stand.rack.name, stand.unit)
        assert device.management
        assert device.loopback


def test_a_cable_joins_interfaces_that_are_written() -> None:
    files = {
        each.path: [*csv.DictReader(StringIO(each.text))] for each in netbox(site_of("lab")).files
    }
    known = {(row["device"], row["name"]) for row in files["interfaces.csv"]}
    for row in files["cables.csv"]:
        assert {row["side_a_type"], row["side_b_type"]} == {"dcim.interface"}
        assert (row["side_a_device"], row["side_a_name"]) in known
        assert (row["side_b_device"], row["side_b_name"]) in known
    for row in files["ip-addresses.csv"]:
        assert (row["device"], row["interface"]) in known
    owners = {row["name"] for row in files["devices.csv"]}
    assert {device for device, _ in known} <= owners
