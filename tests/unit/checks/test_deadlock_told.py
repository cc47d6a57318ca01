"""From slices of switches: the prefixes that the deadlock proof takes each of them to originate."""

from tests.unit.checks.sites import EVERY, cut, designed

from fabricgen.compile.checks.deadlock.told import Told
from fabricgen.model.fabric.interface import Use


def test_a_switch_originates_its_loopbacks_and_the_subnets_of_its_own_nics() -> None:
    for _, piece in (each for text in EVERY.values() for each in cut(designed(text))):
        told = Told()
        told.add(piece)
        own = [piece.loopback, piece.vtep]
        own += [item.address for item in piece.interfaces if item.use is Use.NIC]
        own += [own for vlan in piece.vlans if vlan.vrf is None for own in vlan.gateways]
        assert sorted(told.prefixes_of(told.number(piece.switch.name))) == sorted(
            (ip.network[0], ip.length) for ip in own if ip is not None and ip.version == 4
        )


def test_a_gateway_in_a_vrf_is_no_prefix_of_the_underlay() -> None:
    gateways = 0
    for _, piece in (each for text in EVERY.values() for each in cut(designed(text))):
        told = Told()
        told.add(piece)
        inside = {own.network[0] for v in piece.vlans if v.vrf is not None for own in v.gateways}
        prefixes = told.prefixes_of(told.number(piece.switch.name))
        assert inside.isdisjoint(first for first, _ in prefixes)
        gateways += len(inside)
    assert gateways
