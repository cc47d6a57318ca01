"""Find the racks whose management ports are cabled to a fabric.

An access fabric has only such ports. A fabric with tenants may have them, too, in a VRF.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.racks import Contents, Rack, Standing, judge_places, racks_of
from fabricgen.core.diagnostics import Code, IntentPath, Stop, did_you_mean
from fabricgen.core.record import record
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.compile.design.racks import Racks
    from fabricgen.intent.model.fabric import FabricWords, KindPorts
    from fabricgen.intent.model.frontend import Overlay
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.managed import OutOfBand
    from fabricgen.model.fabric.switch import Fabric

ONLY = 1
"""Id of the one VRF of an access fabric: its VNI and transit VLAN follow from it."""


@record(kw_only=True)
class Managing:
    """Management ports of a fabric, with their settings and intent path; `id` of their VRF."""

    fabric: Access | Frontend
    words: OutOfBand
    here: IntentPath
    id: int

    def at(self, *keys: str) -> IntentPath:
        """Return the place of a key."""
        return (*self.here, *keys)

    def vlan(self, key: str) -> IntentPath:
        """Return the place of a VLAN by its name."""
        return at(*self.at("vlans", *(["others"] if key in self.words.vlans.others else []), key))

    @property
    def name(self) -> str:
        """Return the name of the management network: of the fabric, or of the VRF on it."""
        return self.fabric.name if self.words is self.fabric else self.words.vrf

    @property
    def overlay(self) -> Overlay:
        """Return the numbering of the fabric that carries their VLANs."""
        return self.fabric.overlay


def managing(words: FabricWords) -> Managing | None:
    """Return the management ports of a fabric."""
    if isinstance(words, Access):
        return Managing(fabric=words, words=words, here=words.here, id=ONLY)
    if isinstance(words, Frontend) and words.manages and words.oob is not None:
        return Managing(fabric=words, words=words.oob, here=words.at("oob"), id=words.oob.id)
    return None


def filled(
    mine: Managing,
    others: Sequence[Fabric],
    intent: Intent,
    own: Callable[[Racks, Findings], Collection[str] | None],
    findings: Findings,
) -> Racks:
    """Return the racks of each type that is cabled here, with their management ports.

    own: names of the fabric's own switches, which also have such ports; None if unknown. On an
    access fabric they follow from the ports of all others.
    """
    racks = _racks(mine, intent, findings)
    if len(others) < len(list(_before(mine, intent))):
        raise Stop  # an error of another fabric is reported: its switches are unknown
    names = [switch.name for fabric in others for switch in fabric.topology.switches]
    trial = Findings()
    without = Contents(_there(mine, intent, names), trial, known=False)
    first = own(_contents(mine, intent, racks, without), trial)
    there = _there(mine, intent, [*names, *(first or ())])
    contents = Contents(there, findings, known=first is not None)
    full = _contents(mine, intent, racks, contents)
    elsewhere = _elsewhere(mine, intent, racks, there)
    if left := [name for name in contents.left if name not in elsewhere]:
        more = f" and {len(left) - 1} more" if left[1:] else ""
        findings.warn(
            Code.INTENT_WITHOUT_LINES,
            f"no rack that is cabled to {mine.name} contains {left[0]}{more}, so the management "
            "port has no cable",
            mine.at("zones"),
            "add the device to `contents` of a rack",
        )
    return full


def judge_servers(mine: Managing, intent: Intent, findings: Findings) -> None:
    """Report kinds of servers without a management port, and ports of another speed."""
    every = [each for words in intent.each_fabric() for each in words.managed]
    for kind in sorted(intent.servers.keys() - {each.kind for each in every}):
        findings.warn(
            Code.INTENT_WITHOUT_LINES,
            f"servers of kind {kind} have no port on {mine.name}, so they are unreachable when "
            "their system is down",
            at("servers", kind, "ports"),
            f"add `bmc: {_port(mine)}`",
        )
    for each in mine.fabric.managed:
        if each.ports.speed != mine.words.speed:
            findings.error(
                Code.SPEED_NOT_ON_MODEL,
                f"management ports of {mine.name} run at {mine.words.speed}, not "
                f"{each.ports.speed}",
                each.at("speed"),
            )


def _port(mine: Managing) -> str:
    """Return a set of ports as YAML."""
    more = "" if mine.words is mine.fabric else ", vlan: bmc"
    return f"{{fabric: {mine.fabric.name}, speed: {mine.words.speed}{more}}}"


def _before(mine: Managing, intent: Intent) -> Iterator[FabricWords]:
    """Yield the fabrics that are designed first: an access fabric manages the others."""
    for words in intent.each_fabric():
        if not words.manages or (isinstance(words, Frontend) and isinstance(mine.fabric, Access)):
            yield words


def _there(mine: Managing, intent: Intent, switches: Sequence[str]) -> Standing:
    sets: dict[str, list[KindPorts]] = {}
    for each in mine.fabric.managed:
        sets.setdefault(each.kind, []).append(each)
    return Standing(
        switches=switches,
        sets=sets,
        kinds=frozenset(intent.servers),
        fabrics=tuple(words.name for words in intent.each_fabric()),
        site=intent.site.called,
    )


def _racks(mine: Managing, intent: Intent, findings: Findings) -> dict[str, list[Rack]]:
    """Return the racks of each type; report zones of unknown racks."""
    for kind in sorted(mine.words.zones.keys() - intent.racks.keys()):
        findings.spoil(
            Code.UNKNOWN_REFERENCE,
            f"no racks of type {kind!r}",
            mine.at("zones", kind),
            did_you_mean(kind, intent.racks),
        )
    site = intent.site.called
    racks = {name: racks_of(name, kind, site, findings) for name, kind in intent.racks.items()}
    judge_places(racks, findings)
    return racks


def _contents(
    mine: Managing, intent: Intent, racks: dict[str, list[Rack]], contents: Contents
) -> Racks:
    return {
        name: [(rack, contents.of(rack, intent.racks[name])) for rack in each]
        for name, each in racks.items()
        if name in mine.words.zones
    }


def _elsewhere(
    mine: Managing, intent: Intent, racks: dict[str, list[Rack]], there: Standing
) -> frozenset[str]:
    """Return the devices in racks that are cabled to another management fabric."""
    others = [each for words in intent.each_fabric() if (each := managing(words)) is not None]
    kinds = {kind for each in others for kind in each.words.zones} - mine.words.zones.keys()
    held = Contents(there, Findings(), known=False)
    for kind in sorted(kinds & racks.keys()):
        for rack in racks[kind]:
            held.of(rack, intent.racks[kind])
    return held.held
