"""Port tables as SONiC ships them break no law, but for one alias that is a slip of SONiC."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.prove.invariants.likeness import LAWS
from fabricgen.prove.invariants.network import Network
from fabricgen.prove.invariants.switch import Switch
from fabricgen.prove.invariants.tables import LAWS as TABLES

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Facts

SHIPPED = Path(__file__).parents[2] / "nos" / "sonic" / "shipped" / "ports.csv"
SLIPS = {"Mellanox-SN4600C-D112C8", "Mellanox-SN4600C-D100C12S2"}
"""Cage 41 has the aliases of cage 42."""


def _shipped() -> Iterator[Switch]:
    lines = [line for line in SHIPPED.read_text().splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        facts: Facts = {("switch",): {"hwsku": row["hwsku"], "platform": row["platform"]}}
        for port in row["ports"].split():
            name, lanes, alias, index, speed = port.split("|")
            facts["interface", name] = {
                "lanes": lanes, "alias": alias, "index": index, "speed": speed
            }  # fmt: skip
        yield Switch(row["hwsku"], "sonic", facts, frozenset())


def test_ports_that_ship_are_alike_and_of_their_platform() -> None:
    found = {
        switch.name
        for switch in _shipped()
        for law in (*LAWS, *TABLES)
        if any(True for _ in law.breaches(Network([switch])))
    }
    assert found == SLIPS


def test_another_alias_among_them_is_named() -> None:
    switch = next(each for each in _shipped() if each.name == "Arista-7050CX3-32S-C32")
    switch.facts["interface", "Ethernet4"]["alias"] = "Ethernet3/1"
    assert [each.said for law in LAWS for each in law.breaches(Network([switch]))]
