"""The text on a port: both ends of its cable, what people want there, and whether it moved."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.unit.fabric.parts import WHY, port, switch

from fabricgen.model.fabric.descriptions import BOTH_ENDS, Description, Descriptions
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Role
from fabricgen.nos.shared.description import describe, moves

LEAF, SPINE = switch(Role.LEAF, 1), switch(Role.SPINE, 2)
SAID = Descriptions(
    link=Description("[{peer_port}] {peer}", WHY), external=Description("{peer} by {port}", WHY)
)
FAR: dict[str, Any] = {"peer": SPINE, "peer_port": port(7)}


def spell(owner: Any, port: Any) -> str:
    return f"{owner.role}-{port.cage}"


@pytest.mark.parametrize(
    ("texts", "words", "text"),
    [
        (BOTH_ENDS, FAR, "leaf1:leaf-3 to spine2:spine-7"),
        (BOTH_ENDS, {"outside": "isp1"}, "leaf1:leaf-3 to outside:isp1"),
        (BOTH_ENDS, {}, "unused"),
        (BOTH_ENDS, {"peer": SPINE}, "unused"),
        (SAID, FAR, "[spine-7] spine2"),
        (SAID, {"outside": "isp1"}, "isp1 by leaf-3"),
        (SAID, {}, "unused"),
    ],
)
def test_a_port_has_both_ends_of_its_cable_or_what_people_say(
    texts: Descriptions, words: dict[str, Any], text: str
) -> None:
    interface = Interface(port=port(3), use=Use.FABRIC, mtu=9100, because=WHY, **words)
    switch_slice = cast("SwitchSlice", SimpleNamespace(switch=LEAF, descriptions=texts))
    assert describe(switch_slice, interface, spell) == text


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("a:1 to b:2", "a:1 to b:2", False),
        ("a:1 to b:2", "a:1 to b:3", True),
        ("a:1 to b:2", "2 of b", False),
        ("2 of b", "a:1 to b:2", False),
        ("a:1 to b:2", "22 of b", True),
        ("a:1 to b:2", "2/1 of b", True),
        ("a:1 to b:2", "2 of b-2", True),
        ("2 of b", "3 of b", True),
        ("unused", "2 of b", False),
    ],
)
def test_a_text_that_may_name_another_far_end_is_a_cable_that_moves(
    old: str, new: str, *, moved: bool
) -> None:
    path = ("interface Ethernet1/1", f"description {new}")
    before: dict[tuple[str, ...], str] = {(path[0], f"description {old}"): ""}
    assert moves(path, before, {path: ""}) is moved
    key = ("PORT", "Ethernet0", "description")
    assert moves(key, {key: old}, {key: new}) is moved
