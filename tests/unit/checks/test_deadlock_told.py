"""From slices of switches: the prefixes that the deadlock proof takes each of them to originate."""

from tests.unit.checks.sites import EVERY, cut, designed

from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex
from fabricgen.model.fabric.interface import Use


def test_a_switch_originates_its_loopbacks_and_the_subnets_of_its_own_nics() -> None:
    for _, switch_slice in (each for text in EVERY.values() for each in cut(designed(text))):
        told = RoutingIndex()
        told.add(switch_slice)
        own = [switch_slice.loopback, switch_slice.vtep]
        own += [item.address for item in switch_slice.interfaces if item.use is Use.NIC]
        own += [own for vlan in switch_slice.vlans if vlan.vrf is None for own in vlan.gateways]
        assert sorted(told.prefixes_of(told.number(switch_slice.switch.name))) == sorted(
            (ip.network[0], ip.length) for ip in own if ip is not None and ip.version == 4
        )


def test_a_gateway_in_a_vrf_is_no_prefix_of_the_underlay() -> None:
    gateways = 0
    for _, switch_slice in (each for text in EVERY.values() for each in cut(designed(text))):
        told = RoutingIndex()
        told.add(switch_slice)
        inside = {
            own.network[0] for v in switch_slice.vlans if v.vrf is not None for own in v.gateways
        }
        prefixes = told.prefixes_of(told.number(switch_slice.switch.name))
        assert inside.isdisjoint(first for first, _ in prefixes)
        gateways += len(inside)
    assert gateways
