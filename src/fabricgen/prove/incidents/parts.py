"""Names the parts of the network that a finding depends on, from the model's graph alone.

A part is a tuple of words. The first word is its sort:

- `switch`, `server`, `port`, `cable`: an object of the network. `within`: its own ports.
- `daemon`, `policy`, `packets`: a task of a switch, its route maps, all packets that it receives.
- `session`: the sessions of two switches. `loopback`, `tunnel`: an address of a switch.
- `network`: a VRF, VLAN or VNI of a switch. `setting`: a setting of a port.
- `object`: one value. `said`: one finding without an object. `unread`: unread state of a switch.
"""

import re
from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.nos.measures import BY_NAME
from fabricgen.prove.incidents.graph import Cable, End, Graph
from fabricgen.prove.incidents.model import Found, Thing, is_unread

ROUTING, FORWARDING, WATCHING, LLDP, LINKS = "routing", "forwarding", "bfd", "lldp", "links"
ROLES = {
    "frr": (ROUTING, FORWARDING, WATCHING),
    "bgpd": (ROUTING,),
    "bgp": (ROUTING,),
    "bgpcfgd": (),
    "ospfd": (ROUTING,),
    "ribd": (FORWARDING,),
    "zebra": (FORWARDING,),
    "fpmsyncd": (FORWARDING,),
    "orchagent": (FORWARDING, LINKS),
    "syncd": (FORWARDING, LINKS),
    "swss": (FORWARDING, LINKS),
    "bfdd": (WATCHING,),
    "bfd": (WATCHING,),
    "lldpd": (LLDP,),
    "lldp": (LLDP,),
    "teamd": (LINKS,),
    "portsyncd": (LINKS,),
    "xcvrd": (LINKS,),
}
"""Tasks of daemons and containers: of FRR (docs.frrouting.org, Overview), and of SONiC
(sonic-net/SONiC, Architecture wiki). Other daemons explain only themselves."""
PORT_KINDS = frozenset(
    ("interface", "cable", "module", "bundle-member", "qos", "marking", "headroom", "queues")
)
_TUNNELED = frozenset(("flood", "evpn", "evpn-prefix", "vtep"))
_ADDRESS = re.compile(r"[0-9a-fA-F:.]+")
_FROM_DAEMON = frozenset(("layer", "rd", "import", "export", "state"))


def pair(one: str, other: str, cable: Cable | None) -> Thing:
    """Return the sessions of two switches: over one cable, or between their loopbacks."""
    return ("session", *sorted((one, other)), cable.name if cable is not None else "")


def port_parts(graph: Graph, end: End) -> Iterator[Thing]:
    """Yield what a port needs in order to have a link: itself, its cable and the other end."""
    yield "port", *end
    cable = graph.cables.get(end)
    if cable is None:
        return
    there = cable.far(end)
    yield "cable", cable.name
    yield "port", *there
    yield ("server" if cable.server else "switch"), there[0]


def edge_parts(graph: Graph, end: End) -> Iterator[Thing]:
    """Yield what a route over a port needs: the link, a session, and daemons of the switch.

    The daemons of the next switch are in its own ports to the destination.
    """
    yield from port_parts(graph, end)
    yield from _daemons(end[0], ROUTING, FORWARDING)
    yield "packets", end[0]
    yield "policy", end[0]
    cable = graph.cables.get(end)
    if cable is not None and not cable.server:
        there = cable.far(end)[0]
        yield "packets", there
        yield "policy", there
        yield pair(end[0], there, cable)


def _daemons(switch: str, *roles: str) -> Iterator[Thing]:
    for role in roles:
        yield "daemon", switch, role


def parts(graph: Graph, found: Found) -> Iterator[Thing]:
    """Yield every part that a finding depends on, except for paths over other switches."""
    switch, key = found.switch, found.key
    yield "object", switch, *key, found.attribute
    if not key or is_unread(found):
        yield "said", switch, found.sentence
        if is_unread(found):
            yield "unread", switch
        return
    yield from _networks(switch, key, found)
    if key[0] in PORT_KINDS and len(key) > 1:
        yield from _of_port(graph, switch, key, found.attribute)
    elif key[0] in {"session", "bfd"}:
        if is_result(found.attribute):
            yield from session_parts(graph, switch, key)
        if found.attribute in BY_NAME:  # numbers of prefixes follow from route maps
            yield from (("policy", name) for name in (switch, graph.peer(switch, key)))
    elif key[0] in {"route", "hardware", "fib", "kernel-route", *_TUNNELED}:
        yield "within", switch
        yield from _daemons(switch, ROUTING, FORWARDING)
    elif key[0] == "daemon":
        yield from _daemons(switch, *ROLES.get(key[1], ()))
    elif key[0] == "vni" and found.attribute in _FROM_DAEMON:
        yield from _daemons(switch, ROUTING, FORWARDING)


def _of_port(graph: Graph, switch: str, key: Key, attribute: str) -> Iterator[Thing]:
    """Yield the parts of a value of a port; a setting depends on nothing else."""
    name = key[2] if key[0] == "bundle-member" and len(key) > 2 else key[1]
    setting = key[0] in {"qos", "marking", "headroom", "queues"} or attribute in _SETTINGS
    if setting:
        yield "setting", switch, name, attribute
        return
    yield "within", switch
    for port in graph.ports(switch, name):
        end = switch, port
        yield from port_parts(graph, end)
        yield from _daemons(switch, LINKS)
        cable = graph.cables[end]
        if key[0] == "cable":
            yield from _daemons(switch, LLDP)
            yield from _daemons(cable.far(end)[0], LLDP)
        yield from _daemons(cable.far(end)[0], LINKS)


_SETTINGS = frozenset(
    ("mtu", "speed", "fec", "address", "vrf", "vlans", "untagged", "bundle", "mac", "bridge")
)


def is_result(attribute: str) -> bool:
    """Return whether a value of a session is a result of the protocol, and not a setting."""
    return attribute in {"", "state", "timers"} or attribute in BY_NAME


def session_parts(graph: Graph, switch: str, key: Key) -> Iterator[Thing]:
    """Yield what a session, or its BFD session, needs in order to be up."""
    peer, port = graph.peer(switch, key), graph.session_port(switch, key)
    cable = graph.cables.get((switch, port))
    yield "within", switch
    yield "switch", peer
    yield pair(switch, peer, cable)
    if cable is None:
        yield from (("loopback", name) for name in (switch, peer))
    for name in (switch, peer):
        yield "packets", name
        yield from _daemons(name, ROUTING, FORWARDING, WATCHING)
    if cable is not None:
        yield from port_parts(graph, (switch, port))


def _networks(switch: str, key: Key, found: Found) -> Iterator[Thing]:
    """Yield the VRF, VNI or VLAN that an object belongs to."""
    kind, *names = key
    if kind in {"vrf", "vlan", "vni"} and names:
        yield "network", switch, kind, names[0]
    if kind in {"session", "bfd", "route", "evpn-prefix"} and names and names[0] != GLOBAL:
        yield "network", switch, "vrf", names[0]
    if kind == "interface" and found.attribute == "vrf":
        yield "network", switch, "vrf", found.expected


def is_tunneled(key: Key) -> bool:
    """Return whether a finding is about tunnels to other switches."""
    return bool(key) and key[0] in _TUNNELED


def missing_addresses(found: Found) -> frozenset[str]:
    """Return the addresses that the model has and the switch lacks, of a list of tunnels."""
    wanted, shown = (
        frozenset(each for each in _ADDRESS.findall(text) if "." in each or ":" in each)
        for text in (found.expected, found.actual)
    )
    return wanted - shown
