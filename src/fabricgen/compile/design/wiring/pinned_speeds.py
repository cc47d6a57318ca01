"""Apply the pinned speeds of server ports.

Both ends, and the counts of them, follow from the link. A cage runs all its ports at one speed, and
links between switches have the speed of their tier. Other speeds are refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.wiring.faceplate import ports_of
from fabricgen.core.diagnostics import Code
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.port_pins import labels
from fabricgen.model.fabric.topology import Switch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabricgen.compile.design.wiring.pinned_ports import Bench
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.core.units import BitsPerSecond
    from fabricgen.intent.model.port_pins import PortPin
    from fabricgen.model.catalog.cages import Cage, Mode
    from fabricgen.model.fabric.topology import Link, Port

Refusal = tuple[str, str]
"""Reason why a port cannot have its own speed, with a hint."""


def run_at_speeds(bench: Bench, name: str, pins: Mapping[str, PortPin]) -> None:
    """Give the ports of a switch their pinned speeds."""
    for key, pin in pins.items():
        if pin.speed is None:
            continue
        path = (*bench.place(name, "ports", key), "speed")
        for fitted in _cages(bench, name, labels(key)):
            mode = fitted.cage.mode(pin.speed, fitted.subs)
            why = fitted.why_not(bench) or (None if mode else fitted.speeds(pin.speed))
            if why is None and mode is not None:
                fitted.run(bench, mode, path)
                continue
            what, hint = why or ("", "")
            text = f"port {fitted.meant[0].label} of {name} {what}"
            bench.findings.spoil(Code.PORT_PINNED, text, path, hint)
            break


@record(kw_only=True)
class _Cage:
    """One cage of a switch. meant: its ports that a pin names. cables: at these, by port."""

    switch: Switch
    cage: Cage
    subs: int
    meant: Sequence[Port]
    cables: Mapping[int, Link]

    def why_not(self, bench: Bench) -> Refusal | None:
        """Return why its ports have no speed of their own."""
        words = bench.words
        hint = "set `speed` of the servers for all ports"
        if not isinstance(words, Frontend):
            return f"belongs to the {words.name}, whose ports to servers have one speed", hint
        if words.roce is not None:
            return "is lossless: its headroom and marking apply to all such ports", hint
        if not self.cables:
            return "has no cable", ""
        up = next((it for it in self.cables.values() if isinstance(it.lower, Switch)), None)
        if up is not None:
            far = next(it.name for it in (up.upper, up.lower) if it.name != self.switch.name)
            hint = "set `links.speed`, or `speed` of a spine with all its links"
            return f"leads to {far}, and paths between switches are equal", hint
        if len(self.meant) < self.subs:
            hint = f"set it for cage {self.cage.number}, or move those servers to another cage"
            return f"is one of {self.subs} of its cage, which run at one speed", hint
        return None

    def speeds(self, wanted: BitsPerSecond) -> Refusal:
        """Say at which speeds it runs."""
        may = sorted(mode.speed for mode in self.cage.modes if mode.count == self.subs)
        how = "whole" if self.subs == 1 else f"split in {self.subs}"
        return (
            f"does not run at {wanted} on {self.switch.model}",
            f"{how}, that cage runs at {', '.join(map(str, may))}",
        )

    def run(self, bench: Bench, mode: Mode, path: IntentPath) -> None:
        """Run its ports in another mode, and so their cables."""
        ports = ports_of(self.cage, mode)
        bench.fit(self.switch.name, self.cage.number, ports)
        for port in self.meant:
            number = bench.used.get((self.switch.name, port.label))
            if number is None:
                continue
            link, to = self.cables[number], ports[port.sub]
            rule = (
                f"{link.because.rule}; the speed of port {to.label} of {self.switch.name} is pinned"
            )
            because = Provenance((*link.because.paths, path), rule)
            own = replace(link, upper_port=to, speed=mode.speed, because=because)
            bench.links[number] = own


def _cages(bench: Bench, name: str, meant: Sequence[str]) -> Iterator[_Cage]:
    """Yield the cages of a switch with pinned ports, without unknown ones."""
    switch = bench.switches[name]
    for cage in switch.model.cages:
        every = [port for port in switch.ports if port.cage == cage.number]
        ports = [port for port in every if {port.label, str(port.cage)} & {*meant}]
        if ports:
            numbers = (bench.used.get((name, port.label)) for port in ports)
            links = ((each, bench.links[each]) for each in numbers if each is not None)
            yield _Cage(
                switch=switch,
                cage=cage,
                subs=ports[0].subs,
                meant=ports,
                cables={number: link for number, link in links if link is not None},
            )
