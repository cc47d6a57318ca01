"""Faults planted in rails that tenants share: a port in another's VRF, an address twice, an MTU."""

from typing import Any

from tests.unit.checks.sites import cut, designed, examine, first_red, reds, told, with_interface

from fabricgen.compile.checks.addresses import Addresses
from fabricgen.compile.checks.coverage import Coverage
from fabricgen.compile.checks.links import Mtu
from fabricgen.compile.checks.registry import Check, Checks
from fabricgen.compile.checks.shape import Oversubscription
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.interface import Use

SITE = designed("""
backend:
  design: rail-optimized
  servers: {count: 4, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 2}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
tenants:
  blue: {fabric: backend, vrfs: {blue: {id: 1}}, attachments: [{numbers: "1,3", vrf: blue}]}
  red: {fabric: backend, vrfs: {red: {id: 2}}, attachments: [{numbers: "2,4", vrf: red}]}
""")
LEAF = "be-su01-leaf1"


def found(check: type[Check], code: Code, **facts: Any) -> str:
    """Say what a check says when the first port to a NIC of blue is otherwise."""
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: with_interface(switch_slice, lambda item: item.vrf == "blue", **facts),
    )
    return first_red(examine(check, SITE, pieces), code)


def test_nothing_is_wrong_with_shared_rails() -> None:
    checks = Checks(SITE)
    for fabric, switch_slice in cut(SITE):
        checks.see(fabric, switch_slice)
    codes = {item.code for each in checks.results() for item in each.findings}
    assert not codes & {Code.INTENT_WITHOUT_LINES, Code.MTU_BROKEN, Code.SESSION_ENDS_DISAGREE}


def test_a_port_in_another_tenants_vrf_is_found() -> None:
    text = found(Coverage, Code.INTENT_WITHOUT_LINES, vrf="red")
    assert text.endswith("is in VRF red, but its server is in blue")


def test_a_port_in_no_vrf_is_found() -> None:
    text = found(Coverage, Code.INTENT_WITHOUT_LINES, vrf=None)
    assert text.endswith("is in VRF none, but its server is in blue")


def test_two_tenants_have_no_address_in_common() -> None:
    pieces = cut(SITE)
    red = next(
        item.address
        for _, switch_slice in pieces
        for item in switch_slice.interfaces
        if switch_slice.switch.name == LEAF and item.vrf == "red"
    )
    text = found(Addresses, Code.ADDRESS_OVERLAP, address=red)
    assert red is not None
    assert red.host in text


def test_a_port_of_which_no_packet_fits_into_a_tunnel_is_found() -> None:
    assert "it must be 9164" in found(Mtu, Code.MTU_BROKEN, mtu=9214)


def test_uplinks_of_spines_count_as_on_rails_that_nobody_shares() -> None:
    examined = examine(Oversubscription, SITE)
    assert (examined.objects, reds(examined, Code.OVERSUBSCRIBED)) == (6, [])
    assert {
        item.use for _, switch_slice in cut(SITE) for item in switch_slice.interfaces if item.vrf
    } == {Use.NIC}
