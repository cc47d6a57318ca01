"""Probe VLANs, VRFs and servers from the switch and report which ends answer.

For a VLAN, a UDP socket sends a VXLAN packet as the kernel would. It carries a question to the
gateway at the other end, and the tables of that end route the answer. For a VRF or a server, the
probe leaves by the switch's own VLAN device, and so follows the switch's tables.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import frames
from fabricgen.nos.linux.driver.onswitch.ears import Ears, Packet
from fabricgen.nos.linux.driver.onswitch.echoes import echoes
from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.pings import pings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_VXLAN = 4789  # the port (RFC 7348, section 8)
_LONGEST = 10.0  # seconds of a command
_TRIED = 8  # gateways of a VRF: the other end has one of them, if not the same VLANs


def probe(asked: Sequence[Mapping[str, Any]]) -> list[bool]:
    plain = [number for number, one in enumerate(asked) if one["way"] == "ping"]
    good = pings((asked[number]["source"], asked[number]["far"]) for number in plain)
    answered = {number for number, answers in zip(plain, good) if answers}
    with contextlib.ExitStack() as stack:
        ears, packets = Ears(stack), {}
        for number, one in enumerate(asked):
            if one["way"] in _WAYS:
                with contextlib.suppress(OSError, LookupError, ValueError):  # missing: no answer
                    packets[number] = _WAYS[one["way"]](one, ears)
        answered |= ears.hear(packets)
        routed = [number for number, one in enumerate(asked) if one["way"] == "echo"]
        good = echoes([asked[number] for number in routed], stack)
        answered |= {number for number, answers in zip(routed, good) if answers}
    return [number in answered for number in range(len(asked))]


def _vlan(one: Mapping[str, Any], ears: Ears) -> Packet:
    """Probe the gateway at a VTEP. Its answer goes to an unknown MAC, and so is flooded."""
    own, tunnel = ears.name(), one["tunnel"]
    ears.at(tunnel)
    out = ears.tunnel(one["source"], (one["far"], _VXLAN), f"{one['vni']} {one['far']}")
    frame = frames.request(one["mac"], own, frames.NOBODY, one["address"])
    return Packet(tunnel, lambda reply: reply.to == own, out, [frames.tunneled(one["vni"], frame)])


def _vrf(one: Mapping[str, Any], ears: Ears) -> Packet:
    """Probe the router MAC at a VTEP by the transit VLAN, for gateways that also exist here."""
    (bridged,) = _json("bridge", "-j", "vlan", "show", "dev", one["tunnel"])
    device = f"vlan{bridged['vlans'][0]['vlan']}"
    own = disk.stated(f"sys/class/net/{device}/address")
    gateways = sorted(
        each["local"]
        for item in _json("ip", "-j", "-4", "address", "show", "master", one["vrf"])
        for each in item.get("addr_info", ())
    )
    asked = [frames.request(one["mac"], own, frames.NOBODY, each) for each in gateways[:_TRIED]]
    return Packet(device, lambda reply: reply.mac == one["mac"], ears.at(device), asked)


def _server(one: Mapping[str, Any], ears: Ears) -> Packet:
    """Probe a server as the kernel does to check its neighbor."""
    device, far = one["device"], one["far"]
    frame = frames.request(one["mac"], one["own"], one["source"], far)
    return Packet(device, lambda reply: reply.address == far, ears.at(device), [frame])


def _json(*command: str) -> Any:
    return json.loads(run(command, _LONGEST).out)


_WAYS = {"vlan": _vlan, "vrf": _vrf, "server": _server}
