"""Derive the health of an EOS switch from its state snapshot."""

from collections.abc import Iterator
from dataclasses import replace

from fabricgen.core.tree.facts import Attributes
from fabricgen.nos.eos.driver import traffic
from fabricgen.nos.eos.show.reader import EOS, SAMPLED
from fabricgen.nos.health import Health
from fabricgen.nos.questions import UnreadableError
from fabricgen.nos.shared.health import health
from fabricgen.nos.shared.traffic import Servers, traffic_of
from fabricgen.nos.show import BUNDLED, SHUT, UP, Observed
from fabricgen.nos.traffic import Traffic

REQUEST = EOS.request({})
"""The questions without routes, because a push knows no sample."""
_PORTS = ("Ethernet", "Port-Channel", "Management")
NOT_ASKED = dict.fromkeys(SAMPLED, "a push asks for no sample of routes")
"""Kinds of facts that `verify` reads and a push does not, with the reason."""
UNREAD = (
    "routes: a push asks for no sample of routes",
    f"packets through VLANs: {traffic.TUNNELS}",
)


def health_of(output: str) -> Health:
    """Return the health from the output of the request."""
    given = EOS.decode(output)
    seen = EOS.parse(given)
    unread = [*UNREAD, *(f"{part}: {why}" for part, why in seen.unread.items())]
    servers: Servers = {}
    try:
        servers = traffic.servers(given["arp"].document({}))
    except UnreadableError:
        pass  # `seen` has the reason
    except traffic.ODD as error:
        unread.append(f"servers: unexpected shape of the answer ({type(error).__name__})")
    found = health(
        seen,
        links={name: own["link"] == UP for name, own in _ports(seen) if own["link"] != SHUT},
        unread=unread,
        traffic=_traffic(seen, servers),
    )
    return replace(found, routes=dict(_routes(seen)))


def _ports(seen: Observed) -> Iterator[tuple[str, Attributes]]:
    for (_, name), own in seen.of("interface").items():
        if name.startswith(_PORTS) and "." not in name and "link" in own:
            yield name, own


def _routes(seen: Observed) -> Iterator[tuple[str, int]]:
    """Yield the accepted prefixes of established sessions by family."""
    for (metric, *names), number in seen.measures.items():
        state = seen.facts.get(("session", *names[:2]), {}).get("state")
        if metric == "prefixes-received" and state == "Established":
            yield " ".join(names), int(number)


def _traffic(seen: Observed, servers: Servers) -> Traffic:
    """Return the traffic state. A member of a port-channel without a link is a member, too."""
    mac = str(seen.facts.get(("switch",), {}).get("anycast-mac", ""))
    gateways = {
        int(name.removeprefix("Vlan")): f"{address.partition('/')[0]} {mac}"
        for (_, name), own in seen.of("interface").items()
        if name.removeprefix("Vlan").isdecimal() and "anycast" in own and mac
        for address in own.get("address", ())[:1]
    }
    found = traffic_of(seen, servers=servers, gateways=gateways)
    members = {
        (f"Port-Channel{own['bundle']}", name)
        for (_, name), own in seen.of("interface").items()
        if "bundle" in own
    }
    bundled = {key[1:] for key, own in seen.of("bundle-member").items() if own["state"] == BUNDLED}
    known = members | {(key[1], key[2]) for key in seen.of("bundle-member")}
    return replace(found, bundles={" ".join(each): each in bundled for each in sorted(known)})
