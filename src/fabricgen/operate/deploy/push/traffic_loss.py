"""Find traffic that a change of switches interrupts, from snapshots before and after it.

The comparison uses VLANs and VRFs, not VNIs: a VLAN that moved alone to another VNI reaches no
other end. An end that the other side removed, according to its snapshot, is no loss here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic, drawn

# A table may show routes that packets cannot use. So each VLAN and VRF is tested to each other end.
# Where there are many ends, the test uses a fixed sample. It also tests a few servers of each VLAN.

FAR = 8
"""Remote ends of a VLAN or VRF that a switch pings. Every switch has its own sample."""
MOST = 256
"""Limit of pings per snapshot: 2.6 s of packets when all ends answer."""
PINGED = 16
"""Limit of VTEPs that are pinged directly, because their VLANs cannot be tested."""
UNASKED = "pings"
"""Start of the sentence about a switch that could not ping; the reason follows."""


def ends(seen: Traffic) -> tuple[End, ...]:
    """Return the ends to ping."""
    asked = {
        f"{end.kind.value} {end.of} {end.far}": end for end in (*_through(seen), *_known(seen))
    }
    return tuple(asked[name] for name in drawn(asked, MOST, seen.vtep))


def answered(before: Health) -> tuple[End, ...]:
    """Return the ends that answered and the isolated ends that did not; both must stay so."""
    return tuple(
        end
        for end, answers in before.traffic.reached.items()
        if answers is not (end.kind is Kind.APART)
    )


def _through(seen: Traffic) -> Iterator[End]:
    """Yield the remote ends. VLANs without a gateway are replaced by their VTEPs."""
    for number, vlan in seen.vlans.items():
        if vlan.gateway:
            yield from _each(Kind.VLAN, str(number), vlan.far, seen.vtep)
    for name, vrf in seen.vrfs.items():
        hops = (hop for hop, mac in vrf.hops.items() if mac)
        yield from _each(Kind.VRF, name, hops, seen.vtep)
    bare = {vtep for vlan in seen.vlans.values() if not vlan.gateway for vtep in vlan.far}
    yield from (End(Kind.VTEP, "", vtep) for vtep in drawn(bare, PINGED, seen.vtep))


def _each(kind: Kind, of: str, far: Iterable[str], own: str) -> Iterator[End]:
    yield from (End(kind, of, vtep) for vtep in drawn(far, FAR, f"{own} {of} "))


def _known(seen: Traffic) -> Iterator[End]:
    """Yield servers."""
    for number, vlan in seen.vlans.items():
        yield from (End(Kind.SERVER, str(number), address) for address in vlan.servers)


MANY = 8
"""Number of MACs that do not all time out at once: a switch forgets silent ones after minutes."""
_KINDS = {2: ("MAC routes (EVPN type 2)", MANY), 3: ("flooding routes (EVPN type 3)", 1)}


def cut(before: Mapping[str, Health], after: Mapping[str, Health]) -> dict[str, list[str]]:
    """Return a sentence for each loss, by switch. after: snapshots of answering switches."""
    ends = _Ends(before, after)
    worse: dict[str, list[str]] = defaultdict(list)
    for name, now in after.items():
        then = before[name].traffic
        worse[name] += _bundles(then, now.traffic)
        for number in sorted(then.vlans.keys() & now.traffic.vlans.keys()):
            worse[name] += _vlan(ends, number, then.vlans[number], now.traffic.vlans[number])
        for vrf in sorted(then.vrfs.keys() & now.traffic.vrfs.keys()):
            worse[name] += _vrf(ends, vrf, then.vrfs[vrf], now.traffic.vrfs[vrf])
        worse[name] += ends.missing(name)
        worse[name] += _silent(ends, name)
    return {name: sentences for name, sentences in worse.items() if sentences}


@dataclass(frozen=True, slots=True)
class _Ends:
    """Names of the switches behind VTEP addresses, as far as snapshots exist."""

    before: Mapping[str, Health]
    after: Mapping[str, Health]

    def owner(self, vtep: str) -> str:
        """Return the switch that had the address; empty if it has no snapshot."""
        return next((name for name, it in self.before.items() if it.traffic.vtep == vtep), "")

    def word(self, vtep: str) -> str:
        """Return the name for messages."""
        owner = self.owner(vtep)
        return f"{owner} ({vtep})" if owner else vtep

    def left(self, vlan: int, vtep: str) -> bool:
        """Check whether the remote end removed the VLAN or changed its address."""
        now = self.after.get(self.owner(vtep))
        return now is not None and (now.traffic.vtep != vtep or vlan not in now.traffic.vlans)

    def missing(self, name: str) -> Iterator[str]:
        """Yield new VLANs, here or on a remote end, that are not connected to the remote end."""
        here, new = self.after[name].traffic, self.new(name)
        then = self.before[name].traffic.vlans
        for other, look in self.after.items():
            there = look.traffic
            for number in sorted(new | self.new(other)) if other != name and there.vtep else ():
                one, far = here.vlans.get(number), there.vlans.get(number)
                if one is None or far is None or there.vtep in one.far:
                    continue
                if number not in then or there.vtep not in then[number].far:  # else it is lost
                    vnis = f"the VNI is {one.vni} here and {far.vni} there"
                    yield f"VLAN {number} does not reach {other} ({there.vtep}): {vnis}"

    def moved(self, name: str) -> set[int]:
        """Return the VLANs whose gateway was removed or has another address or MAC.

        A switch without a snapshot does not change.
        """
        if name not in self.after:
            return set()
        then, now = self.before[name].traffic.vlans, self.after[name].traffic.vlans
        return {
            number
            for number, vlan in then.items()
            if number not in now or now[number].gateway != vlan.gateway
        }

    def new(self, name: str) -> set[int]:
        """Return the VLANs that a switch did not have in this VNI before."""
        then, now = self.before[name].traffic.vlans, self.after[name].traffic.vlans
        return {
            number
            for number, vlan in now.items()
            if number not in then or then[number].vni != vlan.vni
        }


def _bundles(then: Traffic, now: Traffic) -> Iterator[str]:
    for member, used in then.bundles.items():
        if used and now.bundles.get(member) is False:
            bundle, _, port = member.partition(" ")
            yield f"LACP no longer uses {port} in {bundle}"


def _vlan(ends: _Ends, number: int, then: Bridged, now: Bridged) -> Iterator[str]:
    gone = {vtep for vtep in then.far - now.far if not ends.left(number, vtep)}
    moved = f": the VNI is now {now.vni}, previously {then.vni}" if now.vni != then.vni else ""
    for vtep in sorted(gone):
        yield f"VLAN {number} no longer reaches {ends.word(vtep)}{moved}"
    if gone or not then.far <= now.far:  # a consequence, or removed together with the remote end
        return
    for kind, (word, many) in _KINDS.items():
        if (count := then.routes.get(kind, 0)) >= many and not now.routes.get(kind):
            yield f"VLAN {number} lost all {word}, previously {count}"
    if (then.macs or 0) >= MANY and now.macs == 0:
        yield f"VLAN {number} lost all MACs, previously {then.macs}"


def _vrf(ends: _Ends, name: str, then: Routed, now: Routed) -> Iterator[str]:
    if then.up and now.up is False:
        yield f"VRF {name} no longer routes with VNI {now.vni}"
    for hop, mac in now.hops.items():
        if not mac and then.hops.get(hop, "known"):
            yield f"VRF {name} routes to {ends.word(hop)} without a MAC address for it"
    for hop in sorted(then.prefixes.keys() - now.prefixes):
        owner = ends.after.get(ends.owner(hop))
        if owner is None or (owner.traffic.vtep == hop and name in owner.traffic.vrfs):
            yield f"VRF {name} lost the subnets of {ends.word(hop)}"


def _silent(ends: _Ends, name: str) -> Iterator[str]:
    """Yield ends that no longer answer although the tables of the switch contain a path."""
    then, now = ends.before[name].traffic, ends.after[name].traffic
    if any(reason.startswith(UNASKED) for reason in ends.after[name].unread):
        return  # no ping was sent: that is reported with its reason
    for end, answered in then.reached.items():
        if end.kind is Kind.APART and end.station is not None:
            if now.reached.get(end) and not answered:
                yield (
                    f"{end.station.text} answers VRF {end.of} against the design; {name} "
                    f"pinged from {end.source}"
                )
            continue
        if not answered or now.reached.get(end) or not _awaited(ends, name, end):
            continue
        if end.kind is Kind.SERVER:
            yield f"VLAN {end.of}: server {end.far} no longer answers"
        elif end.kind is Kind.ROUTED and end.station is not None:
            yield (
                f"{end.station.text} no longer answers: {name} pinged from {end.source} in "
                f"VRF {end.of}"
            )
        elif end.kind is Kind.VTEP:
            yield f"{ends.word(end.far)} no longer answers a ping"
        else:
            yield f"{end.kind.value} {end.of}: no answer from {ends.word(end.far)}"


def _stays(ends: _Ends, station: Station) -> bool:
    """Check whether the leaf of a server still has its VLAN, gateway and port."""
    then, now = ends.before.get(station.leaf), ends.after.get(station.leaf)
    if then is None or now is None:
        return True  # the leaf does not change, or its silence is reported elsewhere
    vlan, port = station.vlan, station.port
    gone = port in then.links and port not in now.links
    gone |= vlan in then.traffic.trunks.get(port, ()) and vlan not in now.traffic.trunks.get(
        port, ()
    )
    return vlan in now.traffic.vlans and vlan not in ends.moved(station.leaf) and not gone


def _awaited(ends: _Ends, name: str, end: End) -> bool:
    """Check whether an answer is still expected: no requirement was removed or moved."""
    then, now = ends.before[name].traffic, ends.after[name].traffic
    if end.station is not None:
        return _stays(ends, end.station)
    if end.kind is Kind.SERVER:
        vlan = int(end.of)
        ports = (port for port, vlans in then.trunks.items() if vlan in vlans)
        return vlan in now.vlans and all(vlan in now.trunks.get(port, ()) for port in ports)
    if end.kind is Kind.VTEP:
        return any(end.far in vlan.far for vlan in now.vlans.values())
    moved = ends.moved(name) | ends.moved(ends.owner(end.far))
    if end.kind is Kind.VRF:  # the ping uses the gateways of its VLANs
        vrf = now.vrfs.get(end.of)
        return not moved and vrf is not None and bool(vrf.hops.get(end.far))
    vlan = int(end.of)
    return vlan not in moved and end.far in now.vlans[vlan].far and not ends.left(vlan, end.far)
