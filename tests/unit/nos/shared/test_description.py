"""The text on a port: both ends of its cable, or that it has none."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.fabric.parts import WHY, port, switch

from fabricgen.fabric.switch import Interface, Use
from fabricgen.fabric.topology import Role
from fabricgen.nos.shared.description import describe

LEAF, SPINE = switch(Role.LEAF, 1), switch(Role.SPINE, 2)


def spell(owner: Any, port: Any) -> str:
    return f"{owner.role}-{port.cage}"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"peer": SPINE, "peer_port": port(7)}, "leaf1:leaf-3 to spine2:spine-7"),
        ({"outside": "isp1"}, "leaf1:leaf-3 to outside:isp1"),
        ({}, "unused"),
        ({"peer": SPINE}, "unused"),
    ],
)
def test_a_port_names_both_ends_of_its_cable(words: dict[str, Any], text: str) -> None:
    interface = Interface(port=port(3), use=Use.FABRIC, mtu=9100, because=WHY, **words)
    assert describe(LEAF, interface, spell) == text
