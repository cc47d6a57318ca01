"""Spell ports, aliases, lanes, VRFs, port-channels and switch roles as SONiC names them."""

from dataclasses import replace
from functools import lru_cache

from fabricgen.core.record import record
from fabricgen.model.catalog.memory import layout_of
from fabricgen.model.catalog.skus import choose, nearest
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.catalog.targets import TYPES
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.pair import PEER_BUNDLE, Pair
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port, Role
from fabricgen.nos.sonic.facts import sonic_facts, why_not

LETTERS = "abcdefgh"


def split_alias(native: str, subs: int, sub: int, offset: int) -> str:
    """Spell the alias of an interface by the alias of its cage.

    Args:
        native: Alias of the cage without a split.
        subs: Number of interfaces of the cage.
        sub: Index of the interface, from 0.
        offset: Number of lanes before it.
    """
    if subs == 1:
        return native
    if native.startswith("etp"):  # etp1a, etp1b
        return f"{native}{LETTERS[sub]}"
    if native.startswith("Ethernet") and native.endswith("/1"):  # Ethernet1/5
        return f"{native[:-1]}{offset + 1}"
    if native.endswith(")"):  # Eth53/2(Port53)
        return native.replace("(", f"/{sub + 1}(")
    return f"{native}/{sub + 1}"


def filled(pattern: str, cage: int, sub: int, offset: int) -> str:
    """Spell an alias by the pattern of a hwsku: etp{cage}{letter}."""
    return pattern.format(cage=cage, letter=LETTERS[sub], sub=sub + 1, lane=offset + 1)


ROUTER_ID = "Loopback0"
VTEP_SOURCE = "Loopback1"
MANAGEMENT_PORT = "eth0"
MANAGEMENT_VRF = "mgmt"  # fixed: sonic-mgmt_vrf.yang has no name, only on and off
VTEP = "vtep"
NVO = "nvo"
# FRR of SONiC is built with --enable-multipath=514 (sonic-net/sonic-buildimage pull 20744), which
# is also its default; 512 is the size of a next-hop group on NVIDIA (pull 22796) and in both pulls.
# An ASIC may hold fewer, which SONiC reports only at run time.
MULTIPATH = 514
MAX_ECMP = 512
# CABLE_LENGTH, LOSSLESS_TRAFFIC_PATTERN and DEFAULT_LOSSLESS_BUFFER_PARAMETER have one entry; every
# template of sonic-buildimage (files/build_templates/buffers_config.j2) uses this name.
ONLY = "AZURE"

# Effects of `type`, all in sonic-buildimage: the ECMP hash seed (0, 10, 25) and ordered ECMP
# (dockers/docker-orchagent/switch.json.j2@0860bc78), so that two tiers hash differently; the
# buffers_defaults_t0/t1/t2.j2 of `config qos reload` (files/build_templates/buffers_config.j2); the
# started features (init_cfg.json.j2). BGP templates read it too, but fabricgen renders frr.conf.
ROLES = {Role(role): kind for role, kind in TYPES.items()}
SERVER = "Server"  # sonic-utilities pfcwd/main.py get_server_facing_ports() looks for this word

# No role that sonic-utilities or the buffer templates look for: they then use their defaults.
OUTSIDE = "External"


@record(kw_only=True)
class PortNames:
    """Names of one port; `cage` is the name of its cage without a split."""

    name: str
    alias: str
    index: str
    lanes: str
    cage: str


@lru_cache(maxsize=65536)
def port_names(model: SwitchModel, port: Port) -> PortNames:
    """Spell a port. A split cage counts by lanes used, as BreakoutCfg.get_config() does.

    sonic-buildimage src/sonic-config-engine/portconfig.py: the n-th interface is the number of the
    cage plus n times the lanes of one interface. Where names do not count lanes (name_step), the
    offset is scaled by it.
    """
    if why_not(model) is not None:
        return PortNames(name=port.label, alias=port.label, index="0", lanes="", cage=port.label)
    facts = sonic_facts(model)
    native = facts.ports[port.cage]
    offset = port.sub * port.lanes
    if len(native.lanes) == 1:
        return PortNames(
            name=native.name,
            alias=native.alias,
            index=str(native.index),
            lanes=native.lanes[0],
            cage=native.name,
        )
    number = int(native.name.removeprefix("Ethernet"))
    name = f"Ethernet{number + offset * facts.name_step // len(native.lanes)}"
    lanes = ",".join(native.lanes[offset : offset + port.lanes])
    return PortNames(
        name=name,
        alias=split_alias(native.alias, port.subs, port.sub, offset),
        index=str(native.index),
        lanes=lanes,
        cage=native.name,
    )


@lru_cache(maxsize=256)
def layout(model: SwitchModel, ports: tuple[Port, ...]) -> tuple[PortNames, ...]:
    """Spell every port of a switch, in faceplate order; switches of one role share the tuple.

    A hwsku may have aliases of its own, and these may differ between releases.
    """
    plain = tuple(port_names(model, port) for port in ports)
    if why_not(model) is not None:
        return plain
    skus, used = model.eligible("sonic"), layout_of(ports)
    sku = choose(skus, used, ()) or nearest(skus, used)[0]
    return tuple(
        replace(names, alias=filled(pattern, port.cage, port.sub, port.sub * port.lanes))
        if (pattern := sku.alias(port.cage, port.subs)) is not None
        else names
        for names, port in zip(plain, ports, strict=True)
    )


def alias_of(model: SwitchModel, ports: tuple[Port, ...], port: Port) -> str:
    if not any(sku.aliases for sku in model.skus.get("sonic", ())):
        return port_names(model, port).alias
    return layout(model, ports)[ports.index(port)].alias


def diagnostic_source(vrf: Vrf) -> str:
    """Spell the loopback with a VRF's diagnostic address: Loopback1001 to Loopback1999, by its id.

    sonic-loopback-interface.yang accepts any interface name; `config loopback add` ends at 999.
    """
    return f"Loopback{1000 + vrf.id}"


def vrf_name(name: str) -> str:
    """Spell a VRF: sonic-vrf.yang requires the prefix `Vrf` and at most 15 characters."""
    return f"Vrf_{name}"


def vlan_name(number: int) -> str:
    return f"Vlan{number}"


def share_name(parent: str, tag: int) -> str:
    """Spell a sub-interface, with the short name of its port if 15 letters are too few.

    sonic-vlan-sub-interface.yang: `Eth` for Ethernet and `Po` for PortChannel.
    """
    name = f"{parent}.{tag}"
    if len(name) <= 15:
        return name
    return name.replace("Ethernet", "Eth").replace("PortChannel", "Po")


def bundle_name(number: int) -> str:
    return f"PortChannel{number}"


def domain_number(switch_slice: SwitchSlice) -> str:
    """Return the MC-LAG domain of a leaf: the number of the pair's first leaf.

    sonic-mclag.yang has numbers up to 4095. Pairs close to each other have different ones, so a
    crossed peer link joins no two pairs.
    """
    return str(switch_slice.switch.shared % 4095 + 1)


def peer_link_text(switch_slice: SwitchSlice, pair: Pair) -> str:
    link = bundle_name(PEER_BUNDLE)
    return f"{switch_slice.switch.name}:{link} to {pair.peer.name}:{link}"
