"""Configurations in; what `site` says of the management network, its services and people out."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv4Network
from typing import TYPE_CHECKING, Any

from fabricgen.importer.settings import site_keys
from fabricgen.importer.told import flat, listed, management, most, nested, of, said, secret
from fabricgen.importer.tree import at
from fabricgen.model.settings.services import Management
from fabricgen.prove.walk.packet import interface
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment, Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

VRF = "mgmt"
"""What the intent calls the VRF where nobody says it; SONiC's is always called so."""
UNNAMED = "site"
"""What a site is called that nobody named: then its domain does."""
_DEFAULT = "0.0.0.0/0"
_ROLES = frozenset({"admin", "operator"})


def read(network: Network, tree: Tree) -> Fragment:
    """Read it; what of it no file shows is left out."""
    switches = network.switches
    carried = site_keys(Management, switches)
    words = said(
        **_ports(switches),
        admitted=listed(switches, "admitted", "prefix"),
        tls=nested(most(switches, _certificate)),
        users=[nested(each) for each in most(switches, _users) or ()],
        **carried,
    )
    known = at(tree, "site", "name") or UNNAMED
    name = carried.get("domain", known).partition(".")[0] if known == UNNAMED else known
    return {"site": {"name": name, "management": words}}


def _ports(switches: list[Judged]) -> dict[str, str | None]:
    """Return subnet, gateway and VRF of the management ports, as most of them have it."""
    subnet = most(switches, _subnet)
    if subnet is None:
        return {}
    vrf, gateway = most(switches, _vrf), most(switches, _gateway)
    first = str(subnet.network_address + 1)
    return {
        "subnet": str(subnet),
        "gateway": gateway if gateway != first else None,
        "vrf": vrf if vrf != VRF else None,
    }


def _subnet(switch: Judged) -> IPv4Network | None:
    addresses = (
        interface(str(each)) for _, own in management(switch) for each in words(own.get("address"))
    )
    return next((each.network for each in addresses if isinstance(each, IPv4Interface)), None)


def _vrf(switch: Judged) -> str:
    return next((text(own.get("vrf")) for _, own in management(switch)), "")


def _gateway(switch: Judged) -> str:
    """Return the gateway of its management port: told of it, or by a route of its VRF."""
    told = next((text(own.get("gateway")) for _, own in management(switch)), "")
    route = switch.facts.get(("route", _vrf(switch) or "default", _DEFAULT), {})
    return told or next(iter(map(str, words(route.get("via")))), "")


def _certificate(switch: Judged) -> Any:
    own = switch.facts.get(("tls",), {})
    both = said(certificate=text(own.get("certificate")), key=text(own.get("key")))
    return flat(both) if len(both) == 2 else ()


def _users(switch: Judged) -> tuple[Any, ...]:
    return tuple(flat(each) for each in _accounts(switch))


def _accounts(switch: Judged) -> Iterator[dict[str, str]]:
    """Yield the local accounts; one without a password or a key is open, and no intent says it."""
    for (_, name), own in of(switch, "user"):
        role = text(own.get("role"))
        ways = said(
            password_hash=secret(own.get("hash"), name, "hash"), ssh_key=text(own.get("key"))
        )
        if ways and role in _ROLES:
            yield said(name=name, role=role if role != "admin" else None) | ways
