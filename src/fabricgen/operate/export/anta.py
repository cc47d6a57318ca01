"""Write a catalog and an inventory for ANTA: tests of EOS switches with the values of the model.

Modules, tests and field names follow aristanetworks/anta (examples/tests.yaml and
examples/inventory.yaml, 2026-08). Each test has the tag of one switch, because ANTA gives every
device its name as a tag (docs/usage-inventory-catalog.md). ANTA itself is not needed, and it has
not run the files.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import yaml

from fabricgen.compile.compiler import File
from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import reader_of
from fabricgen.nos.sample import sampled
from fabricgen.nos.show import SHUT, UP
from fabricgen.operate.deploy.targets import Target, targets_of
from fabricgen.operate.export.absent import left_out
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

PLATFORM = "eos"
CATALOG, INVENTORY = "catalog.yml", "inventory.yml"
Inputs = dict[str, Any]
Test = tuple[str, str, Inputs]
"""Module below `anta.tests`, name of the test, and its inputs."""
_ALWAYS: tuple[Test, ...] = (
    ("hardware", "VerifyEnvironmentPower", {"states": ["ok"]}),
    ("hardware", "VerifyEnvironmentSystemCooling", {}),
    ("hardware", "VerifyTemperature", {}),
    ("interfaces", "VerifyInterfaceErrDisabled", {}),
    ("configuration", "VerifyRunningConfigDiffs", {}),
    ("system", "VerifyCoredump", {}),
)
"""Tests without a value of the model."""


@record(kw_only=True)
class Exported:
    """Files for ANTA, the number of switches and tests, and sentences about omissions."""

    files: tuple[File, ...]
    switches: int
    tests: int
    left: tuple[str, ...] = field(default=())


def anta(site: Site) -> Exported:
    """Return the catalog and the inventory of the EOS switches of a site."""
    everything = targets_of(site)
    targets = {name: each for name, each in everything.items() if each.platform == PLATFORM}
    wanted = expectations(site, frozenset(everything))
    catalog: dict[str, list[dict[str, Inputs]]] = defaultdict(list)
    for name in targets:
        for module, test, inputs in (*_tests(wanted[name]), *_ALWAYS):
            filters = {"filters": {"tags": [name]}}
            catalog[f"anta.tests.{module}"].append({test: {**inputs, **filters}})
    others = len(everything) - len(targets)
    left = [*left_out(site, servers=False)]
    left += [f"omitted because they do not run EOS: {others} switches"] if others else []
    files = (_file(CATALOG, dict(sorted(catalog.items()))), _file(INVENTORY, _inventory(targets)))
    return Exported(
        files=files if targets else (),
        switches=len(targets),
        tests=sum(map(len, catalog.values())),
        left=tuple(left),
    )


class _Dumper(yaml.SafeDumper):
    """Writes equal lists again instead of an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _file(path: str, data: object) -> File:
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, default_flow_style=False, width=100)
    return File(path, f"---\n{text}", executable=False)


def _inventory(targets: dict[str, Target]) -> dict[str, Any]:
    hosts = [
        {"name": name, "host": each.address, "tags": [each.fabric]}
        for name, each in targets.items()
    ]
    return {"anta_inventory": {"hosts": hosts}}


def _tests(expected: Expected) -> Iterator[Test]:
    """Yield the tests with values of one switch."""
    yield "services", "VerifyHostname", {"hostname": expected.switch}
    yield from _listed("interfaces", "VerifyInterfacesStatus", "interfaces", _links(expected))
    yield from _listed("interfaces", "VerifyInterfaceIPv4", "interfaces", _addresses(expected))
    yield from _listed("interfaces", "VerifyLACPInterfacesStatus", "interfaces", _members(expected))
    yield from _listed("connectivity", "VerifyLLDPNeighbors", "neighbors", _cables(expected))
    yield from _listed("connectivity", "VerifyReachability", "hosts", _loopbacks(expected))
    yield from _listed("routing.bgp", "VerifyBGPPeerSession", "bgp_peers", _peers(expected))
    families = _families(expected)
    yield from _listed("routing.bgp", "VerifyBGPSpecificPeers", "address_families", families)
    yield from _listed("bfd", "VerifyBFDPeersIntervals", "bfd_peers", _bfd(expected))
    yield from _overlay(expected)
    if expected.of("clock"):
        yield "system", "VerifyNTP", {}
    if expected.of("pair"):
        yield "mlag", "VerifyMlagStatus", {}
        yield "mlag", "VerifyMlagConfigSanity", {}


def _listed(module: str, test: str, name: str, rows: Iterator[Inputs]) -> Iterator[Test]:
    """Yield a test with a list, if the list has entries."""
    found = list(rows)
    if found:
        yield module, test, {name: found}


def _links(expected: Expected) -> Iterator[Inputs]:
    for (_, name), own in expected.of("interface").items():
        status = {UP: "up", SHUT: "adminDown"}.get(str(own.get("link")))
        if status is not None:
            yield {"name": name, "status": status}


def _addresses(expected: Expected) -> Iterator[Inputs]:
    """Yield the interfaces with one IPv4 address. ANTA distinguishes first and other ones."""
    for (_, name), own in expected.of("interface").items():
        known = [str(each) for each in own.get("address", ()) if "." in str(each)]
        if len(known) == 1 and not own.get("anycast"):
            yield {"name": name, "primary_ip": known[0]}


def _members(expected: Expected) -> Iterator[Inputs]:
    for _, bundle, port in expected.of("bundle-member"):
        yield {"name": port, "portchannel": bundle}


def _cables(expected: Expected) -> Iterator[Inputs]:
    for (_, port), own in expected.of("cable").items():
        for end in own.get("far", ()):
            device, far = map(str, tuple(end)[:2])
            yield {"port": port, "neighbor_device": device, "neighbor_port": far}


def _loopbacks(expected: Expected) -> Iterator[Inputs]:
    """Yield pings of a sample of host routes of the underlay, from the loopback."""
    reader = reader_of(PLATFORM)
    assert reader is not None
    for _, vrf, prefix in sampled(expected.facts, "route"):
        if vrf == GLOBAL and prefix.endswith("/32"):
            destination = prefix.removesuffix("/32")
            yield {"destination": destination, "source": reader.names.loopback, "vrf": "default"}


def _peers(expected: Expected) -> Iterator[Inputs]:
    for (_, vrf, peer), own in expected.of("session").items():
        if "state" in own and _is_ipv4(peer):
            yield {"peer_address": peer, "vrf": vrf}


def _families(expected: Expected) -> Iterator[Inputs]:
    """Yield the peers by VRF and address family."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (_, vrf, peer), own in expected.of("session").items():
        for family in own.get("families", ()) if "state" in own and _is_ipv4(peer) else ():
            found[vrf, str(family)].append(peer)
    for (vrf, family), peers in found.items():
        if family == "evpn":
            yield {"afi": "evpn", "peers": peers}
        elif family in ("ipv4", "ipv6"):
            yield {"afi": family, "safi": "unicast", "vrf": vrf, "peers": peers}


_BFD_KEY = ("vrf", "peer")
"""Names of a session. The object `bfd` without names has the timers of the switch."""


def _bfd(expected: Expected) -> Iterator[Inputs]:
    """Yield the timers in milliseconds; a fact is `100 ms times 3`."""
    for (_, *names), own in expected.of("bfd").items():
        words = str(own.get("timers", "")).split()
        if len(names) == len(_BFD_KEY) and len(words) == 4 and _is_ipv4(names[1]):
            vrf, peer = names
            interval, multiplier = int(words[0]), int(words[3])
            timers = {"tx_interval": interval, "rx_interval": interval, "multiplier": multiplier}
            yield {"peer_address": peer, "vrf": vrf, **timers}


def _overlay(expected: Expected) -> Iterator[Test]:
    vnis = expected.of("vni").items()
    bindings = {
        int(key[1]): int(str(own["vlan"]))
        for key, own in vnis
        if own.get("layer") == "2" and "vlan" in own
    }
    if bindings:
        yield "vxlan", "VerifyVxlanVniBinding", {"bindings": bindings}
    vteps = sorted({str(each) for own in expected.of("flood").values() for each in own["vteps"]})
    if vteps:
        yield "vxlan", "VerifyVxlanVtep", {"vteps": vteps}
    if vnis:
        yield "vxlan", "VerifyVxlanConfigSanity", {}
    for own in expected.of("vtep").values():
        if {"source", "port"} <= own.keys():
            settings = {"source_interface": str(own["source"]), "udp_port": int(str(own["port"]))}
            yield "vxlan", "VerifyVxlan1ConnSettings", settings


def _is_ipv4(peer: str) -> bool:
    """Return whether a peer is an IPv4 address. ANTA takes no port of an unnumbered session."""
    return "." in peer and ":" not in peer and "%" not in peer
