"""Checks the laws of one CONFIG_DB whose tables repeat values: VLANs, cages and port-channels."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.prove.invariants.law import Breach, Law, Spot, breach
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch, one, whole_number


def _numbers(network: AnyNetwork) -> Iterator[Breach]:
    """Yield VLANs whose number differs from their name."""
    for switch in network.switches:
        for key, own in switch.each("vlan"):
            for word in ("number", "inner"):
                value = one(own.get(word)) or key[1]
                if value != key[1]:
                    said = f"{switch.name}: Vlan{key[1]} has the number {value}"
                    yield breach(said, Spot(switch, key, (word,)))


def _bundles(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports whose MTU differs from their port-channel."""
    for switch in network.switches:
        for key, own in switch.each("interface"):
            bundle = ("interface", f"PortChannel{one(own.get('bundle'))}")
            mtu, whole = one(own.get("mtu")), one(switch.own(bundle).get("mtu"))
            if mtu and whole and mtu != whole:
                said = (
                    f"{switch.name}:{key[1]} has MTU {mtu}, but its port-channel {bundle[1]} "
                    f"has {whole}"
                )
                spots = (Spot(switch, each, ("mtu",)) for each in (key, bundle))
                yield breach(said, *spots, severity=Severity.WARNING)


def cages(switch: Switch) -> Mapping[str, list[tuple[Key, Attributes]]]:
    """Return the ports of each cage by index, in the order of their names."""
    found: dict[str, list[tuple[Key, Attributes]]] = defaultdict(list)
    for key, own in switch.each("interface"):
        if own.get("index") and own.get("lanes"):
            found[one(own["index"])].append((key, own))
    for ports in found.values():
        ports.sort(key=lambda each: whole_number(each[0][1].removeprefix("Ethernet")))
    return found


def _breakouts(network: AnyNetwork) -> Iterator[Breach]:
    """Yield cages whose breakout mode does not match their ports, or is missing."""
    for switch in network.switches:
        modes = {key[1]: (key, one(own.get("mode"))) for key, own in switch.each("cage")}
        for ports in cages(switch).values() if modes else ():
            named = [modes[key[1]] for key, _ in ports if key[1] in modes]
            first, count = ports[0][0], len(ports)
            if not named and count > 1:
                said = (
                    f"{switch.name}: the cage of {first[1]} has {count} ports, but no breakout mode"
                )
                yield breach(said, Spot(switch, first, ("index",)), severity=Severity.WARNING)
            for key, mode in named:
                if _ports_of(mode) not in (0, count):
                    said = (
                        f"{switch.name}: {key[1]} has mode {mode}, but its cage has {count} ports"
                    )
                    yield breach(said, Spot(switch, key, ("mode",)), severity=Severity.WARNING)


def _ports_of(mode: str) -> int:
    """Return the number of ports of a mode, `2x100G[40G]+4x25G`; 0 for another spelling."""
    counts = [part.partition("x")[0] for part in mode.split("+")]
    return sum(map(int, counts)) if all(map(str.isdecimal, counts)) else 0


def _hwskus(network: AnyNetwork) -> Iterator[Breach]:
    """Yield hwskus that no release has for the platform."""
    for switch in network.switches:
        own = switch.own(_KEY)
        hwsku = one(own.get("hwsku"))
        names = _shipped().get(one(own.get("platform")), ()) if hwsku else ()
        if names and hwsku not in names:
            said = (
                f"{switch.name}: no release has hwsku {hwsku} for platform {own['platform']}; it "
                f"has: {', '.join(names)}"
            )
            yield breach(said, Spot(switch, _KEY, ("hwsku",)), severity=Severity.WARNING)


_KEY = ("switch",)


@cache
def _shipped() -> Mapping[str, tuple[str, ...]]:
    """Return the hwskus of each platform for which the catalog has all."""
    models = filter(None, map(switch_model, model_names()))
    facts = [model.platforms.get("sonic", {}) for model in models]
    return {
        str(each["platform"]): tuple(map(str, each["hwskus"])) for each in facts if "hwskus" in each
    }


LAWS = (
    Law(
        name="a VLAN has the number in its name",
        code=Code.LAW_VLAN,
        source="sonic-vlan.yang: the name is Vlan and the number; sonic-swss cfgmgr/vlanmgr.cpp "
        "reads it from the name",
        needs=frozenset({("vlan", "number"), ("vlan", "inner")}),
        breaches=_numbers,
        alone=True,
    ),
    Law(
        name="ports have the MTU of their port-channel",
        code=Code.LAW_BUNDLE,
        source="sonic-portchannel.yang, `must` of PORTCHANNEL_MEMBER",
        needs=frozenset({("interface", "lacp-key")}),
        breaches=_bundles,
        alone=True,
    ),
    Law(
        name="the breakout mode of a cage has its ports",
        code=Code.LAW_SKU,
        source="sonic-utilities config/main.py, `breakout`: the ports to remove follow from it",
        needs=frozenset({("cage", "mode")}),
        breaches=_breakouts,
        alone=True,
    ),
    Law(
        name="the hwsku belongs to the platform",
        code=Code.LAW_SKU,
        source="sonic-buildimage device/ of six branches, as in the catalog",
        needs=frozenset({("switch", "hwsku")}),
        breaches=_hwskus,
        alone=True,
    ),
)
