"""The links of all switches in; those whose two ends are unlike in MTU, speed or queues, out."""

from collections.abc import Iterator

from fabricgen.diagnostics import Code, Diagnostic, Examined, shortened
from fabricgen.fabric.port_qos import DSCPS, PortQos
from fabricgen.judge.finding import finding
from fabricgen.judge.network import End, Network
from fabricgen.judge.switch import Judged
from fabricgen.proof.qos.chain import sent_for, stopped_by
from fabricgen.reach.written.values import text

NAME, NOUN = "links", "links"


def judge(network: Network) -> Examined:
    """Judge the links whose two ends are here."""
    links = [(one, other) for one, other in network.links.items() if _first(one, other)]
    found = [each for link in links for each in (*_unlike(*link), *_queues(*link))]
    found += [each for switch in network.switches for each in _inside(network, switch)]
    return Examined(
        check=NAME,
        objects=len(links),
        noun=NOUN,
        findings=shortened(found, "faults of links"),
    )


def _first(one: End, other: End) -> bool:
    return (one[0].name, one[1]) < (other[0].name, other[1])


def _name(end: End) -> str:
    return f"{end[0].name}:{end[1]}"


def _mtu(end: End) -> str:
    """Return the MTU that is written, or what its platform does without; empty if not known."""
    switch, port = end
    qos = switch.qos.ports.get(port)
    written = text(switch.own(("interface", port)).get("mtu"))
    return written or str(qos.mtu if qos is not None and qos.mtu is not None else "")


def _unlike(one: End, other: End) -> Iterator[Diagnostic]:
    """Yield what the two ends of a link have unlike."""
    values = {"MTU": (_mtu(one), _mtu(other))}
    ports = (switch.own(("interface", port)) for switch, port in (one, other))
    values["speed"] = tuple(text(each.get("speed")) for each in ports)  # type: ignore[assignment]
    for word, (here, there) in values.items():
        if here and there and here != there:
            said = f"{_name(one)} has {word} {here}, {_name(other)} at its other end {there}"
            places = (s.place(("interface", p), word.lower()) for s, p in (one, other))
            yield finding(Code.JUDGED_LINK, said, *places)


def _port(end: End) -> PortQos | None:
    return end[0].qos.ports.get(end[1])


def _queues(one: End, other: End) -> Iterator[Diagnostic]:
    """Yield where what one end pauses is not what the other stops, class by class."""
    near, far = _port(one), _port(other)
    if near is None or far is None or not near.up or not far.up:
        return
    said = ""
    if near.paused != far.paused:
        said = f"has PFC for priority {_list(near.paused)}, the other end for {_list(far.paused)}"
    elif near.paused:
        said = next(_astray(near, far), "") or next(_astray(far, near), "")
    if said:
        places = (switch.place(("interface", port), "mtu") for switch, port in (one, other))
        yield finding(Code.JUDGED_QUEUES, f"{_name(one)} to {_name(other)}: {said}", *places)


def _astray(sender: PortQos, receiver: PortQos) -> Iterator[str]:
    """Yield DSCPs for which a receiver sends a pause that stops another queue than theirs."""
    for dscp in DSCPS:
        sends, number = sent_for(receiver, dscp), sender.classes[dscp]
        queue = sender.queue(number)
        if queue is None:  # it is not said, and what pauses a class stops it where it is
            stops = number if number in sender.paused else None
        else:
            stops = stopped_by(sender, queue)
        if sends is not None and sends != stops:
            yield (
                f"DSCP {dscp} is paused by priority {_word(sends)} at one end, "
                f"and stopped by {_word(stops)} at the other"
            )


def _inside(network: Network, switch: Judged) -> Iterator[Diagnostic]:
    """Yield a switch whose lossless ports to other switches classify unlike one another."""
    first: tuple[str, PortQos] | None = None
    for name, port in switch.qos.ports.items():
        if (switch, name) not in network.links or not port.paused:
            continue
        if first is None:
            first = name, port
        elif (port.paused, port.classes) != (first[1].paused, first[1].classes):
            said = f"{switch.name}: {name} pauses or classifies unlike {first[0]}"
            places = (switch.place(("interface", each), "mtu") for each in (name, first[0]))
            yield finding(Code.JUDGED_QUEUES, said, *places)
            return


def _list(numbers: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "none"


def _word(priority: int | None) -> str:
    return "none" if priority is None else str(priority)
