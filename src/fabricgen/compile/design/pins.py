"""What is said of the numbers of single switches in; their pins out, judged by all the others.

A pin is taken as it is and moves nothing: every number that is computed follows from coordinates,
so it stays where it was. What a pin must not be is a number of somebody else, now or when the
fabric grows: so it is compared with every switch, and kept out of what pools give to others.
"""

from collections.abc import Iterator

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.pin_clashes import SUBNET, judge_clashes, managed
from fabricgen.core.diagnostics import Code, dotted
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.pins import PinnedNumbers
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Addresses, Ip, Pool, host_text
from fabricgen.model.fabric.pins import NO_PINS, Pin, Pins
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch

_KEYS = [key for key in PinnedNumbers.model_fields if key != "hostname"]


def pins_of(words: AnyFabric) -> Pins:
    """Return the numbers that are said of switches."""
    pins = {}
    for name, said in words.switches.items():
        own = {key: said.unless_refused(key) for key in _KEYS}
        numbers = {key: int(value) for key, value in own.items() if value is not None}
        if numbers:
            called = said.unless_refused("hostname") or name
            pins[called] = Pin(path=at(*words.at("switches", name)), **numbers)
    return Pins(pins) if pins else NO_PINS


def judge_pins(words: AnyFabric, fabric: Fabric, findings: Findings) -> bool:
    """Report pins that clash with anything of their fabric; tell whether there are none."""
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
        yield "vtep", f"{switch.name} is no tunnel endpoint: leafs are, where there are tenants"
    for key in ("loopback", "vtep"):
        said: int | None = getattr(pin, key)
        meant = () if said is None else _pools(addresses, key)
        for pool in meant:
            if pool.whole.holds(Ip(said or 0, 32)):
                place = dotted(words.at("addressing", pool.name))
                text = f"{host_text(said or 0, 4)} lies in {place}, {pool.text}"
                yield key, f"{text}, whose addresses are given to others"
    subnet = Ip(addresses.management.first, addresses.management_length).subnet
    first, last = subnet.network
    for key in ("loopback", "vtep"):
        if first <= (getattr(pin, key) or 0) <= last:
            yield key, _managed_too(fabric, getattr(pin, key), f"{dotted(SUBNET)}, {subnet}")
    if pin.management is not None and not first < pin.management < last:
        text = f"{host_text(pin.management, 4)} is no address of the management subnet"
        yield "management", f"{text} {subnet}, in which its gateway is"


def _managed_too(fabric: Fabric, said: int, subnet: str) -> str:
    """Say of an address of the management subnet which switch has it there, if one has."""
    holders = (
        f", and is the management address of {switch.name} by {dotted(place)}"
        for place, _, switch in managed([fabric])
        if fabric.addresses.management_address(switch).value == said
    )
    return f"{host_text(said, 4)} lies in {subnet}{next(holders, '')}"


def _pools(addresses: Addresses, key: str) -> Iterator[Pool]:
    """Yield the pools whose addresses others have."""
    nics = addresses.nics.pool if addresses.nics is not None else None
    other = addresses.vteps if key == "loopback" else addresses.loopbacks
    yield from (each for each in (other, addresses.links, nics) if each is not None)
