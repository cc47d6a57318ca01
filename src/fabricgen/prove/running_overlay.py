"""List the expected state of a running switch that no file of the switch alone decides.

Flood lists and EVPN routes depend on the other leafs of the fabric. The identity, the members of
port-channels and the forwarder of a segment depend on the design, and no line states them. Every
platform whose reader has one of the topics is compared.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import FALSE, TRUE, Attributes, Facts, Key
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.pair import PEER_BUNDLE
from fabricgen.model.fabric.segment import DESIGNATED
from fabricgen.model.fabric.switch import Lag, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.show import BUNDLED, FORMED, SAVED
from fabricgen.nos.spelling import Names
from fabricgen.prove.designed import MORE, Designed

SERVER = "server"
"""Role of an object that is absent while a server is off."""


@record(kw_only=True)
class Around:
    """The running leafs of a fabric, as the overlay of each leaf shows the others.

    Attributes:
        vteps: Tunnel endpoints with a VNI, by VNI.
        subnets: Tunnel endpoints that advertise a subnet, by VRF and prefix.
        stretched: VNIs and VRFs of two sites. The endpoints of the other site are unknown.
        identities: Serial numbers by switch, as far as the intent has them.
        running: Names of the running switches.
    """

    vteps: Mapping[int, frozenset[str]] = field(default_factory=dict)
    subnets: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    stretched: frozenset[int | str] = frozenset()
    identities: Mapping[str, Identity] = field(default_factory=dict)
    running: frozenset[str] = frozenset()


def around(
    slices: Iterable[SwitchSlice], identities: Mapping[str, Identity] | None = None
) -> Around:
    """Return what the running switches of one fabric advertise to each other."""
    vteps: dict[int, set[str]] = defaultdict(set)
    subnets: dict[tuple[str, str], set[str]] = defaultdict(set)
    stretched: set[int | str] = set()
    names = set()
    for each in slices:
        names.add(each.switch.name)
        for vlan in each.vlans if each.vtep is not None else ():
            if vlan.vni is not None and each.vtep is not None:
                vteps[vlan.vni].add(each.vtep.host)
        for key in _subnets(each):
            assert each.vtep is not None
            subnets[key].add(each.vtep.host)
        if each.gateway is not None:
            shared = (vlan.vni for vlan in each.vlans if vlan.id in each.gateway.vlans)
            stretched |= {*each.gateway.vrfs, *(vni for vni in shared if vni is not None)}
    return Around(
        vteps={vni: frozenset(found) for vni, found in vteps.items()},
        subnets={key: frozenset(found) for key, found in subnets.items()},
        stretched=frozenset(stretched),
        identities=identities or {},
        running=frozenset(names),
    )


def _subnets(switch_slice: SwitchSlice) -> Iterator[tuple[str, str]]:
    """Yield the subnets that a leaf advertises for as long as it runs: of VLANs with a VNI."""
    routed = {vrf.name for vrf in switch_slice.tunneled} if switch_slice.vtep is not None else ()
    for vlan in switch_slice.vlans:
        for gateway in vlan.gateways if vlan.vni is not None and vlan.vrf in routed else ():
            yield str(vlan.vrf), gateway.prefix


def running(switch_slice: SwitchSlice, names: Names, there: Around) -> Iterator[Designed]:
    """Yield the objects of a running switch; the caller omits topics that its reader lacks."""
    yield from _own(switch_slice, there)
    yield from _bundles(switch_slice, names, there)
    yield from _overlay(switch_slice, there)


def _own(switch_slice: SwitchSlice, there: Around) -> Iterator[Designed]:
    switch = switch_slice.switch
    named = there.identities.get(switch.name)
    identity: Attributes = {"hostname": switch.name, "model": switch.model.name}
    if named is not None and named.serial:
        identity["serial"] = named.serial
    yield Designed(MORE, ("identity",), identity, switch.because)
    yield Designed(MORE, ("saved",), {"state": SAVED}, switch.because)
    if switch_slice.services.ntp:
        yield Designed(MORE, ("clock",), {"synchronized": TRUE}, None)
    if switch_slice.ptp is not None:
        yield Designed(MORE, ("ptp",), {"locked": TRUE}, None)
    for guard in switch_slice.guards:
        for rules in guard.lists:
            for number, rule in rules.numbered():
                key = ("acl-rule", rules.name, str(number))
                yield Designed(MORE, key, {"state": "active"}, rule.because)


def _bundles(switch_slice: SwitchSlice, names: Names, there: Around) -> Iterator[Designed]:
    for lag in switch_slice.lags:
        bundle = names.bundle(lag.number)
        role = SERVER if lag.server is not None else MORE
        for member in lag.members:
            if not member.closed:
                yield _member(switch_slice, bundle, spell(switch_slice.switch, member.port), role)
        if lag.segment is not None:
            yield from _segment(lag, bundle, there)
    pair = switch_slice.pair
    if pair is not None and pair.peer.name in there.running:
        formed: Attributes = {"state": FORMED, "consistent": TRUE}
        yield Designed(MORE, ("pair",), formed, pair.because)
        for each in pair.members:
            port = spell(switch_slice.switch, each.port)
            yield _member(switch_slice, names.bundle(PEER_BUNDLE), port, MORE)


def _member(switch_slice: SwitchSlice, bundle: str, port: str, role: str) -> Designed:
    key = ("bundle-member", bundle, port)
    return Designed(role, key, {"state": BUNDLED}, switch_slice.switch.because)


def _segment(lag: Lag, bundle: str, there: Around) -> Iterator[Designed]:
    """Yield the segment. Its forwarder follows from the preferences while both leafs run."""
    segment = lag.segment
    assert segment is not None
    own: Attributes = {"esi": segment.identifier}
    if segment.peer.name in there.running:
        own["forwarder"] = TRUE if segment.preference == DESIGNATED else FALSE
    yield Designed(SERVER, ("segment", bundle), own, segment.because)


def _overlay(switch_slice: SwitchSlice, there: Around) -> Iterator[Designed]:
    """Yield flood lists, and EVPN routes of other leafs of the fabric.

    Leafs of an MLAG pair share an endpoint, which is then their own.
    """
    if switch_slice.vtep is None or switch_slice.overlay is None:
        return
    own = switch_slice.vtep.host
    for vlan in switch_slice.vlans:
        if vlan.vni is None:
            continue
        if vlan.vni in there.stretched:  # the other site's endpoints are not known here
            yield Designed(SERVER, ("flood", str(vlan.id)), {}, vlan.because)
            continue
        others = _sorted(there.vteps.get(vlan.vni, ()), own)
        if others:
            yield Designed(MORE, ("flood", str(vlan.id)), {"vteps": others}, vlan.because)
            yield Designed(MORE, ("evpn", str(vlan.vni)), {"imet": others}, vlan.because)
    vrfs = {vrf.name: vrf.because for vrf in switch_slice.tunneled}
    for (vrf, prefix), advertised in there.subnets.items():
        others = _sorted(advertised, own)
        if vrf in vrfs and vrf not in there.stretched and others:
            yield _prefix(vrf, prefix, others, vrfs[vrf])


def _prefix(vrf: str, prefix: str, others: tuple[str, ...], why: Provenance) -> Designed:
    return Designed(MORE, ("evpn-prefix", vrf, prefix), {"vteps": others}, why)


def _sorted(vteps: Collection[str], own: str) -> tuple[str, ...]:
    return tuple(sorted(each for each in vteps if each != own))


def in_hardware(facts: Facts) -> Iterator[tuple[Key, Attributes]]:
    """Yield that the chip has each underlay route of the model."""
    for kind, *names in facts:
        if kind == "route" and facts[kind, *names].get("ports"):
            yield ("hardware", *names), {"programmed": TRUE}
