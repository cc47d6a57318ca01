"""A rendered file in; the numbers of its QoS lines, and whose each is, out.

Of ports only the given ones (name to kind): the lines of the others are alike.
"""

import re
from collections.abc import Iterator, Mapping

from tests.unit.proof.qos.mutants import Mutant, of_fields, of_lines

TABLES = (
    {"DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE"}
    | {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "SCHEDULER", "WRED_PROFILE", "PORT_QOS_MAP", "QUEUE"}
    | {"PFC_WD", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "CABLE_LENGTH"}
    | {"BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"}
    | {"DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"}
)
EVERY = "switch"  # what is no port's own


def mutants(path: str, text: str, ports: Mapping[str, str]) -> Iterator[Mutant]:
    """Yield each changed form of a file; nothing for one without QoS."""
    if path == "eos.cfg":
        yield from of_lines(text, _eos(text, ports), r"^ *mtu|^ *service-profile")
    elif path == "config_db.json":
        yield from of_fields(text, TABLES, ports)
        yield from of_lines(text, _sonic(text, ports), r'"mtu"')
    elif path == "etc/fabricgen/tc.batch":
        yield from of_lines(text, _with_port(text, ports, ""), r" dev \S+")
    elif path == "etc/fabricgen/dcb.sh":
        calls = {n: EVERY for n, line in enumerate(text.splitlines()) if " dcb " in line}
        chosen = {**calls, **_with_port(text, ports, "port ")}
        yield from of_lines(text, chosen, r"port \S+|refused.*|\"\$\d\"")
    elif path == "etc/network/interfaces":
        yield from of_lines(text, _linux(text, ports), r"mtu")


def _eos(text: str, ports: Mapping[str, str]) -> dict[int, str]:
    """Choose the QoS lines, and those of MTU and profile of the ports and of gateways."""
    chosen, top = {}, ""
    for number, line in enumerate(text.splitlines()):
        if not line.startswith((" ", "!")):
            top = line
        name = top.removeprefix("interface ")
        own = line.startswith(("   mtu ", "   service-profile "))
        if top.startswith(("qos ", "priority-flow-control ")) and line.strip() != "!":
            chosen[number] = EVERY
        elif own and (name in ports or name.startswith("Vlan")):
            chosen[number] = ports.get(name, EVERY)
    return chosen


def _sonic(text: str, ports: Mapping[str, str]) -> dict[int, str]:
    """Choose the MTU of the ports."""
    chosen, table, name = {}, "", ""
    for number, line in enumerate(text.splitlines()):
        if found := re.fullmatch(r'    "([A-Z_]+)": \{', line):
            table = found[1]
        elif found := re.fullmatch(r' {8}"(\w+)": \{', line):
            name = found[1]
        elif table == "PORT" and name in ports and '"mtu"' in line:
            chosen[number] = ports[name]
    return chosen


def _linux(text: str, ports: Mapping[str, str]) -> dict[int, str]:
    """Choose the MTU of the ports."""
    chosen, name = {}, ""
    for number, line in enumerate(text.splitlines()):
        if line.startswith("iface "):
            name = line.split()[1]
        elif name in ports and line.startswith("    mtu "):
            chosen[number] = ports[name]
    return chosen


def _with_port(text: str, ports: Mapping[str, str], start: str) -> dict[int, str]:
    """Choose the lines that name one of the ports."""
    return {
        number: ports[name]
        for number, line in enumerate(text.splitlines())
        for name in ports
        if line.startswith(start) and name in line.split()
    }
