"""What a change of ports, queues and pause of eos.cfg does: rules, each with its source."""

import re

from fabricgen.tree.risk import ADDED, CAUTION, REMOVED, USE, Risk, Rule
from fabricgen.tree.settings import Path, Settings

HITLESS, SESSION, LOSSLESS, _ = Risk

_QOS = (
    "by analogy: NVIDIA Cumulus Linux, Quality of Service (changes of PFC or of the buffers modify "
    "the ASIC's buffer: momentary loss); Juniper, congestion-notification-profile (a change of PFC "
    "blocks the port, loss in all its queues)"
)
_LINK = "IEEE 802.3: a link is trained anew for another speed, lane count or FEC"

_CAGE = re.compile(r"interface Ethernet(\d+)(?:/\d+)?")
_ETHERNET = r"interface (?:Ethernet|Port-Channel)\S+"


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether nothing runs over a port: it was shut, or is now, or its whole cage was."""
    head = path[:1]
    if (*head, "shutdown") in before or (*head, "shutdown") in after:
        return True
    cage = _CAGE.fullmatch(path[0])
    if head in before or not cage:
        return False
    ports = [
        item
        for item in before
        if len(item) == 1 and (other := _CAGE.fullmatch(item[0])) and other[1] == cage[1]
    ]
    return bool(ports) and all((*port, "shutdown") in before for port in ports)


PORTS = (
    Rule(rf"{_ETHERNET} > shutdown", SESSION, "the link goes down", USE, ADDED),
    Rule(rf"{_ETHERNET} > shutdown", HITLESS, "the link comes up", USE, REMOVED),
    Rule(
        r"interface Ethernet\S+(?: > .*)?",
        HITLESS,
        "the port is shut, or was: no traffic runs over it",
        USE,
        when=_rests,
    ),
    Rule(
        r"interface (?:Vlan|Loopback|Port-Channel)\S+",
        HITLESS,
        "an interface that did not exist",
        USE,
        ADDED,
    ),
    Rule(
        r"interface (?:Vlan|Loopback|Port-Channel)\S+",
        SESSION,
        "the hosts or sessions that use the interface lose it",
        USE,
    ),
    Rule(
        r"interface \S+",
        SESSION,
        "the port takes or loses all its settings; the lanes of a cage are divided anew",
        _LINK,
    ),
    Rule(
        rf"{_ETHERNET} > (?:speed|error-correction encoding)(?: (?P<value>.*))?",
        SESSION,
        "the link is trained anew",
        _LINK,
    ),
    Rule(
        rf"{_ETHERNET} > channel-group (?P<value>.*)",
        SESSION,
        "the port joins or leaves a bundle",
        USE,
    ),
    Rule(
        r"interface \S+ > mtu (?P<value>\d+)",
        SESSION,
        "until both ends agree larger packets are lost, and no document says the link stays up",
        CAUTION,
    ),
    Rule(
        r"interface \S+ > (?:ip address|ip address virtual|ipv6 \S+)(?: (?P<value>.*))?",
        HITLESS,
        "an address more; sessions over it can begin",
        USE,
        ADDED,
    ),
    Rule(
        r"interface \S+ > (?:ip address|ip address virtual|ipv6 \S+)(?: (?P<value>.*))?",
        SESSION,
        "sessions and hosts that use the old address lose it",
        USE,
    ),
    Rule(
        r"interface \S+ > vrf (?P<value>.*)",
        SESSION,
        "the interface leaves its routing table, and its addresses with it",
        USE,
    ),
    Rule(
        r"interface \S+ > switchport trunk allowed vlan > \d+",
        HITLESS,
        "one VLAN more on the port",
        USE,
        ADDED,
    ),
    Rule(
        r"interface \S+ > switchport trunk allowed vlan(?: > \d+)?",
        SESSION,
        "the port carries fewer VLANs, or from now on only those it lists",
        USE,
    ),
    Rule(
        r"interface \S+ > switchport (?P<value>trunk native vlan \d+)",
        SESSION,
        "untagged frames of the port change their VLAN",
        USE,
    ),
    Rule(
        r"interface \S+ > (?:no )?switchport.*",
        SESSION,
        "the port changes between bridged and routed, or its VLAN",
        USE,
    ),
    Rule(
        r"(?:interface \S+ > )?link tracking group (?P<value>.*)",
        SESSION,
        "ports follow the uplinks of their group from now on, or no longer",
        CAUTION,
    ),
    Rule(
        r"interface \S+ > (?:spanning-tree .*|uc-tx-queue \d+ > random-detect ecn count)",
        HITLESS,
        "holds from the next event on",
        USE,
    ),
)
CLASSES = (
    Rule(
        rf"{_ETHERNET} > (?:service-profile|service-policy|(?:no )?qos|priority-flow-control|"
        r"flowcontrol|shape|(?:uc-|mc-)?tx-queue)\b(?P<value>.*)",
        LOSSLESS,
        "the port's queues, trust and pause are set anew",
        _QOS,
    ),
    Rule(r"qos profile \S+", HITLESS, "a profile that no port has yet", USE, ADDED),
    Rule(
        r"qos profile \S+(?: > .*)? > random-detect ecn (?P<value>.*)",
        LOSSLESS,
        "marking changes on every port of the profile; no document says that EOS writes the "
        "threshold without touching the queue",
        CAUTION,
    ),
    Rule(
        r"qos profile \S+(?: > .*?)? > bandwidth percent (?P<value>.*)",
        LOSSLESS,
        "the shares of the queues change on every port of the profile",
        CAUTION,
    ),
    Rule(
        r"qos profile \S+(?: > .*)?",
        LOSSLESS,
        "pause, trust or queues change on every port of the profile",
        _QOS,
    ),
    Rule(
        r"qos map (?:dscp|cos) (?P<value>.*)",
        LOSSLESS,
        "packets under way change their class; until every switch agrees, RDMA leaves its queue",
        USE,
    ),
    Rule(
        r"qos map traffic-class (?P<value>.*)",
        LOSSLESS,
        "a class moves to another queue while packets wait in the old one",
        USE,
    ),
    Rule(
        r"priority-flow-control pause watchdog (?:default )?\S+ (?P<value>\S+)",
        LOSSLESS,
        "the watchdog drops a lossless queue that it takes for stuck; its timers say when",
        CAUTION,
    ),
    Rule(
        r"(?:priority-flow-control|qos random-detect)\b.*",
        LOSSLESS,
        "pause or marking changes on the whole switch",
        _QOS,
    ),
    Rule(
        r"platform \S+ mmu .*",
        LOSSLESS,
        "the memory is carved anew: headroom and thresholds move under traffic",
        _QOS,
    ),
    Rule(
        r"(?:load-balance|ip hardware fib|port-channel load-balance)\b.*",
        LOSSLESS,
        "flows are spread anew: packets in flight overtake each other, which RDMA takes for loss",
        CAUTION,
    ),
)
