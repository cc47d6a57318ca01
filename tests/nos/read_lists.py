"""Judge packets by the access lists that are read back from files, with source ports."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.core.tree.facts import Attributes, Facts, add
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import MESSAGES, Packet
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos

_PROTOCOLS = {"1": "icmp", "58": "icmp", "6": "tcp", "17": "udp"}
_TYPES = {(version, word): number for (version, number), word in MESSAGES.items()}
_ANSWERS = ("0x10/0x10", "0x04/0x04")


def pieces(text: str, platform: str) -> list[SwitchSlice]:
    """Return the slices of a site, also where its platform lacks something that it asks for."""
    loaded = load_texts({"site.yaml": text.replace("PLATFORM", platform)})
    assert loaded.intent is not None, loaded.findings
    site, _ = design_site(loaded.intent)
    return [switch_slice for fabric in site.fabrics for switch_slice in Slicer(fabric).slices()]


def facts_of(switch_slice: SwitchSlice, files: Mapping[str, str]) -> Facts:
    """Return what the files of a switch say, by its platform's grammar."""
    late = nos(switch_slice.switch.platform).grammar
    assert late is not None
    grammar, found = late.load(), Facts()
    for path, text in files.items():
        if path in grammar:
            reading = grammar[path].read(text)
            assert reading.unclaimed == []
            for key, attributes in reading.facts.items():
                add(found, key, attributes)
    return found


def files_of(switch_slice: SwitchSlice) -> dict[str, str]:
    """Return the files of a switch by path."""
    renderer = Renderer()
    return {
        item.path: renderer.file(item)
        for item in nos(switch_slice.switch.platform).lower(switch_slice, spell)
    }


def permits(facts: Facts, name: str, packet: Packet) -> bool:
    """Judge a packet by the rules of a list, from its top; its end drops."""
    rules: dict[int, Attributes] = {}
    for key, own in facts.items():
        if key[:2] == ("rule", name):
            rules[int(key[2])] = own
        elif key[0] == "acl" and key[2:] and key[1] == name:
            rules[-int(str(own["priority"]))] = own
    assert rules, f"no rule of {name}"
    first = next((rules[n] for n in sorted(rules) if _fits(rules[n], packet)), None)
    return first is not None and first["action"] in ("permit", "FORWARD")


def _fits(own: Attributes, packet: Packet) -> bool:
    protocol = str(own.get("protocol", "ip"))
    message = own.get("message")
    if message is None and own.get("only") not in (None, "established"):
        message = str(_TYPES[packet.source.version, str(own["only"])])
    answering = own.get("only") == "established" or own.get("flags") in _ANSWERS
    return (
        _PROTOCOLS.get(protocol, protocol) in ("ip", packet.protocol)
        and _holds(own.get("source"), packet.source.host)
        and _holds(own.get("target"), packet.target.host)
        and _between(own.get("from"), packet.source_port)
        and _between(own.get("to"), packet.target_port)
        and (message is None or str(message) == str(packet.message))
        and (packet.answer or not answering)
    )


def _holds(net: object, host: str) -> bool:
    if net in (None, "any"):
        return True
    known, address = ip_network(str(net), strict=False), ip_address(host)
    return known.version == address.version and address in known


def _between(ports: object, port: int) -> bool:
    if ports is None:
        return True
    first, _, last = str(ports).partition("-")
    return int(first) <= port <= int(last or first)
