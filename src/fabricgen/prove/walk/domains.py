"""Finds the gateways by which a VLAN or VRF continues in another EVPN domain."""

from collections.abc import Iterator

from fabricgen.prove.walk.exchange import Exchange, Peering, Route
from fabricgen.prove.walk.policies import Policy
from fabricgen.prove.walk.tables import Tables


class Domains:
    """The gateways of all switches."""

    def __init__(self, exchange: Exchange) -> None:
        """Set the exchanged routes."""
        self._exchange = exchange

    def gates(self, switch: Tables) -> Iterator[tuple[Tables, Route]]:
        """Yield the gateways whose routes a switch receives in its own domain."""
        for name in self._exchange.across:
            heard = self._exchange.evpn.get(name, {}).get(switch.name)
            if heard is not None and name != switch.name:
                yield self._exchange.switches[name], heard

    def beside(self, switch: Tables, far: Tables) -> bool:
        """Return whether a gateway receives routes of one in another domain."""
        return any(each.teller is far for each in self._exchange.across.get(switch.name, ()))

    def towards(self, switch: Tables, vlan: int, far: Tables) -> list[Tables]:
        """Return the next gateways by which a VLAN continues to a leaf of another domain.

        For a gateway these are beyond it, for another leaf those of its own domain; of a pair with
        one tunnel endpoint the first.
        """
        vni = switch.bridges[vlan].vni
        if switch.name in self._exchange.across:
            return _apart(each.teller for each in self._over(switch, vni, far))
        near = [
            gate
            for gate, _ in self.gates(switch)
            if _alike(switch, gate, vni) and any(self._over(gate, vni, far))
        ]
        return _apart(near)

    def _over(self, gate: Tables, vni: int, far: Tables) -> Iterator[Peering]:
        """Yield the sessions by which a gateway learns a VLAN at a leaf of another domain."""
        for peering in self._exchange.across.get(gate.name, ()):
            beyond = peering.teller
            near = beyond is far or beyond.name in self._exchange.evpn.get(far.name, {})
            if near and one_vlan(peering, vni):
                yield peering


def _alike(one: Tables, other: Tables, vni: int) -> bool:
    """Return whether a switch imports routes of a VNI from another."""
    ours, theirs = (each.bridges.get(each.vlan_of.get(vni, 0)) for each in (one, other))
    return ours is not None and theirs is not None and bool(theirs.exports & ours.imports)


def one_vlan(peering: Peering, vni: int) -> bool:
    """Return whether gateways of two domains join the VLANs of a VNI."""
    ends = peering.teller, peering.hearer
    ours, theirs = (each.bridges.get(each.vlan_of.get(vni, 0)) for each in ends)
    both = ours.remote & theirs.remote if ours is not None and theirs is not None else frozenset()
    return bool(both) and passes(peering, both)


def passes(peering: Peering, targets: frozenset[str]) -> bool:
    """Return whether routes with one of these route targets pass a session, out and in."""
    policies = peering.telling.policies["evpn-out"], peering.hearing.policies["evpn-in"]
    return peering.telling.communities and all(_lets(each, targets) for each in policies)


def _lets(policy: Policy | None, targets: frozenset[str]) -> bool:
    for clause in policy or ():
        if clause.targets is None or clause.targets & targets:
            return clause.permit
    return policy is None


def _apart(gates: Iterator[Tables] | list[Tables]) -> list[Tables]:
    """Return gateways with different tunnel endpoints."""
    return list({gate.vtep: gate for gate in gates}.values())
