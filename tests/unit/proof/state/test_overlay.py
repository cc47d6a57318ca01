"""What the other leafs of a fabric decide: flood lists, EVPN routes, and what no file states."""

from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.prove.running_overlay import Around, around, running

SITES = Path(__file__).resolve().parents[4] / "intent"


@pytest.fixture(scope="module")
def leafs() -> dict[str, SwitchSlice]:
    compiled = compile_site(load_site(SITES / "lab"), "linux")
    assert compiled.site is not None
    return {
        piece.switch.name: piece
        for fabric, piece in slices(compiled.site)
        if fabric.name == "frontend"
    }


def objects(own: SwitchSlice, there: Around) -> dict[tuple[str, ...], dict[str, object]]:
    return {each.key: dict(each.attributes) for each in running(own, LINUX.names, there)}


def test_a_flood_list_has_every_other_leaf_of_the_vlan(leafs: dict[str, SwitchSlice]) -> None:
    there = around(leafs.values())
    for own in leafs.values():
        for vlan in own.vlans:
            others = tuple(
                sorted(
                    str(each.vtep.host)
                    for each in leafs.values()
                    if each is not own and each.vtep and any(x.id == vlan.id for x in each.vlans)
                )
            )
            if vlan.vni is not None and others:
                found = objects(own, there)
                assert found["flood", str(vlan.id)] == {"vteps": others}
                assert found["evpn", str(vlan.vni)] == {"imet": others}


def test_some_list_is_not_empty(leafs: dict[str, SwitchSlice]) -> None:
    there = around(leafs.values())
    kinds = {key[0] for own in leafs.values() for key in objects(own, there)}
    assert {"flood", "evpn", "evpn-prefix", "identity", "saved"} <= kinds


def test_leafs_that_share_an_endpoint_do_not_flood_to_each_other(
    leafs: dict[str, SwitchSlice],
) -> None:
    """As the two of an MLAG pair."""
    one = next(own for own in leafs.values() if own.vtep is not None and own.vlans)
    there = around([one, replace(one, switch=one.switch)])
    assert not [key for key in objects(one, there) if key[0] in ("flood", "evpn", "evpn-prefix")]


def test_the_serial_number_is_expected_if_the_intent_has_one(
    leafs: dict[str, SwitchSlice],
) -> None:
    own = next(iter(leafs.values()))
    name = own.switch.name
    known = around(leafs.values(), {name: Identity(serial="JPE1")})
    assert objects(own, known)["identity",]["serial"] == "JPE1"
    assert "serial" not in objects(own, around(leafs.values()))["identity",]
