"""Name the parts of written answers, and change one of them to plant a fault."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.written.eos.sites import Plant
from tests.written.eos.switches import Shown

LEAF, BORDER, SPINE = ("full", "fe-leaf01"), ("full", "fe-leaf05"), ("full", "fe-spine1")
PAIR, SEGMENT, RAIL = ("mlag", "fe-leaf01"), ("pairs", "fe-leaf01"), ("rail-only", "be-leaf1")
PORTS = "show interfaces"
SUMMARY = "show bgp summary vrf all"
DETAIL = "show bgp neighbors vrf all"
LLDP, VLANS, VRFS = "show lldp neighbors detail", "show vlan", "show vrf"
VNIS, VXLAN, INSTANCES = "show vxlan vni", "show interfaces vxlan 1", "show bgp evpn instance"
SWITCHPORTS, BUNDLES = "show interfaces switchport", "show port-channel"
LACP, MLAG, SANITY = "show lacp interface", "show mlag", "show mlag config-sanity"
BFD, DOM, PHY = "show bfd peers detail", "show interfaces transceiver dom thresholds", PORTS
PHY = "show interfaces phy detail"
ERRORS, QUEUES = "show interfaces counters errors", "show interfaces counters queue detail"
VOQS = "show interfaces counters queue drops"
STORMS = "show priority-flow-control counters watchdog"
PRIORITIES = "show interfaces priority-flow-control counters detail"
SESSIONS, NTP = "show configuration sessions detail", "show ntp associations"
API, CERTIFICATES = "show management api http-commands", "show management security ssl certificate"
COOLING, POWER = "show system environment cooling", "show system environment power"
HEAT, TABLES = "show system environment temperature", "show hardware capacity"
ROUTE = "show ip route vrf default 10.64.255.254/32"
FAR = "show ip route vrf default 10.65.0.2/32"
IMET = "show bgp evpn route-type imet vni 10100 detail"
PREFIX = "show bgp evpn route-type ip-prefix 10.100.0.0/22 vni 50001"
ACLS = "show ip access-lists"
UP, EDGE = "Ethernet29/1", "Ethernet1/1"
PEER, EVPN = "10.72.0.0", "10.64.255.254"


class Fault(NamedTuple):
    """A fault. check: name of the check that finds it. says: part of its sentence."""

    name: str
    where: tuple[str, str]
    plant: Plant
    check: str
    says: str


def at(shown: Shown, path: tuple[Any, ...]) -> Any:
    for step in path:
        shown = shown[step]
    return shown


def put(*path: Any) -> Plant:
    """Set the value at a path of commands, keys and positions; the value is the last argument."""
    *way, key, value = path

    def plant(shown: Shown) -> None:
        holder = at(shown, tuple(way))
        assert holder.get(key) != value if isinstance(holder, dict) else holder[key] != value
        holder[key] = value

    return plant


def lose(*path: Any) -> Plant:
    """Remove the value at a path, which exists."""
    *way, key = path

    def plant(shown: Shown) -> None:
        del at(shown, tuple(way))[key]

    return plant


def text(command: str, old: str, new: str, count: int = -1) -> Plant:
    """Replace words in a text answer."""

    def plant(shown: Shown) -> None:
        assert old in shown[command]
        shown[command] = shown[command].replace(old, new, count)

    return plant


def both(*plants: Plant) -> Plant:
    def plant(shown: Shown) -> None:
        for each in plants:
            each(shown)

    return plant


def grow(*path: Any) -> Plant:
    """Add the last argument to the counter at a path."""
    *way, key, more = path

    def plant(shown: Shown) -> None:
        at(shown, tuple(way))[key] += more

    return plant


def port(name: str, **fields: Any) -> Plant:
    return both(*(put(PORTS, "interfaces", name, key, value) for key, value in fields.items()))


def address(name: str, **fields: Any) -> Plant:
    return both(
        *(
            put(PORTS, "interfaces", name, "interfaceAddress", 0, key, value)
            for key, value in fields.items()
        )
    )


def neighbor(name: str, system: str, interface: str) -> Plant:
    own = (LLDP, "lldpNeighbors", name, "lldpNeighborInfo", 0)
    return both(
        put(*own, "systemName", system),
        put(*own, "neighborInterfaceInfo", {"interfaceId": f'"{interface}"'}),
    )


def swapped(one: str, other: str) -> Plant:
    """Exchange the neighbors of two ports."""

    def plant(shown: Shown) -> None:
        there = shown[LLDP]["lldpNeighbors"]
        there[one], there[other] = there[other], there[one]

    return plant


def peer(name: str, **fields: Any) -> Plant:
    own = (SUMMARY, "vrfs", "default", "peers", name)
    return both(*(put(*own, key, value) for key, value in fields.items()))


def counted(name: str, key: str) -> Plant:
    return grow(ERRORS, "interfaceErrorCounters", name, key, 7)


def optic(name: str, metric: str, channel: str, value: float) -> Plant:
    return put(DOM, "interfaces", name, "parameters", metric, "channels", channel, value)


def rule(number: int, words: str) -> Plant:
    return put(ACLS, "aclList", 0, "sequence", number, "text", words)


def vtep_lost(vlan: str) -> Plant:
    def plant(shown: Shown) -> None:
        shown[VXLAN]["interfaces"]["Vxlan1"]["vlanToVtepList"][vlan]["remoteVtepAddr"].pop()

    return plant


def added(command: str, *path: Any) -> Plant:
    """Add a key and its value, the last two arguments, at a path."""
    *way, key, value = path
    return put(command, *way, key, value)


def open_session(name: str, state: str = "pending") -> Plant:
    return added(
        SESSIONS, "sessions", name, {"state": state, "instances": {"7": {"user": "carol"}}}
    )


def route_to(command: str, change: Callable[[Shown], None]) -> Plant:
    """Change the one route in an answer."""

    def plant(shown: Shown) -> None:
        (route,) = shown[command]["vrfs"]["default"]["routes"].values()
        change(route)

    return plant


def no_route(command: str) -> Plant:
    return put(command, "vrfs", "default", "routes", {})


def fewer(route: Shown) -> None:
    route["vias"].pop()


def unprogrammed(route: Shown) -> None:
    route["hardwareProgrammed"] = False


def lost_type5(shown: Shown) -> None:
    """Lose the route of one other leaf."""
    routes = shown[PREFIX]["evpnRoutes"]
    gone = next(
        name for name, own in routes.items() if own["evpnRoutePaths"][0]["nextHop"] == "10.65.0.2"
    )
    del routes[gone]


def invalid_type5(shown: Shown) -> None:
    for own in shown[PREFIX]["evpnRoutes"].values():
        for path in own["evpnRoutePaths"]:
            path["routeType"]["valid"] = False


def without_imet(shown: Shown) -> None:
    """Lose the block of one leaf."""
    head, *blocks = shown[IMET].split("BGP routing table entry")
    kept = [each for each in blocks if not each.startswith(" for imet 10.65.0.2,")]
    assert len(kept) == len(blocks) - 1
    shown[IMET] = "BGP routing table entry".join([head, *kept])


def queue_drop(shown: Shown) -> None:
    own = shown[QUEUES]["egressQueueCounters"]["interfaces"][EDGE]["ucastQueues"]
    own["trafficClasses"]["TC3"]["dropPrecedences"]["DP0-2"]["droppedPackets"] += 9


def ranged_drop(shown: Shown) -> None:
    """Lose packets in a range of classes, as chips with fewer counters show it."""
    for port_, own in shown[QUEUES]["egressQueueCounters"]["interfaces"].items():
        own["ucastQueues"]["trafficClasses"] = {
            "TC0-7": {"dropPrecedences": {"DP0-2": {"droppedPackets": 5 * (port_ == EDGE)}}}
        }


def voq_drop(shown: Shown) -> None:
    """Lose packets on a chip with VOQs, which refuses the other question."""
    names = list(shown.pop(QUEUES)["egressQueueCounters"]["interfaces"])
    shown[VOQS] = {
        "interfaces": {
            name: {
                "trafficClasses": {
                    "TC3": {
                        "ingressVoqCounters": {
                            "countersSum": {"droppedPackets": 5 * (name == EDGE)}
                        },
                        "egressQueueCounters": {"countersSum": {"droppedPackets": 0}},
                    }
                }
            }
            for name in names
        }
    }


def marked_in(queue: str) -> Plant:
    """Let a queue without thresholds mark packets. It counted none before."""
    command = "show qos interfaces ecn counters queue"
    return put(command, "intfQueueCounters", EDGE, "queueCounters", queue, "77")


def paused(priority: str, frames: int, way: str = "rxFrames") -> Plant:
    own = (PRIORITIES, "interfaces", EDGE, "priorities", priority, way)
    return grow(*own, frames)


_ACCESS = {"switchportInfo": {"mode": "access", "accessVlanId": 101}}
_OTHER = {"address": "10.9.9.9", "maskLen": 31}
_CATEGORIES = ("show vxlan config-sanity", "categories")
_MEMBER = (LACP, "portChannels", "Port-Channel1", "interfaces", "Ethernet1/1", "actorPortStatus")
