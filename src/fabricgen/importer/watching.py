"""Reads the monitoring and configuration services: SNMP, gNMI, NETCONF, sFlow, CloudVision."""

import re
from collections.abc import Iterator
from typing import Any

from fabricgen.importer.keys import flat, hosts, keys_of, listed, most, nested, of, site_keys
from fabricgen.importer.tree import Fragment, Tree, said
from fabricgen.model.settings.services import (
    CloudVision,
    Netconf,
    Restconf,
    Sflow,
    Snmp,
    SnmpUser,
    Telemetry,
)
from fabricgen.model.settings.setting import default_of
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text

_ADDRESSES = re.compile(r"(?:^| )-?-cvaddr=(\S+)")
_ADDRESS = re.compile(r"([^,]+):(\d+)")


def read(network: Network, _tree: Tree) -> Fragment:
    """Return the tree with monitoring services. Keys without a line in a file are omitted."""
    switches = network.switches
    words = said(
        snmp=_snmp(switches),
        sflow=_sflow(switches),
        cloudvision=nested(most(switches, _cloudvision)),
    )
    if _has(switches, "gnmi"):
        collectors = listed(switches, "collector", "host")
        words["gnmi"] = site_keys(Telemetry, switches, ("gnmi",)) | said(collectors=collectors)
    servers = {"netconf": Netconf, "restconf": Restconf}
    words |= {
        key: site_keys(kind, switches, (key,))
        for key, kind in servers.items()
        if _has(switches, key)
    }
    return {"site": {"management": words}}


def _has(switches: list[Judged], server: str) -> bool:
    """Return whether most switches have a server, which always has a port."""
    return bool(most(switches, lambda each: text(each.own((server,)).get("port"))))


def _snmp(switches: list[Judged]) -> Fragment:
    """Return SNMP by majority. Empty without any client."""
    users = [nested(each) for each in most(switches, _users) or ()]
    own = site_keys(Snmp, switches, ("snmp",), ("snmp",))
    community = own.pop("community", None)
    if not users and community is None:
        return {}
    targets = hosts(switches, "trap")
    traps = {"targets": targets, "user": most(switches, _sender)} if targets else None
    return said(community=community, users=users, traps=traps, **own)


def _users(switch: Judged) -> tuple[Any, ...]:
    return tuple(
        flat({"name": name, **keys})
        for (_, name), own in of(switch, "snmp-user")
        if (keys := keys_of(SnmpUser, [own], owner=("snmp", name)))
    )


def _sender(switch: Judged) -> str:
    return next((text(own.get("user")) for _, own in of(switch, "trap")), "")


def _sflow(switches: list[Judged]) -> Fragment:
    collectors, rate = hosts(switches, "sflow"), nested(most(switches, _rate))
    return {"collectors": collectors, **rate} if collectors and rate else {}


def _rate(switch: Judged) -> Any:
    """Return the sampling rate of all ports or of the first port with one, and the drops."""
    ports = (own for _, own in of(switch, "sampled"))
    return flat(keys_of(Sflow, [switch.own(("sampling",)), switch.own(("drops",)), *ports]))


def _cloudvision(switch: Judged) -> Any:
    """Return the CloudVision address of TerminAttr, its option -cvaddr."""
    options = _ADDRESSES.search(text(switch.own(("streaming",)).get("options")))
    found = list(_each(options[1])) if options else []
    if not found or len({port for _, port in found}) > 1:
        return ()
    port = int(found[0][1])
    usual = default_of(CloudVision, "port")
    servers = [host for host, _ in found]
    return flat(said(servers=servers, port=port if port != usual else None))


def _each(addresses: str) -> Iterator[tuple[str, str]]:
    for each in _ADDRESS.finditer(addresses):
        yield each[1].strip("[]"), each[2]
