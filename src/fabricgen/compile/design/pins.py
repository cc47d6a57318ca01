"""Apply pinned addresses and report pins that clash.

A pin is used unchanged and moves nothing: every computed number follows from coordinates, so it
keeps its place. A pin must not be the number of another object, now or when the fabric grows. So it
is compared with every switch, and excluded from the pools.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from ipaddress import ip_address

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.core.record import record
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.pins import PinnedNumbers
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Addresses, Ip, Pool, host_text
from fabricgen.model.fabric.pins import NO_PINS, Pin, Pins
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Switch

SUBNET = at("site", "management", "subnet")


@record(kw_only=True)
class _Numbers:
    """Numbers that are unique per switch, unless the computed numbers are shared.

    place: intent path of the base of the computed numbers. keys: the pins that may set them.
    """

    noun: str
    keys: tuple[str, ...]
    place: IntentPath
    computed: Callable[[Switch], int | None]
    final: Callable[[Switch], int | None]
    spelled: Callable[[int], str]

    def told(self, switch: Switch) -> str:
        """Spell the number that a switch has."""
        return self.spelled(self.final(switch) or 0)


def judge_clashes(fabric: Fabric, findings: Findings) -> None:
    """Compare every number of every switch, given or computed."""
    for numbers in _kinds(fabric):
        _judge_apart(numbers, fabric, findings)
        _judge_alike(numbers, fabric, findings)


def _kinds(fabric: Fabric) -> Iterator[_Numbers]:
    """Yield the kinds of compared numbers, each with the values without pins."""
    addresses, asns = fabric.addresses, fabric.routing.asns
    bare = replace(addresses, pins=NO_PINS)
    pools = (*fabric.place, "addressing")
    loopbacks = (*pools, "loopbacks")
    for noun, keys, place, computed, final in (
        ("loopback", ("loopback",), loopbacks, bare.loopback, addresses.loopback),
        ("router ID", ("router_id", "loopback"), loopbacks, bare.loopback, addresses.router_id),
        ("VTEP", ("vtep",), (*pools, "vteps"), bare.vtep, addresses.vtep),
    ):
        yield _Numbers(
            noun=noun,
            keys=keys,
            place=place,
            computed=partial(_value, computed),
            final=partial(_value, final),
            spelled=_spelled,
        )
    yield _Numbers(
        noun="ASN",
        keys=("asn",),
        place=(*fabric.routing.path, "asn"),
        computed=asns.computed,
        final=asns.asn,
        spelled=str,
    )


def _value(address_of: Callable[[Switch], Ip | None], switch: Switch) -> int | None:
    address = address_of(switch)
    return None if address is None else address.value


def _spelled(value: int) -> str:
    return host_text(value, 4)


def _judge_apart(numbers: _Numbers, fabric: Fabric, findings: Findings) -> None:
    """Report the first two switches that share a number as computed, and are pinned apart."""
    first: dict[int, Switch] = {}
    for switch in fabric.topology.switches:
        computed = numbers.computed(switch)
        other = first.setdefault(computed, switch) if computed is not None else switch
        if numbers.final(other) == numbers.final(switch):
            continue
        (pinned, path), (far, theirs) = _ends(numbers, fabric, switch, other)
        findings.spoil(
            Code.PINS_APART,
            f"{pinned.name} and {far.name} share one {numbers.noun}, but {pinned.name} is pinned "
            f"to {numbers.told(pinned)} and {far.name} has {numbers.told(far)} by "
            f"{dotted(theirs)}",
            path,
            "pin all switches that share it to the same value",
        )
        return


def _judge_alike(numbers: _Numbers, fabric: Fabric, findings: Findings) -> None:
    """Report switches that have a number which is another's as well."""
    owners: dict[int, Switch] = {}
    for switch in fabric.topology.switches:
        final = numbers.final(switch)
        other = owners.setdefault(final, switch) if final is not None else switch
        if other is switch or numbers.computed(other) == numbers.computed(switch):
            continue
        (pinned, path), (far, theirs) = _ends(numbers, fabric, switch, other)
        if numbers.keys[0] not in (path[-1], theirs[-1]):
            continue  # said of what it follows from
        findings.spoil(
            Code.PIN_CLASH,
            f"{pinned.name} is pinned to the {numbers.noun} {numbers.told(pinned)}, which "
            f"{far.name} already has by {dotted(theirs)}",
            path,
            _shared(numbers, switch, other),
        )


def _shared(numbers: _Numbers, *switches: Switch) -> str:
    """Return how spines share an ASN: they do in most networks that exist."""
    spines = numbers.noun == "ASN" and all(each.role is Role.SPINE for each in switches)
    return "set `underlay: {asn: {scheme: rfc7938}}` if spines share one ASN" if spines else ""


def _ends(numbers: _Numbers, fabric: Fabric, *switches: Switch) -> list[tuple[Switch, IntentPath]]:
    """Return switches with the source of each number: a pin, or the base of computed numbers."""
    ends = [(each, _place_of(numbers, fabric, each)) for each in switches]
    return sorted(ends, key=lambda end: end[1] == numbers.place)


def _place_of(numbers: _Numbers, fabric: Fabric, switch: Switch) -> IntentPath:
    pin = fabric.addresses.pins.get(switch.name)
    said = next((key for key in numbers.keys if getattr(pin, key, None) is not None), None)
    return numbers.place if pin is None or said is None else (*pin.path, said)


def apart_managed(fabrics: Sequence[Fabric], gateway: str, findings: Findings) -> list[Fabric]:
    """Return the fabrics whose pinned management addresses have no other owner.

    The management subnet is the site's: its gateway and the switches of all fabrics are compared.
    """
    owners: dict[int, tuple[str, IntentPath]] = {}
    if gateway:
        owners[int(ip_address(gateway))] = ("the gateway", SUBNET)
    wrong = set()
    for path, fabric, switch in sorted(managed(fabrics), key=lambda each: each[0] != SUBNET):
        own = fabric.addresses.management_address(switch)
        far, theirs = owners.setdefault(own.value, (switch.name, path))
        if far != switch.name and path != SUBNET:
            wrong.add(fabric.name)
            pinned = path[-1] == "management"
            findings.spoil(
                Code.PIN_CLASH if pinned else Code.PLAN_CLASH,
                f"{switch.name} {'is pinned to' if pinned else 'has'} the management address "
                f"{own.host}, which {far} already has by {dotted(theirs)}",
                path,
            )
    return [fabric for fabric in fabrics if fabric.name not in wrong]


def managed(fabrics: Sequence[Fabric]) -> Iterator[tuple[IntentPath, Fabric, Switch]]:
    """Yield every switch with the place that sets its management address."""
    for fabric in fabrics:
        for switch in fabric.topology.switches:
            pin = fabric.addresses.pins.get(switch.name)
            place = fabric.addresses.formula("management", switch.role).said or SUBNET
            if pin is not None and pin.management is not None:
                place = (*pin.path, "management")
            yield place, fabric, switch


_KEYS = [key for key in PinnedNumbers.model_fields if key != "hostname"]


def pins_of(words: AnyFabric) -> Pins:
    """Return the pinned numbers of switches."""
    pins = {}
    for name, said in words.switches.items():
        own = {key: said.unless_refused(key) for key in _KEYS}
        numbers = {key: int(value) for key, value in own.items() if value is not None}
        if numbers:
            called = said.unless_refused("hostname") or name
            pins[called] = Pin(path=at(*words.at("switches", name)), **numbers)
    return Pins(pins) if pins else NO_PINS


def judge_pins(words: AnyFabric, fabric: Fabric, findings: Findings) -> bool:
    """Report pins that clash with anything of their fabric; return whether there are none."""
    pins = fabric.addresses.pins
    if not pins.every:
        return True
    whole = findings.whole
    switches = [each for each in fabric.topology.switches if pins.get(each.name) is not None]
    for switch in switches:
        pin = pins.get(switch.name)
        assert pin is not None
        for key, what in _misplaced(words, fabric, switch, pin):
            findings.spoil(Code.PIN_OUT_OF_PLACE, what, (*pin.path, key))
    judge_clashes(fabric, findings)
    return whole and findings.whole


def _misplaced(
    words: AnyFabric, fabric: Fabric, switch: Switch, pin: Pin
) -> Iterator[tuple[str, str]]:
    """Yield the pins of a switch that it cannot have, with a sentence for each."""
    addresses = fabric.addresses
    if pin.vtep is not None and addresses.vtep(switch) is None:
        yield "vtep", f"{switch.name} is not a tunnel endpoint, because only leafs with tenants are"
    for key in ("loopback", "vtep"):
        said: int | None = getattr(pin, key)
        meant = () if said is None else _pools(addresses, key)
        for pool in meant:
            if pool.whole.holds(Ip(said or 0, 32)):
                place = dotted(words.at("addressing", pool.name))
                text = f"{host_text(said or 0, 4)} lies in {place}, {pool.text}"
                yield key, f"{text}, whose addresses are assigned to other objects"
    subnet = Ip(addresses.management.first, addresses.management_length).subnet
    first, last = subnet.network
    for key in ("loopback", "vtep"):
        if first <= (getattr(pin, key) or 0) <= last:
            yield key, _managed_too(fabric, getattr(pin, key), f"{dotted(SUBNET)}, {subnet}")
    if pin.management is not None and not first < pin.management < last:
        text = f"{host_text(pin.management, 4)} is not an address of the management subnet"
        yield "management", f"{text} {subnet}, which contains its gateway"


def _managed_too(fabric: Fabric, said: int, subnet: str) -> str:
    """Name the switch that has an address of the management subnet, if any."""
    holders = (
        f", and is the management address of {switch.name} by {dotted(place)}"
        for place, _, switch in managed([fabric])
        if fabric.addresses.management_address(switch).value == said
    )
    return f"{host_text(said, 4)} lies in {subnet}{next(holders, '')}"


def _pools(addresses: Addresses, key: str) -> Iterator[Pool]:
    """Yield the pools whose addresses are assigned to other objects."""
    nics = addresses.nics.pool if addresses.nics is not None else None
    other = addresses.vteps if key == "loopback" else addresses.loopbacks
    yield from (each for each in (other, addresses.links, nics) if each is not None)
