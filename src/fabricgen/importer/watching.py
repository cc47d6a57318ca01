"""Reads the monitoring services of the switches: SNMP, gNMI, sFlow and CloudVision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.importer.keys import flat, hosts, listed, most, nested, of, said, secret
from fabricgen.model.settings.services import CloudVision, Telemetry
from fabricgen.model.settings.setting import default_of
from fabricgen.prove.walk.values import text

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment, Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

_ADDRESSES = re.compile(r"(?:^| )-?-cvaddr=(\S+)")
_ADDRESS = re.compile(r"([^,]+):(\d+)")


def read(network: Network, _tree: Tree) -> Fragment:
    """Read it; what of it no file shows is left out."""
    switches = network.switches
    words = said(
        snmp=_snmp(switches),
        sflow=_sflow(switches),
        cloudvision=nested(most(switches, _cloudvision)),
    )
    port = most(switches, lambda each: text(each.facts.get(("gnmi",), {}).get("port")))
    if port is not None:
        words["gnmi"] = said(
            port=int(port) if int(port) != default_of(Telemetry, "port") else None,
            collectors=listed(switches, "collector", "host"),
        )
    return {"site": {"management": words}}


def _snmp(switches: list[Judged]) -> dict[str, Any]:
    """Return SNMP as most switches have it; nothing where nobody could ask."""
    users = [nested(each) for each in most(switches, _users) or ()]
    community = secret(most(switches, partial(_own, "community")), "snmp", "community")
    if not users and community is None:
        return {}
    targets = hosts(switches, "trap")
    traps = {"targets": targets, "user": most(switches, _sender)} if targets else None
    texts = {word: most(switches, partial(_own, word)) for word in ("location", "contact")}
    return said(community=community, users=users, traps=traps, **texts)


def _own(word: str, switch: Judged) -> str:
    return text(switch.facts.get(("snmp",), {}).get(word))


def _users(switch: Judged) -> tuple[Any, ...]:
    return tuple(
        flat({"name": name, **keys})
        for (_, name), own in of(switch, "snmp-user")
        if len(keys := said(**{word: _key(name, word, own.get(word)) for word in _KEYS})) == 2
    )


_KEYS = ("auth", "privacy")


def _key(user: str, word: str, value: object) -> str | None:
    return secret(value, "snmp", user, word)


def _sender(switch: Judged) -> str:
    return next((text(own.get("user")) for _, own in of(switch, "trap")), "")


def _sflow(switches: list[Judged]) -> dict[str, Any]:
    collectors, rate = hosts(switches, "sflow"), most(switches, _rate)
    return {"collectors": collectors, "rate": rate} if collectors and rate else {}


def _rate(switch: Judged) -> int:
    """Return one in how many packets is taken: on all ports, or on the first that says it."""
    rates = [text(switch.facts.get(("sampling",), {}).get("rate"))]
    rates += (text(own.get("rate")) for _, own in of(switch, "sampled"))
    return next((int(each) for each in rates if each.isdigit()), 0)


def _cloudvision(switch: Judged) -> Any:
    """Return where TerminAttr streams to, by its option -cvaddr."""
    options = _ADDRESSES.search(text(switch.facts.get(("streaming",), {}).get("options")))
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
