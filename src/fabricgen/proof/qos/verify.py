"""A designed site and its rendered files in; whether every rail path is lossless, read back, out.

Switch after switch is read and forgotten: what stays is one small table of ports, shared by all
switches whose text is the same. Links are judged at the end, each distinct pair of ends once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, cast

from fabricgen.catalog.switches import switch_model
from fabricgen.diagnostics import Code, Diagnostic, Examined, Severity
from fabricgen.fabric.topology import Port, Switch
from fabricgen.nos.registry import nos
from fabricgen.proof.qos import chain
from fabricgen.proof.qos.expected import End, Expected
from fabricgen.proof.qos.nics import contract, disagreements
from fabricgen.proof.qos.rules import broken, paused_for_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabricgen.diagnostics import IntentPath
    from fabricgen.fabric.port_qos import Lack, PortQos, QosState
    from fabricgen.fabric.switch import Fabric, Site
    from fabricgen.proof.qos.expected import Wanted

    Spell = Callable[[Switch, Port], str]

NAME, NOUN = "lossless-chain", "ports read back"
SHOWN = 20  # faults that are told one by one; the rest is counted

Ends = dict[Port, "PortQos"]


@dataclass(slots=True)
class Verdict:
    """Ports of a switch that were judged: every fault, and the state of those without one."""

    faults: tuple[tuple[Port | None, str], ...]
    ends: Ends


def verify(
    site: Site, rendered: Iterable[tuple[Switch, Mapping[str, str]]], spell: Spell
) -> Examined:
    """Read every switch's files, by their paths below its folder, and judge all paths."""
    proof = Readback(site, spell)
    for switch, files in rendered:
        proof.see(switch, files)
    return proof.result()


class Readback:
    """Sees the files of switch after switch, then says what it found."""

    def __init__(self, site: Site, spell: Spell) -> None:
        """Prepare for one site; `spell` names a port as its platform does."""
        self._spell = spell
        self._fabrics = {fabric.name: fabric for fabric in site.fabrics}
        self._expected = {name: Expected(fabric) for name, fabric in self._fabrics.items()}
        self._contracts = {fabric.name: contract(fabric) for fabric in site.fabrics}
        self._known: dict[object, Verdict] = {}
        self._ends: dict[str, Ends] = {}
        self._faults: dict[tuple[IntentPath, str], list[str]] = {}
        self._unread: dict[str, str] = {}
        self.objects = 0

    def see(self, switch: Switch, files: Mapping[str, str]) -> None:
        """Read and judge one switch."""
        fabric = self._fabrics[switch.fabric]
        reader = nos(switch.platform).qos
        if reader is None:
            self._unread.setdefault(switch.platform, switch.name)
            return
        self.paths(fabric, switch, files)
        ends = self._expected[switch.fabric].ends(switch)
        state = reader.load()(switch_model(switch.model), files)
        key = (state, switch.model, switch.ports, ends)
        verdict = self._known.get(key)
        if verdict is None:
            verdict = self._known[key] = self.judge(switch, fabric, state, ends)
        self._ends[switch.name] = verdict.ends
        self.objects += len(ends)
        for port, fault in verdict.faults:
            self.say(fabric, switch, port, fault)

    def paths(self, fabric: Fabric, switch: Switch, files: Mapping[str, str]) -> None:
        """Judge how a switch chooses among equal paths."""
        told = fabric.balancing[switch.role] if fabric.balancing else None
        late = nos(switch.platform).paths
        if told is None or late is None:
            return
        paths = late.load()
        written = paths.read(switch_model(switch.model), files)
        for fault in paths.differences(written, told):
            self._faults.setdefault((told.because.main, fault), []).append(switch.name)

    def judge(
        self, switch: Switch, fabric: Fabric, state: QosState, ends: tuple[End, ...]
    ) -> Verdict:
        """Judge every port of a switch, then each way through it between ports that are sound."""
        faults: list[tuple[Port | None, str]] = [(None, fault) for fault in state.faults]
        sound: Ends = {}
        said: dict[tuple[PortQos, Wanted], tuple[str, ...]] = {}
        for port, wanted in ends:
            qos = state.ports.get(self._spell(switch, port))
            if qos is None:
                faults.append((port, "is not in the file; a path runs over it"))
                continue
            if (qos, wanted) not in said:
                said[qos, wanted] = self.port(fabric, qos, wanted, state.lacks)
            faults += [(port, fault) for fault in said[qos, wanted]]
            if not said[qos, wanted]:
                sound[port] = qos
        for port in _others(switch, ends):
            qos = state.ports.get(self._spell(switch, port))
            faults += [(port, fault) for fault in paused_for_nothing(qos)] if qos else []
        faults += [(None, fault) for fault in _hops(fabric, set(sound.values()))]
        return Verdict(tuple(faults), sound)

    def port(
        self, fabric: Fabric, qos: PortQos, wanted: Wanted, lacks: frozenset[Lack]
    ) -> tuple[str, ...]:
        """Judge one kind of port; if it is sound, with its NIC."""
        told = self._contracts[fabric.name] if wanted.to_server else None
        found = broken(qos, wanted, lacks)
        if found or told is None:
            return found
        return tuple(disagreements(told, qos, wanted.length))

    def say(self, fabric: Fabric, switch: Switch, port: Port | None, fault: str) -> None:
        """Note a fault with the port it is on; equal faults are one finding."""
        where = switch.name if port is None else f"{switch.name}:{self._spell(switch, port)}"
        self._faults.setdefault((_path(fabric), fault), []).append(where)

    def result(self) -> Examined:
        """Judge the links whose two ends were seen, and return everything."""
        for fabric in self._fabrics.values():
            self.links(fabric)
        found = [_finding(path, fault, where) for (path, fault), where in self._faults.items()]
        if len(found) > SHOWN:
            more = len(found) - SHOWN
            path = found[0].path
            rest = Diagnostic(
                Code.LOSSLESS_CHAIN, f"{more:,} more faults in rendered files", path=path
            )
            found = [*found[:SHOWN], rest]
        found += [_unread(name, first) for name, first in self._unread.items()]
        return Examined(check=NAME, objects=self.objects, noun=NOUN, findings=tuple(found))

    def links(self, fabric: Fabric) -> None:
        """Compare the two ends of every cable whose ports are sound, each pair of states once."""
        fine: set[tuple[int, int]] = set()
        for link in fabric.topology.links:
            if not isinstance(link.lower_port, Port):
                continue
            lower = self._ends.get(link.lower.name, {}).get(link.lower_port)
            upper = self._ends.get(link.upper.name, {}).get(link.upper_port)
            if lower is None or upper is None or (id(lower), id(upper)) in fine:
                continue
            faults = chain.link(lower, upper)
            if not faults:
                fine.add((id(lower), id(upper)))
            for fault in faults:
                self.say(fabric, cast("Switch", link.lower), link.lower_port, fault)


def _hops(fabric: Fabric, ports: set[PortQos]) -> list[str]:
    if fabric.qos is None:
        return []
    found = (
        fault for one, other in product(ports, ports) for fault in chain.hop(one, other, fabric.qos)
    )
    return list(dict.fromkeys(found))


def _others(switch: Switch, ends: tuple[End, ...]) -> list[Port]:
    """Return the ports that are on no path, in faceplate order."""
    used = {port for port, _ in ends}
    return [port for port in switch.ports if port not in used]


def _path(fabric: Fabric) -> IntentPath:
    return fabric.qos.because.main if fabric.qos is not None else (fabric.name,)


def _finding(path: IntentPath, fault: str, where: list[str]) -> Diagnostic:
    more = f" (and {len(where) - 1:,} more)" if len(where) > 1 else ""
    return Diagnostic(Code.LOSSLESS_CHAIN, f"{where[0]} {fault}{more}", path=path)


def _unread(platform: str, first: str) -> Diagnostic:
    return Diagnostic(
        Code.LOSSLESS_CHAIN,
        f"{platform} files are not read back, so nothing is proven of {first} and its like",
        severity=Severity.WARNING,
    )
